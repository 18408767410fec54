#include "sim/core/length_unit.h"

namespace pericenter {

LengthUnit length_unit(double kpc) {
  constexpr double kSlack = 0.9995;  // a length just below is rounded up when printed
  constexpr double kAu = 4.84813681e-9, kKm = 3.24077929e-17;
  if (kpc >= kSlack * 1000) return {"Mpc", 1000};
  if (kpc >= kSlack) return {"kpc", 1};
  if (kpc >= kSlack * 1e-5) return {"pc", 1e-3};
  return kpc >= kSlack * 0.01 * kAu ? LengthUnit{"AU", kAu} : LengthUnit{"km", kKm};
}

}  // namespace pericenter
