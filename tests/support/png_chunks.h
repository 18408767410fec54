#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pericenter::test {

inline std::uint32_t big_endian(std::span<const std::uint8_t> bytes) {
  std::uint32_t number = 0;
  for (const std::uint8_t byte : bytes.first(4)) number = number << 8 | byte;
  return number;
}

/// Remainder of the polynomial of ISO/IEC 15948:2004, 5.5, bit by bit from the front: slow, and unlike the program's.
inline std::uint32_t remainder_of(std::span<const std::uint8_t> bytes) {
  std::uint32_t remainder = 0xFFFFFFFF;
  for (const std::uint8_t byte : bytes) {
    for (int bit = 0; bit < 8; ++bit) {
      const bool one = (remainder >> 31 & 1) != (byte >> bit & 1u);
      remainder = remainder << 1 ^ (one ? 0x04C11DB7u : 0);
    }
  }
  std::uint32_t reversed = 0;
  for (int bit = 0; bit < 32; ++bit) reversed |= (~remainder >> bit & 1) << (31 - bit);
  return reversed;
}

/// The texts of a PNG file by their keywords, plain or international; fails the test where a chunk is broken.
inline std::map<std::string, std::string> png_texts(const std::vector<std::uint8_t>& file) {
  std::map<std::string, std::string> texts;
  std::string order;
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::span rest = std::span(file).subspan(at);
    const std::uint32_t size = big_endian(rest);
    if (size + 12 > rest.size()) {
      ADD_FAILURE() << "a chunk is longer than the file";
      break;
    }
    const std::string type(rest.begin() + 4, rest.begin() + 8), data(rest.begin() + 8, rest.begin() + 8 + size);
    EXPECT_EQ(big_endian(rest.subspan(8 + size)), remainder_of(rest.subspan(4, 4 + size))) << type;
    const std::size_t end = data.find('\0');
    if (type == "tEXt") texts[data.substr(0, end)] = data.substr(end + 1);
    if (type == "iTXt") {
      EXPECT_EQ(data.substr(end, 5), std::string(5, '\0'));
      texts[data.substr(0, end)] = data.substr(end + 5);
    }
    order += type + " ";
    at += size + 12;
  }
  EXPECT_EQ(order.substr(0, 5), "IHDR ");
  EXPECT_EQ(order.substr(order.size() - 5), "IEND ");
  return texts;
}

}  // namespace pericenter::test
