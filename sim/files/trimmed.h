#pragma once

#include <cstddef>
#include <string_view>

namespace pericenter {

/// `text` without these characters at its ends.
inline std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

}  // namespace pericenter
