#pragma once

namespace pericenter {

struct LengthUnit {
  const char* name;
  double kpc;
};
/// A length unit for a length in kpc: Mpc, kpc, pc, AU or km.
LengthUnit length_unit(double kpc);

}  // namespace pericenter
