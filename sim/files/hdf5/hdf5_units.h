#pragma once

#include <string>
#include <vector>

#include "sim/files/hdf5/file.h"
#include "sim/files/snapshot.h"
#include "sim/files/unit_system.h"

namespace pericenter {

/// Common units of galaxy codes: kpc, 1e10 solar masses, km/s.
inline constexpr FileUnits kGalacticUnits = {kKpcCm, 1e10 * kSunGram, 1e5};

/// The unit of mass in grams for which G = 1, for units of length (cm) and velocity (cm/s).
constexpr double natural_mass(double length, double velocity) {
  return velocity * velocity * length / kGravityCgs;
}

enum class Hdf5Quantity { position, velocity, mass, softening };

/// Conventions of a file: code, units and cosmology.
struct Hdf5Conventions {
  std::string code;  ///< name shown to the user
  FileUnits units;
  bool comoving = false;  ///< cosmological run: coordinates scale with the scale factor
  double scale_factor = 1;
  double hubble = 1;  ///< h; 1 if values do not contain it
  double time = 0;    ///< file units without h and a
  double softening = 0;
  Vec3 box = {};  ///< sides of the simulated volume in `units`; 0: unknown
  std::vector<std::string> notes;

  /// Factor that converts values of a dataset to `units`, from its attributes or by the conventions of GADGET-2
  /// (Springel 2005, user guide of GADGET-2, section 5). Throws InputError.
  double factor(Hdf5Id dataset, Hdf5Quantity quantity) const;
};

/// Reads the conventions of a file. Throws InputError.
Hdf5Conventions hdf5_conventions(Hdf5Id file);

}  // namespace pericenter
