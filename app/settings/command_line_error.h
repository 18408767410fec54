#pragma once

#include <string>

#include "app/base/exit_code.h"
#include "sim/core/printable.h"

namespace pericenter::app {

/// An option or a scene string is wrong (kUsage), names a missing file (kNoInput) or needs something that is not
/// available here (kUnavailable). what() is one sentence that names the value and what is allowed.
class CommandLineError : public ExitError {
 public:
  explicit CommandLineError(const std::string& message, ExitCode exit_code = kUsage)
      : ExitError(exit_code, printable(message)) {}
};

}  // namespace pericenter::app
