#pragma once

namespace pericenter {

/// Physical size of a scene's units; all 0 if it has none.
struct Units {
  double length_kpc = 0;
  double time_myr = 0;
  double velocity_kms = 0;
};

/// Size of the units of a file in cgs; all 0 if it has none (then G = 1).
struct FileUnits {
  double length_cm = 0, mass_g = 0, velocity_cm_s = 0;
  double hubble = 1;  ///< the h by which the units of length and mass are divided: kpc/h; 1: they are not

  bool known() const { return length_cm > 0 && mass_g > 0 && velocity_cm_s > 0; }
  friend bool operator==(const FileUnits&, const FileUnits&) = default;
};

}  // namespace pericenter
