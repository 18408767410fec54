#pragma once

#include "sim/scenes/model/encounter.h"

namespace pericenter {

/// Largest separation on the orbit; infinite if it is not closed.
double apocenter(const EncounterOrbit& orbit);

/// Position and velocity of the second point mass relative to the first at `time` after pericentre (negative: before),
/// in the axes of relative_state(). From Kepler's, Barker's or the hyperbolic equation (Murray and Dermott 1999,
/// doi:10.1017/CBO9781139174817, chapter 2). Does not use orbit.separation.
RelativeState state_at(const EncounterOrbit& orbit, double total_mass, double time);

/// Time from orbit.separation, inbound, to pericentre; for a pericentre of 0 on the orbit of relative_state(). Throws
/// std::invalid_argument if the orbit never reaches this separation.
double time_to_pericenter(const EncounterOrbit& orbit, double total_mass);

}  // namespace pericenter
