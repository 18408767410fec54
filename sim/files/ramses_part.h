#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Whether these are particles of one CPU of RAMSES, in either byte order: Fortran records of ncpu, ndim and npart (4
/// bytes each) and of at least four random seeds. The grid's files differ in the third or fourth record.
bool is_ramses_part(Bytes bytes);

/// A record of particles.
struct RamsesField {
  std::string name;
  char type = 0;  ///< type of part_file_descriptor.txt: d, f, q, i or b; 0: by name and size
};

/// Collects the particles of all CPUs.
class RamsesBodies {
 public:
  /// `wanted`: the record whose values are read, too; empty: none.
  explicit RamsesBodies(std::string wanted) : wanted_(std::move(wanted)) {}

  /// Adds part_NNNNN.outCCCCC. `fields`: the records after the header, as in part_file_descriptor.txt; empty: in
  /// RAMSES' order, recognised by their sizes. Throws InputError.
  void add(Bytes bytes, std::span<const RamsesField> fields);
  void note(const std::string& sentence) { snapshot_.notes.push_back(sentence); }
  std::uint32_t cpus() const { return cpus_; }  ///< that the run has, by the last file
  Snapshot finish(const ReadOptions& options);

 private:
  std::string wanted_;
  Snapshot snapshot_;
  std::uint32_t cpus_ = 0;
  std::size_t tracers_ = 0;
  bool ids_missing_ = false;
};

}  // namespace pericenter
