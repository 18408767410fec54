#include "sim/files/snapshot_parts.h"
#include "sim/core/counted_bodies.h"

#include <cctype>

namespace pericenter {
namespace {

constexpr std::size_t kMostDigits = 9;

struct Digits {
  std::size_t at = 0, count = 0;
};

/// The part number in "snap.12.hdf5"; EXP and others omit the extension: "snap.12".
Digits part_number(const std::string& name) {
  const auto number_before = [&name](std::size_t end) {
    std::size_t at = end;
    while (at > 0 && std::isdigit(static_cast<unsigned char>(name[at - 1]))) --at;
    return at > 1 && at < end && end - at <= kMostDigits && name[at - 1] == '.' ? Digits{at, end - at} : Digits{};
  };
  const Digits last = number_before(name.size());
  const std::size_t dot = name.rfind('.');
  return last.count > 0 || dot == std::string::npos ? last : number_before(dot);
}

}  // namespace

SnapshotParts::SnapshotParts(const std::filesystem::path& path, std::uint64_t count) : count_(count) {
  const std::string name = path.filename().string();
  const Digits number = part_number(name);
  if (number.count == 0) return;
  given_ = std::stoull(name.substr(number.at, number.count));
  if (given_ >= count) return;
  digits_ = number.count;
  head_ = (path.parent_path() / name.substr(0, number.at)).string();
  tail_ = name.substr(number.at + number.count);
}

std::filesystem::path SnapshotParts::path(std::uint64_t number) const {
  const std::string plain = std::to_string(number);
  const std::string padded = std::string(digits_ > plain.size() ? digits_ - plain.size() : 0, '0') + plain;
  std::error_code error;
  return head_ + (std::filesystem::exists(head_ + padded + tail_, error) ? padded : plain) + tail_;
}

bool SnapshotParts::exists(std::uint64_t number) const {
  std::error_code error;
  return std::filesystem::exists(path(number), error);
}

bool SnapshotParts::stands_alone(bool has_all) const {
  if (count_ == 1 || digits_ == 0) return true;
  for (std::uint64_t k = 0; k < count_; ++k) {
    if (k != given_ && exists(k) != has_all) return has_all;
  }
  return !has_all;
}

std::string SnapshotParts::note(std::uint64_t here, std::uint64_t total) const {
  return "The header declares " + std::to_string(count_) + " files" +
         (total > 0 ? " and " + counted_bodies(total) + " in total" : "") + "; only the " + std::to_string(here) +
         " of this file are shown. Others are found if all have names of the form NAME.0" +
         (tail_.empty() ? " or NAME.0.hdf5" : tail_) + " and are in one folder.";
}

std::string SnapshotParts::advice() const {
  return " The snapshot has " + std::to_string(count_) +
         " files. Put them all into one folder, or a single one into a folder of its own to see only this part.";
}

}  // namespace pericenter
