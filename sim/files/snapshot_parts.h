#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace pericenter {

/// The files of a snapshot in `count` parts, of which one is known: NAME.0, NAME.1 ... or NAME.0.hdf5, NAME.1.hdf5 ...
class SnapshotParts {
 public:
  SnapshotParts(const std::filesystem::path& path, std::uint64_t count);

  std::uint64_t count() const { return count_; }
  /// The path of a part. Some programs pad the numbers with zeros to as many digits as that of the known part has.
  std::filesystem::path path(std::uint64_t number) const;
  /// The number of the known part.
  std::uint64_t given() const { return given_; }

  /// Whether the known part is read alone, although its header declares others: those who cut bodies out copy it, and
  /// archives offer single parts. Without a part number, if no other part exists, or if its header says that it
  /// `has_all` bodies and not all parts exist.
  bool stands_alone(bool has_all) const;
  /// What a part that stands alone has of all bodies; `total` 0: unknown.
  std::string note(std::uint64_t here, std::uint64_t total) const;
  /// What to do if a part is missing.
  std::string advice() const;

 private:
  bool exists(std::uint64_t number) const;

  std::string head_, tail_;
  std::size_t digits_ = 0;  ///< 0: the name has no part number
  std::uint64_t count_, given_ = 0;
};

}  // namespace pericenter
