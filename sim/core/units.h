#pragma once

namespace pericenter {

/// Physical size of a scene's units; all 0 if it has none.
struct Units {
  double length_kpc = 0;
  double time_myr = 0;
  double velocity_kms = 0;
};

}  // namespace pericenter
