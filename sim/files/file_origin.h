#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/units.h"
#include "sim/core/vec.h"
#include "sim/files/selection.h"

namespace pericenter {

/// Transformation from the units of a file to those of a scene with G = 1. A point that is at `centre` at `time` and
/// moves with `drift` stays at the origin. All members are in units of the file.
struct SceneFrame {
  double length = 1, mass = 1, velocity = 1;  ///< sizes of the scene's units
  Vec3 centre, drift;
  double time = 0;

  double time_unit() const { return length / velocity; }
  Vec3 centre_at(double t) const { return centre + drift * (t - time); }
};

/// By which the units of a file can be judged, in its own numbers.
struct FileMeasures {
  double radius = 0;        ///< distance from the centre that contains half of the bodies with mass
  double mass = 0;          ///< sum over all bodies
  double virial_ratio = 0;  ///< 2K/|W| with G = 1; 0: unknown
  FileUnits declared = {};  ///< units that the file declares, or its format assumes
  Census census = {};       ///< the bodies of the whole file by type

  /// Whether 2K/|W| in these units is known, and farther than a factor of 30 from 1, the value of equilibrium.
  bool is_far_from_equilibrium(const FileUnits& units) const;
  /// 2K/|W| in these units.
  double virial_ratio_in(const FileUnits& units) const;
  /// Period of a circular orbit at `radius` around half of the mass, in seconds, or in the file's unit of time if the
  /// units are unknown.
  double period_in(const FileUnits& units) const;
};

/// What the file that the bodies of a run were loaded from defines, so that the run is saved like this file.
struct FileOrigin {
  FileUnits units;
  SceneFrame frame;
  Vec3 box;                         ///< sides of the simulated volume in units of the file; 0: unknown
  std::vector<std::uint64_t> ids;   ///< one per body, or empty
  std::vector<std::uint8_t> types;  ///< GADGET's particle types; empty: derived from the component
  FileMeasures measures = {};       ///< not in saved runs
};

}  // namespace pericenter
