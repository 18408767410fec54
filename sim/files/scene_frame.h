#pragma once

#include "sim/files/snapshot.h"

namespace pericenter {

/// Transformation from the units of a file to those of a scene with G = 1. A point that is at `centre` at `time` and
/// moves with `drift` stays at the origin. All members are in units of the file.
struct SceneFrame {
  double length = 1, mass = 1, velocity = 1;  ///< sizes of the scene's units
  Vec3 centre, drift;
  double time = 0;

  double time_unit() const { return length / velocity; }
};

/// The frame of a snapshot. The centre of mass is at rest at the origin. The unit of length is a round number near the
/// radius that contains half of the visible bodies. The unit of mass is the total mass, unless gravity is negligible.
/// Throws InputError if no frame can represent all bodies.
SceneFrame frame_of(const Snapshot& snapshot);

/// The bodies, in scene units.
Bodies bodies_in(const SceneFrame& frame, Snapshot snapshot);
/// The physical size of the scene units.
Units units_in(const SceneFrame& frame, const FileUnits& units);

/// Suggested settings for bodies in scene units.
struct SuggestedRun {
  Params params;
  double view_radius = 1;
};
/// Keeps `softening` if it is above 0.
SuggestedRun suggested_run(const Bodies& bodies, double softening);

/// The number 1, 2 or 5 times a power of ten that is nearest to x > 0 by ratio.
double round_number(double x);

}  // namespace pericenter
