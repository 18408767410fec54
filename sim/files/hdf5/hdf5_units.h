#pragma once

#include <array>
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
  double parameter_length = 1;  ///< unit of lengths in /Parameters, in `units`
  bool dark_only = false;       ///< neither gas nor stars
  bool comoving = false;        ///< cosmological run: coordinates scale with the scale factor
  double scale_factor = 1;
  double hubble = 1;                     ///< h; 1 if values do not contain it
  double matter = 0, lambda = 0;         ///< densities of a cosmological run
  double hubble_time_s = 0;              ///< 1 / H0 of a cosmological run
  double time = 0;                       ///< file units without h and a
  std::array<double, 8> softening = {};  ///< Plummer-equivalent, of each type, in `units`; 0: unknown
  Vec3 box = {};                         ///< sides of the simulated volume in `units`; 0: unknown
  std::vector<std::string> notes;

  /// Age of the universe of a cosmological run.
  double age_s(double at_scale_factor) const;
  /// Whether a type is dark matter of low resolution around a zoomed region.
  bool is_coarse(std::size_t type) const;
  Component component(std::size_t type) const;

  /// Factor that converts values of a dataset to `units`, from its attributes or by the conventions of GADGET-2
  /// (Springel 2005, user guide of GADGET-2, section 5). Throws InputError.
  double factor(Hdf5Id dataset, Hdf5Quantity quantity) const;
};

/// Reads the conventions of a file. Throws InputError.
Hdf5Conventions hdf5_conventions(Hdf5Id file);

/// Decides whether a run is cosmological, with the reason in a note; needs code and units. Throws InputError.
void find_hdf5_universe(Hdf5Id file, Hdf5Conventions& found);
/// The softening of each type at the time of the file; needs code and universe.
void find_hdf5_softenings(Hdf5Id file, Hdf5Conventions& found);

}  // namespace pericenter
