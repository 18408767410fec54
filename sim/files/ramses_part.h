#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Whether these are particles of one CPU of RAMSES, in either byte order: Fortran records of ncpu, ndim and npart (4
/// bytes each) and of at least four random seeds. The grid's files differ in the third or fourth record.
bool is_ramses_part(Bytes bytes);

/// Collects the particles of all CPUs.
class RamsesBodies {
 public:
  /// Adds part_NNNNN.outCCCCC. `fields`: names of the records after the header, as in part_file_descriptor.txt; empty:
  /// in RAMSES' order, recognised by their sizes. Throws InputError.
  void add(Bytes bytes, std::span<const std::string> fields);
  void note(const std::string& sentence) { snapshot_.notes.push_back(sentence); }
  std::uint32_t cpus() const { return cpus_; }  ///< that the run has, by the last file
  Snapshot finish(const ReadOptions& options);

 private:
  Snapshot snapshot_;
  std::uint32_t cpus_ = 0;
  std::size_t tracers_ = 0;
  bool ids_missing_ = false;
};

}  // namespace pericenter
