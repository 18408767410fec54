#include "sim/files/hdf5/snapshot_assembler.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "sim/files/body_ids.h"
#include "sim/files/file_origin.h"
#include "sim/files/hdf5/run_attributes.h"
#include "sim/files/hdf5/writer.h"

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
  snapshot_.types.resize(snapshot_.bodies.size(), static_cast<std::uint8_t>(head.type));
  order_.insert(order_.end(), batch.order.begin(), batch.order.end());
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

/// Restores the order of the saved simulation, in which the places count from 1.
void Hdf5SnapshotAssembler::restore_order() {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  const bool own_ids = !order_.empty();
  const std::vector<std::uint64_t>& order = own_ids ? order_ : snapshot_.ids;
  std::vector<std::size_t> place(snapshot_.bodies.size() + snapshot_.skipped, kNone);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t number = order[i];
    if (number == 0 || number > place.size() || place[number - 1] != kNone) {
      throw InputError("ID " + std::to_string(number) + " is duplicate or out of range: the file was modified.");
    }
    place[number - 1] = i;
  }
  std::erase(place, kNone);
  const auto reordered = [&](auto& values) {
    std::remove_reference_t<decltype(values)> ordered;
    ordered.reserve(place.size());
    for (const std::size_t i : place) ordered.push_back(values[i]);
    values = std::move(ordered);
  };
  reordered(snapshot_.bodies);
  reordered(snapshot_.types);
  if (own_ids) {
    reordered(snapshot_.ids);
  } else {
    snapshot_.ids.clear();
  }
}

void Hdf5SnapshotAssembler::restore_run(Hdf5Id group) {
  snapshot_.run = read_run(group, snapshot_.notes);
  SavedRun& run = *snapshot_.run;
  if (snapshot_.ids.size() != snapshot_.bodies.size() || (!order_.empty() && order_.size() != snapshot_.bodies.size()))
    throw InputError("dataset ParticleIDs or PericenterOrder is missing: the file was modified.");
  restore_order();
  if (run.origin) {
    FileOrigin origin = *run.origin;
    origin.ids = std::move(snapshot_.ids);
    origin.types = std::move(snapshot_.types);
    run.origin = std::make_shared<const FileOrigin>(std::move(origin));
  }
  snapshot_.ids.clear();
  snapshot_.types.clear();
  snapshot_.softening = run.params.softening;
  const bool physical = hdf5_numbers(group, "UnitsArePhysical") == std::vector<double>{1};
  snapshot_.units = physical ? file_units(run.units, run.params.gravity) : FileUnits();
}

Snapshot Hdf5SnapshotAssembler::finish(const Hdf5File& first, const Hdf5Conventions& conventions) {
  snapshot_.units = conventions.units;
  snapshot_.time = conventions.time;
  snapshot_.box = conventions.box;
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
  restore_run(group.get());
  return std::move(snapshot_);
}

}  // namespace pericenter
