#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/files/hdf5/file.h"

namespace pericenter {

inline constexpr std::uint64_t kMaxHdf5Bytes = 1ull << 40;  ///< that a dataset may claim to hold

/// An open file, or the bytes of one.
struct Hdf5Piece {
  Hdf5Handle file;
  std::uint64_t size = 0;  ///< bytes
  std::string name;        ///< for errors, when there are several: "file snap.1.hdf5: "
};

/// Numbers of bodies of each type.
using Hdf5Counts = std::vector<std::uint64_t>;

/// What the group /Header tells.
struct Hdf5Header {
  Hdf5Counts here, total;  ///< empty: not told
  std::vector<double> masses;
  std::uint64_t files = 1;
};

/// Opens a file. Throws InputError.
Hdf5Piece open_hdf5_piece(const Hdf5Session& session, const std::filesystem::path& path);
/// Throws InputError.
Hdf5Header read_hdf5_header(const Hdf5Piece& piece);

/// The path of another file of the snapshot that `path` is one of: "snap.1.hdf5" of "snap.0.hdf5". Empty when the name
/// has no such number.
std::filesystem::path hdf5_piece_path(const std::filesystem::path& path, std::uint64_t number);

}  // namespace pericenter
