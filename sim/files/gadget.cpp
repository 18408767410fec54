#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/files/body_fields.h"
#include "sim/files/body_selector.h"
#include "sim/files/formats.h"
#include "sim/files/gadget_fields.h"
#include "sim/files/gadget_records.h"
#include "sim/files/stated.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/scene_progress.h"

namespace pericenter {
namespace {

/// Whether the bytes can be masses: ids up to 2^23 are floats below 1e-37.
bool can_be_masses(const ByteReader& in, std::uint64_t count) {
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, 1000); ++i) {
    const double mass = in.size() == 8 * count ? in.at<double>(8 * i) : static_cast<double>(in.at<float>(4 * i));
    if (mass != 0 && !(mass > 1e-30 && mass < 1e30)) return false;
  }
  return true;
}

struct Blocks {
  std::optional<ByteReader> position, velocity, id, mass;
  std::optional<GadgetField> shown = {};  ///< the wanted field
};

/// Whether a file without labels has no ids: it ends after the velocities, or one block of masses follows.
bool lacks_ids(GadgetRecords records, const GadgetHeader& header) {
  const std::uint64_t n = header.particles, m = header.with_own_mass;
  try {
    for (const char* block : {"POS", "VEL"}) records.next(block, std::array{12 * n, 24 * n});
    if (records.ended()) return m == 0;
    const ByteReader masses = records.next("MASS", std::array{4 * m, 8 * m});
    return m > 0 && (records.ended() || m != n) && can_be_masses(masses, m);
  } catch (const InputError&) {
    return false;
  }
}

// The blocks for bodies; ids are optional, and blocks after them are ignored.
Blocks blocks_of(GadgetRecords& records, const GadgetHeader& header, bool labelled) {
  Blocks blocks;
  const std::uint64_t n = header.particles, m = header.with_own_mass;
  struct Wanted {
    std::string name;
    std::uint64_t number_count;
    std::optional<ByteReader>& block;
  };
  std::vector<Wanted> wanted = {{"POS", 3 * n, blocks.position}, {"VEL", 3 * n, blocks.velocity}, {"ID", n, blocks.id}};
  if (!labelled && lacks_ids(records, header)) wanted.pop_back();
  if (m > 0) wanted.push_back({"MASS", m, blocks.mass});
  std::size_t found = 0;
  while (found < wanted.size() && !records.ended()) {
    const std::string label = records.label(wanted[found].name);
    const auto match = std::find_if(wanted.begin(), wanted.end(), [&](const Wanted& w) { return w.name == label; });
    if (match == wanted.end() || match->block) {
      records.next(label, {});
      continue;
    }
    match->block = records.next(label, std::array{4 * match->number_count, 8 * match->number_count});
    ++found;
  }
  for (const Wanted& each : wanted) {
    if (!each.block && each.name != "ID")
      throw InputError("Block " + each.name + " is missing: the file ends before it" +
                       (each.name == "MASS" ? ", and the header does not define the masses of all particles." : ".") +
                       " Copy the file again.");
  }
  return blocks;
}

// A block of `count` vectors of floats or doubles.
class VectorBlock {
 public:
  VectorBlock(const ByteReader& in, std::uint64_t count) : in_(in), wide_(in.size() == 24 * count) {}
  Vec3 operator[](std::size_t i) const {
    return {gadget_number(in_, wide_, 3 * i), gadget_number(in_, wide_, 3 * i + 1),
            gadget_number(in_, wide_, 3 * i + 2)};
  }

 private:
  const ByteReader& in_;
  bool wide_;
};

void fill_bodies(const GadgetHeader& header, const Blocks& blocks, const ReadOptions& options, Snapshot& snapshot) {
  const VectorBlock position(*blocks.position, header.particles), velocity(*blocks.velocity, header.particles);
  const bool wide_ids = blocks.id && blocks.id->size() == 8 * header.particles;
  const bool wide_masses = blocks.mass && blocks.mass->size() == 8 * header.with_own_mass;
  // In a cosmological run, positions are comoving and velocities divided by sqrt(a).
  const double length_factor = header.types.comoving ? header.time : 1, velocity_factor = std::sqrt(length_factor);
  SceneProgress progress(options.progress, header.particles);
  BodySelector selector(options, snapshot.box, length_factor);
  if (!selector.selects()) snapshot.bodies.reserve(header.particles);
  std::size_t first = 0, first_mass = 0;
  for (std::size_t type = 0; type < kGadgetTypes; ++type) {
    const bool own_mass = header.mass[type] == 0;
    const auto fill = [&](std::size_t k, std::size_t to) {
      const std::size_t i = first + k;
      const double mass = own_mass ? gadget_number(*blocks.mass, wide_masses, first_mass + k) : header.mass[type];
      snapshot.bodies[to] = {position[i] * length_factor, velocity[i] * velocity_factor, mass,
                             make_tag(0, header.types.component(type))};
      snapshot.types[to] = static_cast<std::uint8_t>(type);
      if (blocks.id)
        snapshot.ids[to] = wide_ids ? blocks.id->at<std::uint64_t>(8 * i) : blocks.id->at<std::uint32_t>(4 * i);
      if (blocks.shown) snapshot.values[to] = blocks.shown->value(type, k);
    };
    const auto name = [&](std::size_t k) {
      return "Particle " + std::to_string(k + 1) + " of type " + std::to_string(type);
    };
    if (options.selection.has(type))
      selector.read(header.count[type], {blocks.id.has_value(), true, blocks.shown.has_value()}, progress, snapshot,
                    fill, name);
    else
      selector.pass(type, header.count[type]);
    first += header.count[type];
    if (own_mass) first_mass += header.count[type];
  }
  selector.finish(snapshot);
}

/// Lists the fields of the types that are read, and returns the wanted one.
std::optional<GadgetField> find_fields(const GadgetRecords& further, const GadgetHeader& header,
                                       const ReadOptions& options, Snapshot& snapshot) {
  const Stated::Units& stated = options.stated.units;
  const FileUnits units = stated.any() ? stated_units(stated, snapshot.units) : snapshot.units;
  std::optional<GadgetField> wanted;
  for (GadgetField& field : gadget_fields(further, header, units)) {
    bool is_read = false;
    for (std::size_t type = 0; type < kGadgetTypes; ++type)
      is_read = is_read || (field.has(type) && options.selection.has(type));
    if (!is_read) continue;
    add_field(field.info, snapshot.fields);
    if (field.info.name == options.field && !wanted) wanted = std::move(field);
  }
  return wanted;
}

// Box and time of a cosmological run, whose bodies are converted, too.
void make_physical(const GadgetHeader& header, Snapshot& snapshot) {
  const double a = header.time;
  snapshot.box *= a;
  snapshot.time = cosmic_age(a, header.omega_matter, 1 - header.omega_matter) / 0.1;  // H0 is 0.1 km/s per kpc/h
  snapshot.age_s = snapshot.time * snapshot.units.length_cm / snapshot.units.velocity_cm_s;
  snapshot.length_factor = a;
  snapshot.notes.push_back("Cosmological run at redshift " + shown(header.redshift) +
                           ": converted to physical lengths and velocities. Pericenter does not simulate expansion.");
}

/// Snapshots and initial conditions of GADGET-1 and -2 (Springel 2005, doi:10.1111/j.1365-2966.2005.09655.x, and the
/// users' guide of GADGET-2, section 6): Fortran records, in version 2 with a label before each, in either byte order.
bool is_gadget(const FileHead& head) {
  return gadget_framing(head.first).has_value();
}

/// Reads one file. The format does not define units: kpc/h, 1e10 solar masses/h and km/s are assumed. Cosmological
/// snapshots are converted to physical units. Throws InputError, SceneCancelled.
Snapshot read_gadget(Bytes bytes, const ReadOptions& options) {
  const std::optional<GadgetFraming> framing = gadget_framing(bytes);
  if (!framing) throw InputError("This is not a GADGET file: the beginning does not match.");
  if (framing->header == kGadget4HeaderSize)
    throw InputError(
        "The file has GADGET-4's own header, whose layout binary files do not define. Convert it to HDF5 with restart "
        "option 5 of GADGET-4 and SnapFormat 3, or write snapshots as HDF5.");
  GadgetRecords records(bytes, *framing);
  records.label("HEAD");
  const ByteReader head = records.next("HEAD", std::array<std::uint64_t, 1>{kGadgetHeaderSize});
  const GadgetHeader header = gadget_header(head);

  Snapshot snapshot;
  snapshot.format = std::string(framing->labelled ? "GADGET-2" : "GADGET-1") + " binary, " + order_name(framing->order);
  snapshot.units = gadget_units(header.hubble);
  snapshot.hubble = snapshot.units.hubble;
  snapshot.notes.push_back(
      "The file does not define its units. Assumed GADGET's defaults: kpc, 1e10 solar masses and km/s" +
      std::string(header.hubble > 0 && header.hubble != 1 ? ", lengths and masses over h = " + shown(header.hubble)
                                                          : std::string()) +
      ".");
  snapshot.time = header.time;
  if (header.box > 0 && std::isfinite(header.box)) snapshot.box = Vec3{1, 1, 1} * header.box;
  snapshot.pieces = {header.files, header.in_all_files};
  if (header.files == 1 && header.in_all_files != 0 && header.in_all_files != header.particles)
    snapshot.notes.push_back("The header declares " + std::to_string(header.in_all_files) +
                             " particles in total, but this file, the only one, has " +
                             std::to_string(header.particles) + ": the file may be incomplete or one of several.");
  if (header.particles == 0) return snapshot;
  if (header.types.comoving) make_physical(header, snapshot);
  const GadgetRecords all = records;
  Blocks blocks = blocks_of(records, header, framing->labelled);
  blocks.shown = find_fields(framing->labelled ? all : records, header, options, snapshot);
  fill_bodies(header, blocks, options, snapshot);
  if (!blocks.id) snapshot.notes.emplace_back("The file has no ids: the bodies are numbered in its order.");
  if (std::string note =
          note_on_types(kGadgetTypes, kCoarse,
                        [&](std::size_t type) { return header.has_type(type) && header.types.is_coarse(type); });
      !note.empty())
    snapshot.notes.push_back(std::move(note));
  return snapshot;
}

}  // namespace

FileFormat gadget_format() {
  return {.name = "gadget",
          .title = "GADGET-1 and -2 binary",
          .summary = "Snapshots and initial conditions of GADGET in either byte order, in one or several files.",
          .matches = is_gadget,
          .read = read_gadget};
}

}  // namespace pericenter
