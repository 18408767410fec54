#include "sim/files/hdf5/snapshot_assembler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sim/files/body_check.h"
#include "sim/files/body_ids.h"
#include "sim/files/hdf5/run_attributes.h"

namespace pericenter {
namespace {

constexpr std::size_t kReadSlab = 1 << 17;  ///< bodies per read
constexpr std::array kComponents = {Component::disc, Component::halo,  Component::disc, Component::bulge,
                                    Component::disc, Component::other, Component::other};

std::string group_name(std::size_t type) {
  return "PartType" + std::to_string(type);
}

}  // namespace

void Hdf5SnapshotAssembler::add(const Hdf5File& part, const Hdf5Header& header) {
  const std::size_t types = std::max<std::size_t>(header.here.size(), header.here.empty() ? 7 : 0);
  counts_.resize(std::max(counts_.size(), types));
  try {
    for (std::size_t type = 0; type < types; ++type) add_type(part, header, type);
  } catch (const InputError& error) {
    throw InputError(part.name + error.what(), error.missing);
  }
}

/// Errors of a dataset include its group.
void Hdf5SnapshotAssembler::add_type(const Hdf5File& part, const Hdf5Header& header, std::size_t type) {
  const bool declared = !header.here.empty();
  if (declared && header.here[type] == 0) return;
  const std::string name = group_name(type);
  if (!has_hdf5_link(part.file.get(), name)) {
    if (!declared) return;
    throw InputError("/Header declares " + std::to_string(header.here[type]) + " bodies of type " +
                     std::to_string(type) + ", but group /" + name + " is missing.");
  }
  try {
    const Fields fields = fields_of(part, header, type);
    const std::uint64_t count = fields.position.rows();
    counts_[type] += count;
    snapshot_.bodies.reserve(snapshot_.bodies.size() + count);
    for (std::uint64_t first = 0; first < count; first += kReadSlab) {
      const bool within = first > 0 && first + kReadSlab < count;
      if (!sample_only_ || !within) add_slab(fields, type, first);
    }
  } catch (const InputError& error) {
    throw InputError("/" + name + ": " + error.what());
  }
}

Hdf5SnapshotAssembler::Fields Hdf5SnapshotAssembler::fields_of(const Hdf5File& part, const Hdf5Header& header,
                                                               std::size_t type) {
  const Hdf5Handle group = open_hdf5_group(part.file.get(), group_name(type));
  if (!group) throw InputError("it is not a group.");
  // Black holes of SWIFT have two masses; gravity uses DynamicalMasses.
  const char* const masses = has_hdf5_link(group.get(), "Masses") ? "Masses" : "DynamicalMasses";
  Fields fields{{part, group, "Coordinates", 3},
                {part, group, "Velocities", 3},
                {part, group, masses, 1},
                {part, group, "ParticleIDs", 1},
                {part, group, "PericenterTags", 1},
                1,
                1,
                1,
                type < header.masses.size() ? header.masses[type] : 0};
  if (!fields.position) throw InputError("dataset Coordinates is missing.");
  if (!fields.velocity) throw InputError("dataset Velocities is missing; it is required to continue the motion.");
  if (!fields.mass && !(fields.table_mass > 0)) {
    throw InputError("dataset Masses is missing, and 'MassTable' of /Header has no mass for this type.");
  }
  const std::uint64_t count = header.here.empty() ? fields.position.rows() : header.here[type];
  for (const Hdf5Dataset* field : {&fields.position, &fields.velocity, &fields.mass, &fields.id, &fields.tag}) {
    if (!*field) continue;
    field->require_rows(count);
    field->require_written();
  }
  fields.position_factor = conventions_.factor(fields.position.id(), Hdf5Quantity::position);
  fields.velocity_factor = conventions_.factor(fields.velocity.id(), Hdf5Quantity::velocity);
  fields.mass_factor = conventions_.factor(fields.mass.id(), Hdf5Quantity::mass);
  find_softening(part, group);
  return fields;
}

void Hdf5SnapshotAssembler::find_softening(const Hdf5File& part, const Hdf5Handle& group) {
  const Hdf5Dataset field(part, group, "Softenings", 1);
  if (!field || field.rows() == 0) return;
  const double factor = conventions_.factor(field.id(), Hdf5Quantity::softening);
  field.read(0, std::min<std::uint64_t>(kReadSlab, field.rows()), slab_.mass);
  for (const double softening : slab_.mass) {
    if (!(softening >= 0 && std::isfinite(softening))) continue;
    softenings_ += softening * factor;
    ++softened_;
    min_softening_ = std::min(min_softening_, softening * factor);
    max_softening_ = std::max(max_softening_, softening * factor);
  }
}

void Hdf5SnapshotAssembler::add_slab(const Fields& fields, std::size_t type, std::uint64_t first) {
  const std::uint64_t count = std::min<std::uint64_t>(kReadSlab, fields.position.rows() - first);
  fields.position.read(first, count, slab_.position);
  fields.velocity.read(first, count, slab_.velocity);
  if (fields.mass) fields.mass.read(first, count, slab_.mass);
  if (fields.id) fields.id.read(first, count, slab_.id);
  if (fields.tag) fields.tag.read(first, count, slab_.tag);
  ids_missing_ = ids_missing_ || !fields.id;
  const Component component = type < kComponents.size() ? kComponents[type] : Component::other;
  for (std::size_t i = 0; i < count; ++i) {
    Body body;
    for (std::size_t k = 0; k < 3; ++k) {
      body.position[static_cast<int>(k)] = slab_.position[3 * i + k] * fields.position_factor;
      body.velocity[static_cast<int>(k)] = slab_.velocity[3 * i + k] * fields.velocity_factor;
    }
    body.mass = (fields.mass ? slab_.mass[i] : fields.table_mass) * fields.mass_factor;
    body.tag = fields.tag ? static_cast<std::uint32_t>(slab_.tag[i]) : make_tag(0, component);
    if (const std::string problem = problem_with(body); !problem.empty()) {
      if (!options_.skip_bad) {
        throw InputError("body " + std::to_string(first + i) + " is invalid: " + problem + "." + kSkipHint);
      }
      ++snapshot_.skipped;
      continue;
    }
    snapshot_.bodies.push_back(body);
    if (fields.id) snapshot_.ids.push_back(slab_.id[i]);
  }
  seen_ += count;
  const double share = expected_ > 0 ? static_cast<double>(seen_) / static_cast<double>(expected_) : 0;
  if (options_.progress && !options_.progress(std::min(1.0, share))) throw SceneCancelled();
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

Snapshot Hdf5SnapshotAssembler::finish(const Hdf5File& first) {
  snapshot_.units = conventions_.units;
  snapshot_.time = conventions_.time;
  snapshot_.softening = softened_ > 0 ? softenings_ / static_cast<double>(softened_) : conventions_.softening;
  snapshot_.format = conventions_.code + " HDF5";
  snapshot_.notes = conventions_.notes;
  if (softened_ > 0 && max_softening_ > 1.01 * min_softening_) {
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
