#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "sim/core/printable.h"

namespace pericenter::app {

/// A lesson that cannot be used; what() names the file, the line, the key and what is allowed.
class LessonError : public std::runtime_error {
 public:
  explicit LessonError(const std::string& message) : std::runtime_error(shortened(printable(message))) {}

 private:
  /// Without the end of a long text that a message quotes.
  static std::string shortened(const std::string& text) {
    constexpr std::size_t kMaxBytes = 1500;
    return text.size() > kMaxBytes ? printable(text.substr(0, kMaxBytes)) + " ..." : text;
  }
};

}  // namespace pericenter::app
