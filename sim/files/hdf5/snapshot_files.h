#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sim/files/hdf5/file.h"

namespace pericenter {

inline constexpr std::uint64_t kMaxHdf5Bytes = 1ull << 40;  ///< maximum size of a dataset

/// An open file of a snapshot.
struct Hdf5File {
  Hdf5Handle file;
  std::uint64_t size = 0;  ///< bytes
};

/// Number of bodies per type.
using Hdf5Counts = std::vector<std::uint64_t>;

/// Contents of the group /Header.
struct Hdf5Header {
  Hdf5Counts here, total;  ///< empty: not declared
  std::vector<double> masses;
  std::uint64_t files = 1;
};

/// Opens a file. Throws InputError.
Hdf5File open_hdf5_file(const Hdf5Session& session, const std::filesystem::path& path);
/// Throws InputError.
Hdf5Header read_hdf5_header(const Hdf5File& part);

}  // namespace pericenter
