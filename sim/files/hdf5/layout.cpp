#include "sim/files/hdf5/layout.h"

#include <algorithm>
#include <cmath>

#include "sim/files/file_origin.h"
#include "sim/files/hdf5/hdf5_units.h"

namespace pericenter {
namespace {

/// Particle types of disc, bulge, halo and other. Readers take type 4 for stars and types 1 to 3 for dark matter.
constexpr std::array<std::size_t, 4> kTypeInRun = {4, 4, 1, 4};
/// The types of GADGET's own initial conditions.
constexpr std::array<std::size_t, 4> kTypeInConditions = {2, 3, 1, 4};
constexpr double kBoxMargin = 1.01;

bool fits_float(double x) {
  // Volatile, because g++ 12 may omit the conversion of a double to float and back.
  const volatile float narrow = static_cast<float>(x);
  return static_cast<double>(narrow) == x || std::isnan(x);
}

bool fits_float(const Body& body) {
  for (int k = 0; k < 3; ++k) {
    if (!fits_float(body.position[k]) || !fits_float(body.velocity[k])) return false;
  }
  return fits_float(body.mass);
}

/// Layout of the file that the bodies were loaded from, with the current position of its centre.
void use_origin(const FileOrigin& origin, double gravity, Hdf5Layout& layout) {
  const SceneFrame& frame = origin.frame;
  layout.physical = origin.units.known();
  if (layout.physical) layout.units = origin.units;
  layout.converts = true;
  layout.length = frame.length;
  layout.mass = frame.mass * gravity;
  layout.velocity = frame.velocity;
  layout.time *= frame.time_unit();
  layout.centre = frame.centre_at(layout.time);
  layout.drift = frame.drift;
}

/// Units kpc, 1e10 solar masses and km/s, which readers assume that ignore the units of a file.
void use_galactic_units(const FileUnits& scene, Hdf5Layout& layout) {
  layout.physical = layout.converts = true;
  layout.units = kGalacticUnits;
  layout.length = scene.length_cm / kGalacticUnits.length_cm;
  layout.mass = scene.mass_g / kGalacticUnits.mass_g;
  layout.velocity = scene.velocity_cm_s / kGalacticUnits.velocity_cm_s;
  layout.time *= layout.length / layout.velocity;
}

/// A cube about the origin that contains all bodies; yt cannot draw a box of size 0.
Vec3 box_around(const Snapshot& snapshot, const Hdf5Layout& layout) {
  double farthest = 0;
  for (const Body& body : snapshot.bodies) {
    const Vec3 position = layout.converted(body).position;
    for (int k = 0; k < 3; ++k) {
      if (std::isfinite(position[k])) farthest = std::max(farthest, std::abs(position[k]));
    }
  }
  const double side = 2 * kBoxMargin * farthest;
  return Vec3{1, 1, 1} * (side > 0 && std::isfinite(side) ? side : 1);
}

Vec3 box_of(const Snapshot& snapshot, const InitialConditions& conditions, const Hdf5Layout& layout) {
  if (!snapshot.run) return Vec3{1, 1, 1} * conditions.box_size;
  const bool has_box = snapshot.run->origin && snapshot.run->origin->box != Vec3{};
  return has_box ? snapshot.run->origin->box : box_around(snapshot, layout);
}

}  // namespace

Body Hdf5Layout::converted(const Body& body) const {
  if (!converts) return body;
  return {body.position * length + centre, body.velocity * velocity + drift, body.mass * mass, body.tag};
}

std::size_t hdf5_type(const Snapshot& snapshot, const InitialConditions& conditions, std::size_t body) {
  if (conditions.for_swift) return 1;
  const auto component = static_cast<std::size_t>(component_of(snapshot.bodies[body].tag));
  if (!snapshot.run) return kTypeInConditions[component];
  const FileOrigin* const origin = snapshot.run->origin.get();
  if (origin && origin->types.size() == snapshot.bodies.size())
    return std::min<std::size_t>(origin->types[body], kHdf5Types - 1);
  return kTypeInRun[component];
}

Hdf5Layout hdf5_layout(const Snapshot& snapshot, const InitialConditions& conditions) {
  Hdf5Layout layout;
  layout.for_swift = conditions.for_swift;
  layout.time = snapshot.time;
  // The unit of velocity for which G = 1 in centimetres and grams.
  layout.units = {1, 1, std::sqrt(kGravityCgs)};
  double softening = snapshot.softening;
  if (snapshot.run) {
    const SavedRun& run = *snapshot.run;
    softening = run.params.softening;
    const FileUnits scene = file_units(run.units, run.params.gravity);
    if (run.origin) {
      use_origin(*run.origin, run.params.gravity > 0 ? run.params.gravity : 1, layout);
    } else if (scene.known()) {
      use_galactic_units(scene, layout);
    }
  } else if (snapshot.units.known()) {
    layout.physical = true;
    layout.units = snapshot.units;
  }
  layout.softening = softening * layout.length;
  layout.exact_as_float = std::ranges::all_of(snapshot.bodies, [](const Body& body) { return fits_float(body); });
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) ++layout.counts[hdf5_type(snapshot, conditions, i)];
  layout.box = box_of(snapshot, conditions, layout);
  return layout;
}

}  // namespace pericenter
