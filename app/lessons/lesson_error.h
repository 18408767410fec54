#pragma once

#include <stdexcept>
#include <string>

#include "sim/core/printable.h"

namespace pericenter::app {

/// A lesson that cannot be used; what() names the file, the line, the key and what is allowed.
class LessonError : public std::runtime_error {
 public:
  explicit LessonError(const std::string& message) : std::runtime_error(printable(message)) {}
};

}  // namespace pericenter::app
