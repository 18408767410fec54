#pragma once

#include <filesystem>
#include <string>

namespace pericenter {

/// The part `number` of a snapshot of several files, whose names differ between `head` and `tail`. Some programs pad
/// the numbers with zeros to as many `digits` as that of the part that is known.
inline std::string part_path(const std::string& head, std::uint64_t number, const std::string& tail,
                             std::size_t digits) {
  const std::string plain = std::to_string(number);
  const std::string padded = std::string(digits > plain.size() ? digits - plain.size() : 0, '0') + plain;
  std::error_code error;
  return head + (std::filesystem::exists(head + padded + tail, error) ? padded : plain) + tail;
}

}  // namespace pericenter
