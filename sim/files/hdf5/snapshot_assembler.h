#pragma once

#include <cstdint>

#include "sim/files/hdf5/body_batch.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/snapshot_files.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// Collects the bodies of the files of a snapshot.
class Hdf5SnapshotAssembler {
 public:
  explicit Hdf5SnapshotAssembler(Progress progress) : progress_(std::move(progress)) {}

  /// Throws SceneCancelled.
  void add(const Hdf5Batch& batch);
  void report_progress() const;
  /// Adds what the first file defines.
  Snapshot finish(const Hdf5File& first, const Hdf5Conventions& conventions);
  /// Bodies of each type so far.
  const Hdf5Counts& counts() const { return counts_; }

 private:
  void restore_tags();
  void restore_order();
  void restore_run(Hdf5Id group);

  const Progress progress_;
  std::uint64_t seen_ = 0, expected_ = 0;
  Hdf5Counts counts_;
  bool ids_missing_ = false;
  std::vector<std::uint64_t> order_;
  Hdf5Softenings softenings_;
  Snapshot snapshot_;
};

}  // namespace pericenter
