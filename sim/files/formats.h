#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/files/snapshot.h"

namespace pericenter {

/// The beginning of a file, from which its format is recognised.
struct FileHead {
  Bytes first;             ///< first 64 KiB, or all of a shorter file
  std::uint64_t size = 0;  ///< size of the whole file
  std::string_view name;   ///< file name without folder
};

/// A supported file format.
struct FileFormat {
  std::string_view name;     ///< "gadget"
  std::string_view title;    ///< name shown to the user: "GADGET-1 and -2 binary"
  std::string_view summary;  ///< one sentence
  bool (*matches)(const FileHead& head) = nullptr;
  /// Reads one whole file. A pure function: for any bytes it returns the same snapshot or throws an InputError, in
  /// bounded time and with at most about ten times their memory. Null for HDF5.
  Snapshot (*read)(Bytes bytes, const ReadOptions& options) = nullptr;
  /// Reads a file by its path, for formats with several files. Null if `read` is sufficient.
  Snapshot (*read_path)(const std::string& path, const ReadOptions& options) = nullptr;
};

/// The table of formats, in the order in which they are tried. A new format is one file and one row in formats.cpp.
std::span<const FileFormat> file_formats();
/// Their titles: "HDF5 ...; GADGET-1 and -2 binary; ...".
std::string format_titles();

/// Whether a file seems to be a snapshot of one of these formats, from its beginning. Text must name the columns of
/// bodies, and files compressed by gzip are recognised by their names.
bool seems_to_hold_bodies(const std::string& path);

}  // namespace pericenter
