#include "sim/core/printable.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace pericenter {
namespace {

/// Bytes of the UTF-8 character at the beginning of `text`; 0 if it is invalid or a control character (C0, DEL, C1).
std::size_t printable_bytes(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k])); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t size = first >= 0xf8 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
  if (size == 0 || size > text.size()) return 0;
  std::uint32_t code = first & (0x7fu >> size);
  for (std::size_t k = 1; k < size; ++k) {
    if ((byte(k) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0xa0, 0x800, 0x10000};  // 0x80 to 0x9f: C1
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < kSmallest[size] || surrogate || code > 0x10ffff ? 0 : size;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    if (bytes > 0) {
      result += text.substr(0, bytes);
    } else {
      std::array<char, 5> code;
      std::snprintf(code.data(), code.size(), "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(text[0])));
      result += code.data();
    }
    text.remove_prefix(bytes > 0 ? bytes : 1);
  }
  return result;
}

std::string printable_lines(std::string_view text) {
  std::string result;
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
    result += printable(text.substr(0, end)) + '\n';
  return result + printable(text);
}

}  // namespace pericenter
