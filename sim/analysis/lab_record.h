#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "sim/core/diagnostics.h"
#include "sim/core/vec.h"

namespace pericenter {

inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t kMaxPlottedGalaxies = 2;

/// Quantities of a run at one time, in scene units; a few per second.
struct LabSample {
  double position = 0;  ///< position on the timeline
  double time = 0;
  double kinetic = 0, potential = kNotMeasured;
  double force_virial = kNotMeasured;  ///< Diagnostics::force_virial
  double energy_error = kNotMeasured;  ///< signed, relative
  Vec3 momentum = {}, angular_momentum = {};
  double fall_per_step = kNotMeasured, steps_per_orbit = kNotMeasured;
  double force_error = kNotMeasured, force_error_99 = kNotMeasured, force_error_max = kNotMeasured;  ///< last measured
  double start_distance = kNotMeasured;  ///< rms distance of the bodies from the start of the run
  float step_ms = 0;

  double energy() const { return kinetic + potential; }
  double virial_ratio() const { return pericenter::virial_ratio(kinetic, force_virial); }
};

/// Radii around the densest part of a galaxy that contain 10, 50 and 90 % of its mass.
struct LagrangeRadii {
  double r10 = kNotMeasured, r50 = kNotMeasured, r90 = kNotMeasured;
};

/// Positions of the galaxies and how compact they are. It needs all bodies, so it is measured less often.
struct StructureSample {
  double position = 0;  ///< position on the timeline
  double time = 0;
  double separation = kNotMeasured;  ///< separation of the nuclei of the first two galaxies
  std::array<LagrangeRadii, kMaxPlottedGalaxies> galaxies = {};
  double tail_fraction = kNotMeasured;  ///< share of the disc mass that is in tails: TailStars
  double disc_radius = kNotMeasured;    ///< radius of the larger disc at birth: TailCriterion::Disc::reach
};

enum class EncounterEventKind { pericenter, apocenter, merger, tails };

/// What happened to the first two galaxies of a run.
struct EncounterEvent {
  EncounterEventKind kind = EncounterEventKind::pericenter;
  double position = 0, time = 0;
  double separation = 0;  ///< separation of the nuclei; at a merger the limit below which it stays

  friend bool operator==(const EncounterEvent&, const EncounterEvent&) = default;
};

/// Rotation of the first galaxy's disc, in rings about its axis.
struct RotationCurve {
  double time = 0;
  std::vector<double> radius;    ///< mean of a ring
  std::vector<double> measured;  ///< mean azimuthal velocity of the disc's bodies
  std::vector<double> circular;  ///< sqrt(r dPhi/dr) from their mean radial acceleration
};

/// History of a run, in the order of `position`.
struct LabRecord {
  std::vector<LabSample> samples;
  std::vector<StructureSample> structure;
  RotationCurve rotation;              ///< latest; empty: not measured
  std::vector<EncounterEvent> events;  ///< sorted by `position`
};

}  // namespace pericenter
