#include "sim/files/hdf5/snapshot_assembler.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "sim/core/counted_bodies.h"
#include "sim/core/printable.h"
#include "sim/files/body_fields.h"
#include "sim/files/body_ids.h"
#include "sim/files/body_selector.h"
#include "sim/files/file_origin.h"
#include "sim/files/hdf5/run_attributes.h"
#include "sim/files/hdf5/writer.h"
#include "sim/files/particle_types.h"

namespace pericenter {
namespace {

constexpr std::uint64_t kMaxTypes = 64, kMaxRows = 1ull << 40;

struct Message {
  Hdf5BatchHead head;
  std::uint64_t bodies, ids, order, values, fields;
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
  const Message message = {batch.head,         batch.bodies.size(), batch.ids.size(),
                           batch.order.size(), batch.values.size(), batch.fields.size()};
  send({bytes_of(std::span(&message, 1)), bytes_of(batch.bodies), bytes_of(batch.ids), bytes_of(batch.order),
        bytes_of(batch.values), bytes_of(batch.fields)});
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
  check(head.values <= rest.size() / sizeof(float) && head.fields <= rest.size());
  check((head.values == 0 || head.values == head.bodies) && head.head.rows >= head.bodies);
  const std::size_t body_bytes = head.bodies * sizeof(Body);
  const std::size_t number_bytes = (head.ids + head.order) * sizeof(std::uint64_t),
                    value_bytes = head.values * sizeof(float);
  check(body_bytes + number_bytes + value_bytes + head.fields == rest.size());
  const auto* const numbers = reinterpret_cast<const std::uint64_t*>(rest.data() + body_bytes);
  const auto* const values = reinterpret_cast<const float*>(rest.data() + body_bytes + number_bytes);
  const auto* const fields = reinterpret_cast<const char*>(values + head.values);
  return {head.head,
          {reinterpret_cast<const Body*>(rest.data()), head.bodies},
          {numbers, head.ids},
          {values, head.values},
          {fields, head.fields},
          {numbers + head.ids, head.order}};
}

void Hdf5SnapshotAssembler::add(const Hdf5Batch& batch) {
  const Hdf5BatchHead& head = batch.head;
  if (head.type >= types_.size()) types_.resize(head.type + 1);
  Type& type = types_[head.type];
  type.rows += head.rows;
  type.shown += batch.bodies.size();
  type.left_out += head.left_out;
  type.at_rest = type.at_rest || head.at_rest;
  type.no_place = type.no_place || head.no_place;
  type.massless = type.massless || head.massless;
  type.softenings.add(head.softenings);
  seen_ += head.rows;
  expected_ = head.expected;
  negative_ids_ += head.negative;
  split_ids_ += head.split;
  snapshot_.skipped += head.skipped;
  if (!selects_ && head.rows < head.remaining) snapshot_.bodies.reserve(snapshot_.bodies.size() + head.remaining);
  snapshot_.census.add(head.census);
  add_bodies(batch);
  report_progress();
}

void Hdf5SnapshotAssembler::add_bodies(const Hdf5Batch& batch) {
  const Hdf5BatchHead& head = batch.head;
  ids_missing_ = ids_missing_ || batch.ids.size() != batch.bodies.size();
  snapshot_.bodies.insert(snapshot_.bodies.end(), batch.bodies.begin(), batch.bodies.end());
  const std::uint64_t before = head.places ? snapshot_.census.bodies() : 0;  // in earlier files
  for (const std::uint64_t id : batch.ids) snapshot_.ids.push_back(id + before);
  if (head.places) placed_ += batch.ids.size();
  snapshot_.types.resize(snapshot_.bodies.size(), static_cast<std::uint8_t>(head.type));
  order_.insert(order_.end(), batch.order.begin(), batch.order.end());
  add_fields(batch);
}

void Hdf5SnapshotAssembler::add_fields(const Hdf5Batch& batch) {
  std::istringstream lines(std::string(batch.fields.begin(), batch.fields.end()));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) add_field({printable(line.substr(0, tab)), line.substr(tab + 1)}, snapshot_.fields);
  }
  append_values(batch.values, batch.bodies.size(), snapshot_);
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
  if (!snapshot_.values.empty()) reordered(snapshot_.values);
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
  if (snapshot_.units.known()) snapshot_.units = file_units(run.units, run.params.gravity);
}

void Hdf5SnapshotAssembler::check_counts(const Hdf5Counts& declared, const std::string& attribute) {
  for (std::size_t t = 0; t < std::max(declared.size(), types_.size()); ++t) {
    const std::uint64_t found = t < types_.size() ? types_[t].rows + types_[t].left_out : 0;
    const std::uint64_t expected = t < declared.size() ? declared[t] : 0;
    if (declared.empty() || expected == found) continue;
    return note("'" + attribute + "' of /Header declares " + std::to_string(expected) + " bodies of type " +
                std::to_string(t) + ", but there are " + std::to_string(found) +
                ": the header is wrong, or the snapshot is not complete. All that are there are shown.");
  }
}

void Hdf5SnapshotAssembler::note_types(const Hdf5Conventions& conventions) {
  const auto note_where = [&](const std::string& what, const auto& holds) {
    if (std::string text = note_on_types(types_.size(), what, holds); !text.empty()) note(std::move(text));
  };
  note_where("have no coordinates and are left out", [&](std::size_t t) { return types_[t].no_place; });
  note_where("have no velocities and are at rest at first", [&](std::size_t t) { return types_[t].at_rest; });
  note_where("have no masses and are massless test particles", [&](std::size_t t) { return types_[t].massless; });
  note_where(kCoarse, [&](std::size_t t) { return types_[t].rows > 0 && conventions.is_coarse(t); });
}

/// Bodies keep any id; who follows bodies from file to file must know whether it is theirs alone.
void Hdf5SnapshotAssembler::note_ids() {
  std::vector<std::uint64_t>& ids = snapshot_.ids;
  if ((ids_missing_ || (placed_ > 0 && placed_ < ids.size())) && !ids.empty()) {
    ids.clear();
    note("The ids are ignored, because only some of the bodies have one.");
  }
  if (ids.empty()) return;
  if (negative_ids_ > 0) note("2^64 was added to negative ids: " + std::to_string(negative_ids_) + ".");
  if (split_ids_ > 0)
    note("Split off by GIZMO, with the id of the parent plus 2^32 times ParticleChildIDsNumber: " +
         counted_bodies(split_ids_) + ".");
  if (std::ranges::is_sorted(ids, std::less_equal())) return;
  std::vector<std::uint64_t> sorted = ids;
  std::ranges::sort(sorted);
  const auto repeated = sorted.end() - std::unique(sorted.begin(), sorted.end());  // Clang 14 has no ranges::unique
  if (repeated > 0)
    note(counted_bodies(static_cast<std::uint64_t>(repeated)) + " with the id of another body; all are kept.");
}

/// The mean over all bodies whose softening is known.
void Hdf5SnapshotAssembler::set_softening(const Hdf5Conventions& conventions) {
  Hdf5Softenings all;
  for (std::size_t t = 0; t < types_.size(); ++t) {
    const auto count = static_cast<double>(types_[t].shown);
    Hdf5Softenings own = types_[t].softenings;
    if (own.count == 0 && t < conventions.softening.size() && conventions.softening[t] > 0)
      own.add(conventions.softening[t]);
    if (own.count == 0 || types_[t].shown == 0) continue;
    own.sum *= count / static_cast<double>(own.count);
    own.count = types_[t].shown;
    all.add(own);
  }
  if (all.count == 0) return;
  snapshot_.softening = all.sum / static_cast<double>(all.count);
  if (all.max > 1.01 * all.min)
    note("The bodies have softening lengths from " + shown(all.min) + " to " + shown(all.max) +
         " in units of the file; their mean is used for all.");
}

Snapshot Hdf5SnapshotAssembler::finish(const Hdf5File& first, const Hdf5Conventions& conventions) {
  const bool none_heavy = std::ranges::all_of(types_, [](const Type& type) { return type.massless || type.rows == 0; });
  for (std::size_t t = 0; t < types_.size(); ++t) {
    const std::string group = "/PartType" + std::to_string(t) + ": ";
    if (snapshot_.bodies.empty() && snapshot_.skipped == 0 && types_[t].no_place)
      throw InputError(group + "dataset Coordinates is missing.");
    if (none_heavy && types_[t].massless)
      throw InputError(group + "dataset Masses is missing, and 'MassTable' of /Header has no mass for this type.");
  }
  snapshot_.units = conventions.units;
  snapshot_.time = conventions.time;
  snapshot_.box = conventions.box;
  snapshot_.hubble = conventions.hubble;
  snapshot_.length_factor = conventions.scale_factor / conventions.hubble;
  if (conventions.comoving)
    snapshot_.age_s = conventions.time * conventions.units.length_cm / conventions.units.velocity_cm_s;
  snapshot_.format = conventions.code + " HDF5";
  const Hdf5Handle group = open_hdf5_group(first.file.get(), kRunGroup);
  set_softening(conventions);
  note_types(conventions);
  note_ids();
  snapshot_.notes = conventions.notes;
  snapshot_.notes.insert(snapshot_.notes.end(), notes_.begin(), notes_.end());
  if (group && hdf5_numbers(group.get(), "UnitsArePhysical") != std::vector<double>{1}) snapshot_.units = {};
  if (group && !selects_) {
    restore_run(group.get());
  } else {
    restore_tags();
  }
  if (selects_) restore_masses(snapshot_);
  return std::move(snapshot_);
}

}  // namespace pericenter
