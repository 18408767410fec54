#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/files/hdf5/dataset.h"
#include "sim/files/hdf5/snapshot_files.h"
#include "sim/files/hdf5/units.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// Collects the bodies of the files of a snapshot.
class Hdf5SnapshotAssembler {
 public:
  /// `sample_only`: reads only the first and the last bodies of each type.
  Hdf5SnapshotAssembler(Hdf5Conventions conventions, const ReadOptions& options, std::uint64_t expected,
                        bool sample_only)
      : conventions_(std::move(conventions)), options_(options), expected_(expected), sample_only_(sample_only) {}

  void add(const Hdf5File& part, const Hdf5Header& header);
  Snapshot finish(const Hdf5File& first);
  const Hdf5Counts& counts() const { return counts_; }
  const ReadOptions& options() const { return options_; }

 private:
  struct Fields {
    Hdf5Dataset position, velocity, mass, id, tag;
    double position_factor, velocity_factor, mass_factor, table_mass;
  };
  /// Values of a range of bodies.
  struct Slab {
    std::vector<double> position, velocity, mass;
    std::vector<std::uint64_t> id, tag;
  };

  void add_type(const Hdf5File& part, const Hdf5Header& header, std::size_t type);
  Fields fields_of(const Hdf5File& part, const Hdf5Header& header, std::size_t type);
  void add_slab(const Fields& fields, std::size_t type, std::uint64_t first);
  void find_softening(const Hdf5File& part, const Hdf5Handle& group);
  void restore_tags();
  void restore_order();

  Hdf5Conventions conventions_;
  const ReadOptions options_;
  const std::uint64_t expected_;  ///< bodies in all files; 0: unknown
  const bool sample_only_;
  std::uint64_t seen_ = 0;
  Hdf5Counts counts_;  ///< bodies of each type so far
  bool ids_missing_ = false;
  double softenings_ = 0, min_softening_ = std::numeric_limits<double>::infinity(), max_softening_ = 0;
  std::uint64_t softened_ = 0;
  Slab slab_;
  Snapshot snapshot_;
};

}  // namespace pericenter
