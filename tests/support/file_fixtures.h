#pragma once

#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/files/formats.h"
#include "sim/files/snapshot.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace pericenter::test {

inline std::string fixture_path(const std::string& name) {
  return std::string(test::kFixturesFolder) + "/" + name;
}

inline std::vector<std::uint8_t> file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline std::vector<std::uint8_t> fixture_bytes(const std::string& name) {
  return file_bytes(fixture_path(name));
}

inline Bytes bytes_of(std::string_view text) {
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

/// The format of this name in the table.
inline const FileFormat& format_named(std::string_view name) {
  for (const FileFormat& format : file_formats()) {
    if (format.name == name) return format;
  }
  throw std::out_of_range("unknown format " + std::string(name));
}

inline Snapshot read_as(std::string_view format, Bytes bytes, const ReadOptions& options = {}) {
  return format_named(format).read(bytes, options);
}

inline bool matches(std::string_view format, Bytes bytes, std::string_view name = "x") {
  return format_named(format).matches({bytes, bytes.size(), name});
}

/// The error of reading these bytes; empty if there is none.
inline std::string error_of(std::string_view format, Bytes bytes) {
  try {
    read_as(format, bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The error of an action.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline Snapshot snapshot_of(Bodies bodies) {
  Snapshot snapshot;
  snapshot.bodies = std::move(bodies);
  return snapshot;
}

/// A file in a temporary folder of its own, removed at the end of the scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name, const std::vector<std::uint8_t>& bytes = {}) : path_(path(name)) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  const std::string& path() const { return path_; }
  /// Path of another file in the same folder.
  std::string path(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

}  // namespace pericenter::test
