#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/files/text_table.h"

namespace pericenter {

/// Columns of positions and motions on the sky, in the names and default units of Gaia.
struct SkyColumns {
  std::optional<std::size_t> ra, dec, parallax, distance, pmra, pmdec, radial_velocity;

  bool any() const { return ra && dec && (parallax || distance); }
  bool is_complete() const { return any(); }
  bool moves() const { return pmra || pmdec || radial_velocity; }
};

/// Converts rows to positions in pc and velocities in km/s around the Sun, in ICRS axes: x to right ascension 0, z to
/// the celestial north pole (Johnson and Soderblom 1987, doi:10.1086/114370, without the rotation to galactic axes).
class SkyBodies {
 public:
  /// Throws InputError if a unit is unknown.
  SkyBodies(const TextTable& table, const SkyColumns& columns);

  /// Sets position and velocity; false if the row has no parallax or distance above 0. Missing motions are 0. Throws
  /// InputError.
  bool place(const TextTable& table, Body& body);
  /// Sentences for the user.
  std::vector<std::string> notes() const;

 private:
  /// A column and the size of its unit in cgs and radians.
  struct Scaled {
    std::optional<std::size_t> column;
    double unit = 1;
    std::optional<double> in(const TextTable& table) const;
  };
  std::optional<double> distance_cm(const TextTable& table) const;

  Scaled ra_, dec_, parallax_, distance_, pmra_, pmdec_, radial_velocity_;
  bool used_;
  std::size_t left_out_ = 0, without_motion_ = 0, without_radial_velocity_ = 0;
};

}  // namespace pericenter
