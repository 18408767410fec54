#pragma once

#include "sim/files/file_origin.h"
#include "sim/files/snapshot.h"

namespace pericenter {

/// The frame of a snapshot. The centre of mass is at rest at the origin, without bodies that have left the system. The
/// unit of length is a round number near the radius that contains half of the visible bodies. The unit of mass is the
/// total mass, unless gravity is negligible. Throws InputError if no frame can represent all bodies.
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
