#include "sim/files/hdf5/snapshot_assembler.h"

#include <algorithm>
#include <limits>
#include <string>

#include "sim/files/body_ids.h"
#include "sim/files/hdf5/run_attributes.h"

namespace pericenter {

void Hdf5SnapshotAssembler::add(const Hdf5Batch& batch) {
  const Hdf5BatchHead& head = batch.head;
  if (head.type >= counts_.size()) counts_.resize(head.type + 1);
  counts_[head.type] += head.rows;
  seen_ += head.rows;
  expected_ = head.expected;
  softenings_.add(head.softenings);
  ids_missing_ = ids_missing_ || batch.ids.size() != batch.bodies.size();
  snapshot_.skipped += head.rows - batch.bodies.size();
  if (head.rows < head.remaining) snapshot_.bodies.reserve(snapshot_.bodies.size() + head.remaining);
  snapshot_.bodies.insert(snapshot_.bodies.end(), batch.bodies.begin(), batch.bodies.end());
  snapshot_.ids.insert(snapshot_.ids.end(), batch.ids.begin(), batch.ids.end());
  report_progress();
}

void Hdf5SnapshotAssembler::report_progress() const {
  const double share = expected_ > 0 ? static_cast<double>(seen_) / static_cast<double>(expected_) : 0;
  if (progress_ && !progress_(std::min(1.0, share))) throw SceneCancelled();
}

void Hdf5SnapshotAssembler::restore_tags() {
  const std::vector<std::uint64_t>& ids = snapshot_.ids;
  if (ids.empty() || !std::ranges::all_of(ids, [](std::uint64_t id) { return tag_of_id(id).has_value(); })) return;
  for (std::size_t i = 0; i < ids.size(); ++i) snapshot_.bodies[i].tag = *tag_of_id(ids[i]);
  snapshot_.notes.emplace_back("Galaxies and components were restored from the IDs written by Pericenter.");
}

/// Restores the order of the saved simulation, whose IDs count from 1.
void Hdf5SnapshotAssembler::restore_order() {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> place(snapshot_.bodies.size() + snapshot_.skipped, kNone);
  for (std::size_t i = 0; i < snapshot_.ids.size(); ++i) {
    const std::uint64_t id = snapshot_.ids[i];
    if (id == 0 || id > place.size() || place[id - 1] != kNone) {
      throw InputError("ID " + std::to_string(id) + " is duplicate or out of range: the file was modified.");
    }
    place[id - 1] = i;
  }
  Bodies ordered;
  ordered.reserve(snapshot_.bodies.size());
  for (const std::size_t i : place) {
    if (i != kNone) ordered.push_back(snapshot_.bodies[i]);
  }
  snapshot_.bodies = std::move(ordered);
  snapshot_.ids.clear();
}

Snapshot Hdf5SnapshotAssembler::finish(const Hdf5File& first, const Hdf5Conventions& conventions) {
  snapshot_.units = conventions.units;
  snapshot_.time = conventions.time;
  snapshot_.softening =
      softenings_.count > 0 ? softenings_.sum / static_cast<double>(softenings_.count) : conventions.softening;
  snapshot_.format = conventions.code + " HDF5";
  snapshot_.notes = conventions.notes;
  if (softenings_.count > 0 && softenings_.max > 1.01 * softenings_.min) {
    snapshot_.notes.emplace_back("The bodies have individual softening lengths; their mean is used for all.");
  }
  if (ids_missing_ && !snapshot_.ids.empty()) snapshot_.ids.clear();
  const Hdf5Handle group = open_hdf5_group(first.file.get(), kRunGroup);
  if (!group) {
    restore_tags();
    return std::move(snapshot_);
  }
  snapshot_.run = read_run(group.get(), snapshot_.notes);
  if (snapshot_.ids.size() != snapshot_.bodies.size())
    throw InputError("dataset ParticleIDs is missing: the file was modified.");
  restore_order();
  snapshot_.softening = snapshot_.run->params.softening;
  if (hdf5_numbers(group.get(), "UnitsArePhysical") != std::vector<double>{1}) snapshot_.units = {};
  return std::move(snapshot_);
}

}  // namespace pericenter
