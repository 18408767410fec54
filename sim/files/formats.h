#pragma once

#include <span>
#include <string_view>

#include "sim/files/snapshot.h"

namespace pericenter {

/// The begin of a file, from which its format is told. Names decide only where contents cannot.
struct FileHead {
  Bytes first;             ///< 64 KiB, or all of a shorter file
  std::uint64_t size = 0;  ///< of the whole file
  std::string_view name;   ///< without its folder
};

/// A row of the table of formats that Pericenter reads.
struct FileFormat {
  std::string_view name;     ///< "gadget"
  std::string_view title;    ///< for the user: "GADGET-1 and -2 binary"
  std::string_view summary;  ///< which files these are, in a sentence
  bool (*matches)(const FileHead& head) = nullptr;
  /// Reads one whole file. Pure: the same bytes give the same snapshot, whatever they are it ends soon with a snapshot
  /// or an InputError, and it takes no more memory than some ten times their size. Null for HDF5, which is read by
  /// path.
  Snapshot (*read)(Bytes bytes, const ReadOptions& options) = nullptr;
};

/// The table, in the order in which formats are tried.
std::span<const FileFormat> file_formats();

}  // namespace pericenter
