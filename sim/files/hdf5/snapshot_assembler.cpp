#include "sim/files/hdf5/snapshot_assembler.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "sim/files/body_ids.h"
#include "sim/files/file_origin.h"
#include "sim/files/hdf5/run_attributes.h"
#include "sim/files/hdf5/writer.h"

namespace pericenter {
namespace {

constexpr std::uint64_t kMaxTypes = 64, kMaxRows = 1ull << 40;

struct Message {
  Hdf5BatchHead head;
  std::uint64_t bodies, ids, order;
};

static_assert(std::is_trivially_copyable_v<Message> && std::is_trivially_copyable_v<Body>);
static_assert(sizeof(Message) % alignof(Body) == 0 && sizeof(Body) % alignof(std::uint64_t) == 0);

template <class Value>
Bytes bytes_of(std::span<const Value> values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
}

}  // namespace

void Hdf5Softenings::add(double softening) {
  add({1, softening, softening, softening});
}

void Hdf5Softenings::add(const Hdf5Softenings& other) {
  count += other.count;
  sum += other.sum;
  min = std::min(min, other.min);
  max = std::max(max, other.max);
}

void send_batch(const Hdf5Batch& batch, const SendBytes& send) {
  const Message message = {batch.head, batch.bodies.size(), batch.ids.size(), batch.order.size()};
  send({bytes_of(std::span(&message, 1)), bytes_of(batch.bodies), bytes_of(batch.ids), bytes_of(batch.order)});
}

Hdf5Batch received_batch(Bytes message) {
  Message head;
  const auto check = [](bool valid) {
    if (!valid) throw InputError("reading it gave invalid data: the file is damaged.");
  };
  check(message.size() >= sizeof head);
  std::memcpy(&head, message.data(), sizeof head);
  const Bytes rest = message.subspan(sizeof head);
  check(head.head.type < kMaxTypes && head.head.remaining <= kMaxRows);
  check(head.bodies <= rest.size() / sizeof(Body));
  for (const std::uint64_t numbers : {head.ids, head.order}) check(numbers <= rest.size() / sizeof(std::uint64_t));
  const std::size_t body_bytes = head.bodies * sizeof(Body);
  check(body_bytes + (head.ids + head.order) * sizeof(std::uint64_t) == rest.size() && head.head.rows >= head.bodies);
  const auto* const numbers = reinterpret_cast<const std::uint64_t*>(rest.data() + body_bytes);
  return {head.head,
          {reinterpret_cast<const Body*>(rest.data()), head.bodies},
          {numbers, head.ids},
          {numbers + head.ids, head.order}};
}

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
  if (ids_missing_ && !snapshot_.ids.empty()) {
    snapshot_.ids.clear();
    snapshot_.notes.emplace_back("The ids are ignored, because only some of the bodies have one.");
  }
  const Hdf5Handle group = open_hdf5_group(first.file.get(), kRunGroup);
  if (!group) {
    restore_tags();
    return std::move(snapshot_);
  }
  restore_run(group.get());
  return std::move(snapshot_);
}

}  // namespace pericenter
