#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/snapshot.h"

#include "tests/support/paths.h"

namespace pericenter::tests {

inline std::string fixture_path(const std::string& name) {
  return std::string(tests::kFixturesFolder) + "/" + name;
}

inline std::vector<std::uint8_t> file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::vector<std::uint8_t> fixture_bytes(const std::string& name) {
  return file_bytes(fixture_path(name));
}

inline Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Same as number() of make_fixtures.py: 0 mass, 1-3 position, 4-6 velocity of a body.
inline double fixture_number(std::size_t index, std::size_t what) {
  const auto i = static_cast<double>(index);
  if (what == 0) return 0.5 + i / 16;
  return (static_cast<double>((index * 7 + what * 5) % 23) - 11) / 8 + i / 64;
}

/// The body of all fixtures at this index, with tag 0.
inline Body fixture_body(std::size_t index) {
  const auto number = [index](std::size_t what) { return fixture_number(index, what); };
  return {{number(1), number(2), number(3)}, {number(4), number(5), number(6)}, number(0), 0};
}

inline Snapshot snapshot_of(Bodies bodies) {
  Snapshot snapshot;
  snapshot.bodies = std::move(bodies);
  return snapshot;
}

/// A temporary file, removed at the end of the scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name, const std::vector<std::uint8_t>& bytes = {})
      : folder_(std::filesystem::temp_directory_path() /
                ("pericenter_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "_" + name)) {
    std::filesystem::create_directory(folder_);
    std::ofstream(path(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    path_ = path(name);
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  /// Path of another file in the same folder.
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

}  // namespace pericenter::tests
