#pragma once

#include "sim/files/snapshot.h"

namespace pericenter {

/// How the numbers of a file become those of a scene with G = 1: what lies at `centre` at `time`, and moves with
/// `drift`, stays at the origin. All in units of the file.
struct SceneFrame {
  double length = 1, mass = 1, velocity = 1;  ///< sizes of the scene's units
  Vec3 centre, drift;
  double time = 0;

  double time_unit() const { return length / velocity; }
};

/// The frame of a snapshot: its centre of mass rests at the origin, the unit of length is a round number of the file's
/// near the distance within which half of what is to be seen lies, and the unit of mass is what it all weighs, unless
/// that is so little that it does not matter. Throws InputError where no such frame holds all bodies.
SceneFrame frame_of(const Snapshot& snapshot);

/// The bodies in the frame, and the softening, the time and the units of it in which a scene of them is.
Bodies bodies_in(const SceneFrame& frame, Snapshot snapshot);
Units units_in(const SceneFrame& frame, const FileUnits& units);

/// A step, a softening (`softening` if that is above 0) and a radius to look at that suit bodies in scene units.
struct SuggestedRun {
  Params params;
  double view_radius = 1;
};
SuggestedRun suggested_run(const Bodies& bodies, double softening);

/// 1, 2 or 5 times a power of ten, the nearest by ratio; of numbers above 0.
double round_number(double x);

}  // namespace pericenter
