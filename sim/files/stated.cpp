#include "sim/files/stated.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "sim/core/random.h"
#include "sim/files/body_selector.h"
#include "sim/files/text_table.h"
#include "sim/files/trimmed.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr std::string_view kBetween = " \t,;";

InputError no_unit(std::string_view text) {
  return InputError("'" + std::string(text.substr(0, 80)) +
                    "' is no unit. Write, for example, length=kpc mass=1e10 Msun velocity=km/s." + known_units() +
                    " The h of a cosmological file stays: length=kpc and length=kpc/h are the same for it.");
}

double* unit_of(Stated::Units& units, std::string_view kind) {
  if (kind == "length") return &units.length;
  if (kind == "mass") return &units.mass;
  if (kind == "velocity") return &units.velocity;
  return kind == "time" ? &units.time : nullptr;
}

/// Systems that codes and people use.
constexpr std::string_view kUsualUnits[] = {
    "length=kpc mass=1e10 Msun velocity=km/s", "length=kpc mass=Msun velocity=km/s",
    "length=pc mass=Msun velocity=km/s",       "length=Mpc mass=1e10 Msun velocity=km/s",
    "length=AU mass=Msun velocity=km/s",       "length=AU mass=Msun velocity=AU/yr",
    "length=AU mass=Msun velocity=AU/d",       "length=m mass=kg velocity=m/s",
    "length=km mass=kg velocity=km/s",         "length=cm mass=g velocity=cm/s"};

std::string words_of(const Stated::Units& units) {
  std::string words;
  const auto add = [&](const char* kind, double size, const char* unit) {
    if (size > 0) words += (words.empty() ? "" : ", ") + (kind + (" = " + shown(size))) + " " + unit;
  };
  add("length", units.length, "cm");
  add("mass", units.mass, "g");
  add("velocity", units.velocity, "cm/s");
  add("time", units.time, "s");
  return words;
}

bool is_near_one(double ratio, double factor) {
  return ratio < factor && ratio > 1 / factor;
}

/// Indices of bodies, drawn with a probability proportional to their mass, in random order. `mass`: of all.
std::vector<std::size_t> drawn_by_mass(const Bodies& bodies, double mass, std::size_t count) {
  Random random(1, 0);
  std::vector<double> places(count);
  for (double& place : places) place = mass * random.uniform();
  std::ranges::sort(places);
  std::vector<std::size_t> drawn;
  double below = 0;  // mass of the bodies up to this one
  for (std::size_t i = 0; i < bodies.size() && drawn.size() < count; ++i) {
    below += bodies[i].mass;
    while (drawn.size() < count && places[drawn.size()] < below) drawn.push_back(i);
  }
  drawn.resize(count, bodies.size() - 1);  // rounding
  for (std::size_t k = count; k > 1; --k)
    std::swap(drawn[k - 1], drawn[static_cast<std::size_t>(random.uniform() * static_cast<double>(k))]);
  return drawn;
}

/// 2K/|W| with G = 1 about the centre of mass; 0 if it cannot be estimated. |W| of many bodies is that of random pairs,
/// drawn by mass: about 3 % off for 20,000 pairs of a sphere.
double virial_ratio(const Bodies& bodies) {
  constexpr std::size_t kPairs = 20'000, kFewestPairs = 1000, kAllPairs = 200;
  double mass = 0, kinetic = 0;
  Vec3 momentum{};
  for (const Body& body : bodies) {
    momentum += body.mass * body.velocity;
    mass += body.mass;
  }
  if (!(mass > 0)) return 0;
  for (const Body& body : bodies) {
    const Vec3 velocity = body.velocity - momentum * (1 / mass);
    kinetic += body.mass * dot(velocity, velocity) / 2;
  }
  double sum = 0;  // of m m / r over ordered pairs
  std::size_t pairs = 0;
  const auto add = [&](std::size_t i, std::size_t k, double weight) {
    const double distance = length(bodies[i].position - bodies[k].position);
    if (i == k || !(distance > 0)) return;
    sum += weight / distance;
    ++pairs;
  };
  if (bodies.size() <= kAllPairs) {
    for (std::size_t i = 0; i < bodies.size(); ++i)
      for (std::size_t k = 0; k < bodies.size(); ++k) add(i, k, bodies[i].mass * bodies[k].mass);
  } else {
    const std::vector<std::size_t> drawn = drawn_by_mass(bodies, mass, 2 * kPairs);
    for (std::size_t n = 0; n < kPairs; ++n) add(drawn[2 * n], drawn[2 * n + 1], mass * mass / kPairs);
    if (pairs < kFewestPairs) return 0;  // one body has nearly all of the mass
  }
  return sum > 0 ? 4 * kinetic / sum : 0;
}

}  // namespace

std::string known_units() {
  return " Units of length: " + unit_names("length") + "; of mass: " + unit_names("mass") +
         "; of time: " + unit_names("time") + "; of velocity: a length per time.";
}

Stated::Units units_from(std::string_view text) {
  Stated::Units units{.text = std::string(text)};
  std::size_t equals = text.find('=');
  if (equals == text.npos) throw no_unit(text);
  std::string_view kind = trimmed(text.substr(0, equals), kBetween);
  while (equals != text.npos) {
    // A value extends to the word before the next equals sign.
    const std::size_t next = text.find('=', equals + 1);
    std::string_view value = trimmed(text.substr(equals + 1, next == text.npos ? next : next - equals - 1), kBetween);
    std::string_view next_kind;
    if (next != text.npos) {
      const std::size_t gap = value.find_last_of(kBetween);
      next_kind = value.substr(gap == value.npos ? 0 : gap + 1);
      value = gap == value.npos ? std::string_view{} : trimmed(value.substr(0, gap), kBetween);
    }
    constexpr std::string_view kOverH = "/h";
    if ((kind == "length" || kind == "mass") && value.ends_with(kOverH)) {
      value.remove_suffix(kOverH.size());
      units.over_h = true;
    }
    double* const unit = unit_of(units, kind);
    const double size = unit ? unit_size(kind, value) : 0;
    if (!(size > 0)) throw no_unit(std::string(kind) + "=" + std::string(value));
    *unit = size;
    kind = next_kind;
    equals = next;
  }
  return units;
}

double periodic_from(std::string_view text) {
  const std::optional<double> side = parsed_number(text);
  if (side && *side >= 0) return *side;
  throw InputError("'" + std::string(text.substr(0, 80)) +
                   "' is no side of a periodic volume. Write a number, 0 or more; 0: not periodic.");
}

void state(const Stated& stated, Snapshot& snapshot) {
  snapshot.declared = snapshot.units;
  if (!stated.any()) return;
  if (snapshot.run)
    throw InputError("This run was saved by Pericenter, with its units. Load it without --units and --periodic.");
  if (stated.box) {
    snapshot.box = Vec3{1, 1, 1} * (*stated.box * snapshot.length_factor);
    const std::string converted =
        snapshot.length_factor == 1 ? "" : ", converted as its positions, to " + shown(snapshot.box[0]);
    snapshot.notes.emplace_back(*stated.box > 0 ? "The volume is periodic with a side of " + shown(*stated.box) +
                                                      " units of length of the file, as stated" + converted + "."
                                                : "The volume is not periodic, as stated.");
  }
  if (!stated.units.any()) return;
  if (stated.units.over_h && snapshot.hubble == 1)
    throw InputError("The file has no h, so that '" + stated.units.text +
                     "' does not define its units. Write them without h, such as length=1.43 kpc.");
  snapshot.units = stated_units(stated.units, snapshot.units);
  if (snapshot.age_s > 0) snapshot.time = snapshot.age_s * snapshot.units.velocity_cm_s / snapshot.units.length_cm;
  const std::string over_h = snapshot.units.hubble == 1
                                 ? ""
                                 : ", lengths and masses over h = " + shown(snapshot.units.hubble) + ", as in the file";
  snapshot.notes.emplace_back("Units as stated: " + words_of(stated.units) + over_h + ".");
}

FileUnits stated_units(Stated::Units units, const FileUnits& declared) {
  const std::string given = words_of(units);
  units.length /= declared.hubble;
  units.mass /= declared.hubble;
  if (declared.known()) {
    if (units.length == 0) units.length = declared.length_cm;
    if (units.mass == 0) units.mass = declared.mass_g;
    if (units.velocity == 0 && units.time == 0) units.velocity = declared.velocity_cm_s;
  }
  const FileUnits all = completed({units.length, units.mass, units.velocity, declared.hubble}, units.time);
  if (!all.known())
    throw InputError("The file declares no units, and " + given +
                     " alone does not define them. State two of length, mass, velocity and time; G = 1 then gives the "
                     "third.");
  return all;
}

double FileMeasures::virial_ratio_in(const FileUnits& units) const {
  return virial_ratio / gravity_in(units);
}

double FileMeasures::period_in(const FileUnits& units) const {
  const double unit = units.known() ? units.length_cm / units.velocity_cm_s : 1;
  return 2 * std::numbers::pi * std::sqrt(radius * radius * radius / (gravity_in(units) * mass / 2)) * unit;
}

bool FileMeasures::is_far_from_equilibrium(const FileUnits& units) const {
  const double ratio = virial_ratio_in(units);
  return ratio > 0 && !is_near_one(ratio, 30);
}

/// Of many bodies, the distances are those of a million.
FileMeasures measures_of(const Snapshot& snapshot, const Vec3& centre) {
  constexpr std::size_t kDistances = 1'000'000;
  FileMeasures measures{.declared = snapshot.declared, .census = snapshot.census};
  const bool is_whole = snapshot.census.bodies() == 0;
  std::vector<double> distances;
  const std::size_t stride = snapshot.bodies.size() / kDistances + 1;
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
    const Body& body = snapshot.bodies[i];
    measures.mass += body.mass;
    if (is_whole) {
      ++measures.census.types[type_of(snapshot, i)].bodies;
      measures.census.add_place(body.position * (1 / snapshot.length_factor));
    }
    if (i % stride == 0 && body.mass > 0) distances.push_back(length(body.position - centre));
  }
  if (distances.empty()) return measures;
  const auto half = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::ranges::nth_element(distances, half);
  measures.radius = *half;
  measures.virial_ratio = virial_ratio(snapshot.bodies);
  return measures;
}

std::span<const std::string_view> usual_units() {
  return kUsualUnits;
}

std::string units_hint(const FileMeasures& measures, const FileUnits& units) {
  constexpr double kNear = 3;  // factor
  if (!measures.is_far_from_equilibrium(units)) return {};
  std::string found;
  const auto add = [&](const std::string& name, double ratio) {
    if (is_near_one(ratio, kNear)) found += (found.empty() ? "" : ", or ") + name + " (" + shown(ratio) + ")";
  };
  for (const std::string_view text : kUsualUnits)
    add("\"" + std::string(text) + "\"", measures.virial_ratio_in(stated_units(units_from(text), {})));
  add("G = 1", measures.virial_ratio);
  if (found.empty()) return {};
  return " In these units 2K/|W| is about " + shown(measures.virial_ratio_in(units)) +
         ", far from the 1 of equilibrium. It is near 1 in other usual units: " + found +
         ". If they are meant, state them (--units, or the panel Files).";
}

}  // namespace pericenter
