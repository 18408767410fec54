#include "sim/files/hdf5/body_reader.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "sim/core/counted_bodies.h"
#include "sim/files/body_selector.h"
#include "sim/files/hdf5/dataset.h"
#include "sim/files/hdf5/fields.h"
#include "sim/files/hdf5/run_attributes.h"

namespace pericenter {
namespace {

constexpr std::uint64_t kReadSlab = 1 << 15;        ///< bodies per batch
constexpr std::uint64_t kSofteningsRead = 1 << 17;  ///< softenings read per type
constexpr std::size_t kMostTypes = 7;               ///< types of any code that needs no list in the header
constexpr double kSplineEnd = 2.8;                  ///< end of the spline in Plummer-equivalent softenings
constexpr std::uint64_t kChildShift = 32;

/// The datasets of a type, and the factors that convert their values.
struct Fields {
  Hdf5Dataset position, velocity, mass, id, child, tag, order;
  double position_factor, velocity_factor, mass_factor, table_mass;
  std::optional<Hdf5FieldReader> shown = {};
};

/// Values of a range of bodies.
struct Slab {
  std::vector<double> position, velocity, mass;
  std::vector<std::uint64_t> id, child, tag, order;
  std::vector<float> shown;
};

class BodyReader {
 public:
  BodyReader(const Hdf5File& part, const Hdf5Conventions& conventions, const ReadOptions& options)
      : part_(part),
        conventions_(conventions),
        skip_bad_(options.skip_bad),
        is_run_(!options.selection.any() && has_hdf5_link(part.file.get(), kRunGroup)),
        field_(options.field),
        header_(read_hdf5_header(part)),
        selection_(options.selection),
        selector_(options, conventions.box, conventions.scale_factor / conventions.hubble) {}

  void read(const std::function<void(const Hdf5Batch&)>& take) {
    for (std::size_t type = 0; type < std::max(kMostTypes, header_.here.size()); ++type) {
      const std::string name = "PartType" + std::to_string(type);
      if (!has_type(type, name)) continue;
      try {
        read_type(type, name, take);
      } catch (const InputError& error) {
        throw InputError("/" + name + ": " + error.what());
      }
    }
    if (!selector_.selects()) return;
    Hdf5BatchHead last;
    last.census = selector_.census();
    take({last, {}, {}});
  }

 private:
  bool has_type(std::size_t type, const std::string& name) const {
    if (has_hdf5_link(part_.file.get(), name)) return true;
    if (declared(type) == 0) return false;
    throw InputError("/Header declares " + counted_bodies(declared(type)) + " of type " + std::to_string(type) +
                     ", but group /" + name + " is missing.");
  }

  std::uint64_t declared(std::size_t type) const { return type < header_.here.size() ? header_.here[type] : 0; }

  bool is_declared_empty(std::size_t type) const { return !header_.here.empty() && declared(type) == 0; }

  void read_type(std::size_t type, const std::string& name, const std::function<void(const Hdf5Batch&)>& take) {
    const Hdf5Handle group = open_hdf5_group(part_.file.get(), name);
    if (!group) throw InputError("it is not a group of this file.");
    Hdf5BatchHead batch;
    batch.type = type;
    batch.expected = expected();
    if (is_declared_empty(type) && !Hdf5Dataset::has_values(group, "Coordinates")) return;
    batch.no_place = !has_hdf5_link(group.get(), "Coordinates");
    batch.left_out = batch.no_place ? declared(type) : 0;
    if (batch.no_place) return take({batch, {}, {}});
    if (!selection_.has(type)) {
      batch.rows = Hdf5Dataset(part_, group, "Coordinates", 3).rows();
      selector_.pass(type, batch.rows);
      return take({batch, {}, {}});
    }
    Fields fields = fields_of(group, type);
    std::string names;
    const std::uint64_t count = fields.position.rows();
    batch.at_rest = !fields.velocity;
    batch.massless = count > 0 && !fields.mass && !(fields.table_mass > 0);
    batch.places = !fields.id && selector_.selects();
    batch.softenings = softenings_of(group);
    for (const Hdf5Field& field : hdf5_fields(group, conventions_)) {
      names += field.info.name + '\t' + field.info.unit + '\n';
      if (field.info.name == field_) fields.shown.emplace(part_, group, conventions_, field, count);
    }
    for (std::uint64_t first = 0; first < count; first += kReadSlab) {
      batch.remaining = count - first;
      read_slab(fields, first, batch);
      take({batch, slab_bodies_.bodies, slab_bodies_.ids, slab_bodies_.values, std::exchange(names, {}), order_});
      batch.softenings = {};
    }
  }

  std::uint64_t expected() const {
    const Hdf5Counts& counts = header_.total.empty() ? header_.here : header_.total;
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0));
  }

  Fields fields_of(const Hdf5Handle& group, std::size_t type) const;
  Hdf5Softenings softenings_of(const Hdf5Handle& group);
  void read_slab(Fields& fields, std::uint64_t first, Hdf5BatchHead& batch);

  const Hdf5File& part_;
  const Hdf5Conventions& conventions_;
  const bool skip_bad_, is_run_;
  const std::string& field_;
  const Hdf5Header header_;
  const Selection& selection_;
  BodySelector selector_;
  Slab slab_;
  Snapshot slab_bodies_;
  std::vector<std::uint64_t> order_;
};

/// The first of the datasets that exists.
std::string first_link(const Hdf5Handle& group, std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    if (has_hdf5_link(group.get(), name)) return name;
  }
  return *names.begin();
}

/// Errors of a dataset include its group.
Fields BodyReader::fields_of(const Hdf5Handle& group, std::size_t type) const {
  // Saved runs also contain their bodies in scene units, unless these are the units of the file. EAGLE has Velocity
  // and Mass. Black holes of SWIFT have two masses; gravity uses DynamicalMasses.
  const bool exact = is_run_ && has_hdf5_link(group.get(), kExactNames.position);
  const std::string velocity = first_link(group, {"Velocities", "Velocity"});
  const std::string mass = first_link(group, {"Masses", "DynamicalMasses", "Mass"});
  Fields fields{{part_, group, exact ? kExactNames.position : "Coordinates", 3},
                {part_, group, exact ? kExactNames.velocity : velocity, 3},
                {part_, group, exact ? kExactNames.mass : mass, 1},
                {part_, group, "ParticleIDs", 1},
                {part_, group, "ParticleChildIDsNumber", 1},
                {part_, group, "PericenterTags", 1},
                {part_, group, "PericenterOrder", 1},
                1,
                1,
                1,
                type < header_.masses.size() ? header_.masses[type] : 0};
  for (const Hdf5Dataset* field :
       {&fields.position, &fields.velocity, &fields.mass, &fields.id, &fields.child, &fields.tag, &fields.order}) {
    if (!*field) continue;
    field->require_rows(fields.position.rows());
    field->require_written();
  }
  fields.position_factor = conventions_.factor(fields.position.id(), Hdf5Quantity::position);
  fields.velocity_factor = conventions_.factor(fields.velocity.id(), Hdf5Quantity::velocity);
  fields.mass_factor = conventions_.factor(fields.mass.id(), Hdf5Quantity::mass);
  return fields;
}

Hdf5Softenings BodyReader::softenings_of(const Hdf5Handle& group) {
  Hdf5Softenings found;
  const Hdf5Dataset field(part_, group, "Softenings", 1);
  if (!field || field.rows() == 0) return found;
  // AREPO stores where its spline ends (io_func_softenings() in io_fields.c), SWIFT the Plummer-equivalent length.
  const double depth = conventions_.code == "AREPO" ? kSplineEnd : 1;
  const double factor = conventions_.factor(field.id(), Hdf5Quantity::softening) / depth;
  field.read(0, std::min(kSofteningsRead, field.rows()), slab_.mass);
  for (const double softening : slab_.mass) {
    if (softening >= 0 && std::isfinite(softening)) found.add(softening * factor);
  }
  return found;
}

/// Bodies that GIZMO splits keep their id and get a number that lasts (merge_split.c, which keeps the 0 of the parent).
/// Returns the number of ids that changed.
std::uint64_t tell_children_apart(const Hdf5Dataset& children, std::uint64_t first, Slab& slab) {
  children.read(first, slab.id.size(), slab.child);
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < slab.id.size(); ++i) {
    slab.id[i] += slab.child[i] << kChildShift;
    if (slab.child[i] != 0) ++changed;
  }
  return changed;
}

void BodyReader::read_slab(Fields& fields, std::uint64_t first, Hdf5BatchHead& batch) {
  const std::uint64_t count = batch.rows = std::min(kReadSlab, batch.remaining);
  fields.position.read(first, count, slab_.position);
  slab_.velocity.assign(3 * count, 0);
  if (fields.velocity) fields.velocity.read(first, count, slab_.velocity);
  if (fields.mass) fields.mass.read(first, count, slab_.mass);
  if (fields.id) batch.negative = fields.id.read_ids(first, count, slab_.id);
  batch.split = fields.id && fields.child ? tell_children_apart(fields.child, first, slab_) : 0;
  if (fields.tag) fields.tag.read(first, count, slab_.tag);
  if (fields.order) fields.order.read(first, count, slab_.order);
  if (fields.shown) fields.shown->read(first, count, slab_.shown);
  const Component component = conventions_.component(batch.type);
  Bodies& bodies = slab_bodies_.bodies;
  std::vector<std::uint64_t>& ids = slab_bodies_.ids;
  bodies.clear();
  ids.clear();
  slab_bodies_.values.clear();
  order_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    Body body;
    for (std::size_t k = 0; k < 3; ++k) {
      body.position[static_cast<int>(k)] = slab_.position[3 * i + k] * fields.position_factor;
      body.velocity[static_cast<int>(k)] = slab_.velocity[3 * i + k] * fields.velocity_factor;
    }
    body.mass = (fields.mass ? slab_.mass[i] : fields.table_mass) * fields.mass_factor;
    body.tag = fields.tag ? static_cast<std::uint32_t>(slab_.tag[i]) : make_tag(0, component);
    if (const std::string problem = problem_with(body); !problem.empty()) {
      if (skip_bad_) continue;
      throw InputError("body " + std::to_string(first + i) + " is invalid: " + problem + "." + kSkipHint);
    }
    bodies.push_back(body);
    if (fields.id) ids.push_back(slab_.id[i]);
    if (fields.shown) slab_bodies_.values.push_back(slab_.shown[i]);
    if (fields.order && is_run_) order_.push_back(slab_.order[i]);
  }
  batch.skipped = count - bodies.size();
  slab_bodies_.types.assign(bodies.size(), static_cast<std::uint8_t>(batch.type));
  selector_.apply(slab_bodies_);
}

}  // namespace

void read_bodies(const Hdf5File& part, const Hdf5Conventions& conventions, const ReadOptions& options,
                 const std::function<void(const Hdf5Batch& batch)>& take) {
  BodyReader(part, conventions, options).read(take);
}

}  // namespace pericenter
