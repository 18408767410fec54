#pragma once

#include <string>
#include <vector>

#include "sim/files/hdf5/file.h"
#include "sim/files/snapshot.h"
#include "sim/files/units.h"

namespace pericenter {

/// The units that galaxy codes agree on: kpc, 1e10 solar masses, km/s.
inline constexpr FileUnits kGalacticUnits = {kKpcCm, 1e10 * kSunGram, 1e5};

/// The mass that makes G = 1 in these units of length (cm) and velocity (cm/s), in grams.
constexpr double natural_mass(double length, double velocity) {
  return velocity * velocity * length / kGravityCgs;
}

enum class Hdf5Quantity { position, velocity, mass, softening };

/// How the numbers of a file are meant: by which code, in which units, in which universe.
struct Hdf5Conventions {
  std::string code;  ///< for the user
  FileUnits units;
  bool comoving = false;  ///< of a cosmological run: coordinates grow with the scale factor
  double scale_factor = 1;
  double hubble = 1;  ///< h; 1 where it does not appear in the numbers
  double time = 0;    ///< in the file's units, h and a removed
  double softening = 0;
  std::vector<std::string> notes;

  /// What the numbers of a dataset are multiplied by to be in `units`; by its attributes, or else as GADGET-2 means
  /// them (Springel 2005, user guide of GADGET-2, section 5). Throws InputError.
  double factor(Hdf5Id dataset, Hdf5Quantity quantity) const;
};

/// Reads them. Throws InputError.
Hdf5Conventions hdf5_conventions(Hdf5Id file);

}  // namespace pericenter
