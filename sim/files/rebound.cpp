#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/files/body_check.h"
#include "sim/files/body_fields.h"
#include "sim/files/byte_reader.h"
#include "sim/files/formats.h"
#include "sim/files/text_table.h"
#include "sim/files/unit_system.h"

// Archives of REBOUND 4 and 5 (its docs/binaryformat.md and the list of fields in src/output.c of 4.4 and
// src/binarydata.c of 5): 64 bytes of text, then fields until "end", 12 bytes with distances, and further snapshots,
// each with the fields that differ from the first.

namespace pericenter {
namespace {

constexpr std::string_view kMagic = "REBOUND Binary File. Version: ";
constexpr std::size_t kTextSize = 64, kDistances = 12, kFieldHead = 16, kNumbersOfParticle = 11;

/// A field with its name or, before version 5, the name of its number.
struct ReboundField {
  std::string_view name;
  Bytes data;
};

std::string_view name_of_field(std::uint32_t number) {
  switch (number) {
    case 0:
      return "t";
    case 1:
      return "G";
    case 2:
      return "softening";
    case 4:
      return "N";
    case 5:
      return "N_var";
    case 85:
      return "particles";
    case 9999:
      return "end";
    default:
      return "";
  }
}

/// The fields of a snapshot that matter here.
struct ReboundState {
  double time = 0, gravity = 1, softening = 0;
  std::uint64_t count = 0, variational = 0;
  Bytes particles;

  void set(const ReboundField& field) {
    const auto number = [&] {
      return field.data.size() == 8 ? ByteReader(field.data, std::endian::little).at<double>(0) : 0;
    };
    const auto whole = [&]() -> std::uint64_t {
      const ByteReader in(field.data, std::endian::little);
      return in.size() == 8 ? in.at<std::uint64_t>(0) : in.size() == 4 ? in.at<std::uint32_t>(0) : 0;
    };
    if (field.name == "t") time = number();
    if (field.name == "G") gravity = number();
    if (field.name == "softening") softening = number();
    if (field.name == "N") count = whole();
    if (field.name == "N_var") variational = whole();
    if (field.name == "particles") particles = field.data;
  }
};

class ReboundFields {
 public:
  ReboundFields(Bytes bytes, bool has_names) : in_(bytes, std::endian::little), has_names_(has_names), at_(kTextSize) {}

  bool ended() const { return at_ >= in_.size(); }
  /// nullopt if the file ends before the field does.
  std::optional<ReboundField> next() {
    if (!in_.holds(at_, kFieldHead)) return std::nullopt;
    const std::uint64_t name_size = has_names_ ? in_.at<std::uint64_t>(at_) : 0;
    const std::uint64_t size = in_.at<std::uint64_t>(at_ + 8), name_at = at_ + kFieldHead;
    if (!in_.holds(name_at, name_size) || !in_.holds(name_at + name_size, size)) return std::nullopt;
    ReboundField field{{}, in_.bytes().subspan(name_at + name_size, size)};
    if (has_names_)
      field.name = {reinterpret_cast<const char*>(in_.bytes().data() + name_at), name_size};
    else
      field.name = name_of_field(in_.at<std::uint32_t>(at_));
    if (field.name.ends_with('\0')) field.name.remove_suffix(1);
    at_ = name_at + name_size + size;
    if (field.name == "end") at_ += kDistances;
    return field;
  }

 private:
  ByteReader in_;
  bool has_names_;
  std::size_t at_;
};

struct ReboundArchive {
  ReboundState last;
  std::size_t snapshots = 0;
  bool is_complete = true;
};

ReboundArchive last_snapshot(Bytes bytes, bool has_names) {
  ReboundArchive archive;
  ReboundFields fields(bytes, has_names);
  ReboundState first, state;
  while (!fields.ended()) {
    const std::optional<ReboundField> field = fields.next();
    archive.is_complete = field && (field->name == "end" || !fields.ended());
    if (!field) break;
    if (field->name != "end") {
      state.set(*field);
      continue;
    }
    if (archive.snapshots++ == 0) first = state;
    archive.last = std::exchange(state, first);
  }
  if (archive.snapshots == 0)
    throw InputError("The archive ends within its first snapshot, at byte " + std::to_string(bytes.size()) +
                     ". Copy it again.");
  return archive;
}

bool is_near(double a, double b) {
  return std::abs(a - b) < 2e-3 * b;
}

/// Units by the gravitational constant, which are the usual ones with this value. Otherwise masses are multiplied by
/// it.
void set_units(double gravity, Snapshot& snapshot) {
  const double au_yr = 4 * std::numbers::pi * std::numbers::pi;
  std::string names;
  if (is_near(gravity, au_yr)) {
    snapshot.units = {kAstronomicalUnitCm, kSunGram, kAstronomicalUnitCm / kYearSecond};
    names = "AU, solar masses and years";
  } else if (is_near(gravity, kGravityCgs * 1e-3)) {
    snapshot.units = {100, 1000, 100};
    names = "m, kg and s";
  } else if (is_near(gravity, kGravityCgs)) {
    snapshot.units = {1, 1, 1};
    names = "cm, g and s";
  } else if (gravity != 1) {
    for (Body& body : snapshot.bodies) body.mass *= gravity;
    names = "unknown units; masses were multiplied by it, so that G = 1";
  }
  if (!names.empty()) snapshot.notes.push_back("G is " + shown(gravity) + ": " + names + ".");
}

/// Radii (r of struct reb_particle) if any particle has one.
void add_radii(std::vector<float> radii, const ReadOptions& options, Snapshot& snapshot) {
  if (std::ranges::all_of(radii, [](float radius) { return std::isnan(radius); })) return;
  const double unit = options.stated.units.any() ? 0 : snapshot.units.length_cm;
  const char* const name = unit == kAstronomicalUnitCm ? "AU" : unit == 100 ? "m" : unit == 1 ? "cm" : kUnitsOfFile;
  snapshot.fields = {{"radius", name}};
  if (options.field == "radius") snapshot.values = std::move(radii);
}

bool is_rebound(const FileHead& head) {
  const std::string_view text(reinterpret_cast<const char*>(head.first.data()), head.first.size());
  return text.starts_with(kMagic);
}

/// The last complete snapshot of an archive. Throws InputError.
Snapshot read_rebound(Bytes bytes, const ReadOptions& options) {
  const ByteReader in(bytes, std::endian::little);
  if (!in.holds(0, kTextSize)) throw InputError("The archive of REBOUND ends within its first line. Copy it again.");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), kTextSize);
  const std::string version(
      text.substr(kMagic.size(), text.find_first_of(std::string_view("\0 ", 2), kMagic.size()) - kMagic.size()));
  if (!version.starts_with("4.") && !version.starts_with("5."))
    throw InputError("This is an archive of REBOUND " + shown(version) +
                     "; those of 4 and 5 are read. Write a table from Python: print m,x,y,z,vx,vy,vz of each of "
                     "simulation.particles.");
  const ReboundArchive archive = last_snapshot(bytes, version.starts_with("5."));
  const ReboundState& state = archive.last;
  const std::size_t stride = state.count > 0 ? state.particles.size() / state.count : 0;
  // Version 4 has the particles of variational equations at the end of the others.
  const std::uint64_t bodies =
      version.starts_with("4.") ? state.count - std::min(state.count, state.variational) : state.count;
  if (state.count > 0 && (stride < 8 * kNumbersOfParticle || stride * state.count != state.particles.size()))
    throw InputError("The archive declares " + std::to_string(state.count) + " particles in " +
                     std::to_string(state.particles.size()) + " bytes. It is damaged; copy it again.");
  Snapshot snapshot;
  snapshot.format = "archive of REBOUND " + shown(version);
  snapshot.time = state.time;
  if (std::isfinite(state.softening) && state.softening > 0) snapshot.softening = state.softening;
  const ByteReader particles(state.particles, std::endian::little);
  std::vector<float> radii;
  for (std::size_t i = 0; i < bodies; ++i) {
    const auto number = [&](std::size_t k) { return particles.at<double>(i * stride + 8 * k); };
    snapshot.bodies.push_back({{number(0), number(1), number(2)},
                               {number(3), number(4), number(5)},
                               number(9),
                               make_tag(0, Component::other)});
    radii.push_back(number(10) > 0 ? static_cast<float>(number(10)) : kNoValue);
  }
  if (archive.snapshots > 1)
    snapshot.notes.push_back("The last of " + std::to_string(archive.snapshots) +
                             " snapshots of the archive is shown.");
  if (!archive.is_complete)
    snapshot.notes.emplace_back(
        "The end of the archive is incomplete: REBOUND is still writing it, or was interrupted.");
  set_units(state.gravity, snapshot);
  add_radii(std::move(radii), options, snapshot);
  check_bodies(snapshot, options, [](std::size_t index) { return "Particle " + std::to_string(index + 1); });
  return snapshot;
}

}  // namespace

FileFormat rebound_format() {
  return {.name = "rebound",
          .title = "REBOUND archive",
          .summary = "Archives of REBOUND 4 and 5, of which the last snapshot is shown.",
          .matches = is_rebound,
          .read = read_rebound};
}

}  // namespace pericenter
