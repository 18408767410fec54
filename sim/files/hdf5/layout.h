#pragma once

#include <array>
#include <cstdint>

#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/writer.h"
#include "sim/files/snapshot.h"

namespace pericenter {

inline constexpr std::size_t kHdf5Types = 6;  ///< particle types of GADGET

/// How a snapshot is written: its units, and the conversion of its bodies to them.
struct Hdf5Layout {
  FileUnits units;
  bool physical = false;  ///< otherwise the units are arbitrary, with G = 1
  bool converts = false;  ///< the bodies are in other units, so the file contains them twice
  double length = 1, mass = 1, velocity = 1;
  Vec3 centre, drift;  ///< added to converted positions and velocities
  double time = 0, softening = 0;
  Vec3 box;                     ///< sides of the simulated volume
  bool exact_as_float = false;  ///< all numbers of the bodies
  bool for_swift = false;
  std::array<std::uint64_t, kHdf5Types> counts = {};

  /// Whether the numbers in the units of the file have double precision.
  bool wide() const { return !exact_as_float || centre != Vec3{} || drift != Vec3{}; }
  Body converted(const Body& body) const;
};

Hdf5Layout hdf5_layout(const Snapshot& snapshot, const InitialConditions& conditions);
/// GADGET's particle type of a body.
std::size_t hdf5_type(const Snapshot& snapshot, const InitialConditions& conditions, std::size_t body);

/// Writes the groups /Header, /Units, /Parameters and /RuntimePars as GADGET-2 and -4, pynbody and yt read them, or as
/// swiftsimio does. Throws std::runtime_error.
void write_hdf5_header(const Hdf5Session& session, Hdf5Id file, const Hdf5Layout& layout);

/// Powers of the units of length, mass and time of a dataset, and of the scale factor.
struct Hdf5Dimension {
  double length, mass, time, scale_factor;
};
/// The attributes of a dataset that swiftsimio requires.
void write_swift_dimension(const Hdf5Session& session, Hdf5Id dataset, const Hdf5Layout& layout,
                           const Hdf5Dimension& dimension);

}  // namespace pericenter
