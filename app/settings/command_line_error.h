#pragma once

#include <stdexcept>
#include <string>

#include "app/base/exit_code.h"
#include "sim/core/printable.h"

namespace pericenter::app {

/// An option or a scene string is wrong (kUsage), names a missing file (kNoInput) or needs something that is not
/// available here (kUnavailable). what() is one sentence that names the value and what is allowed.
class CommandLineError : public std::runtime_error {
 public:
  explicit CommandLineError(const std::string& message, ExitCode exit_code = kUsage)
      : std::runtime_error(printable(message)), code(exit_code) {}
  ExitCode code;
};

}  // namespace pericenter::app
