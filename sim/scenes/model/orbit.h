#pragma once

#include "sim/scenes/model/encounter.h"

namespace pericenter {

/// Largest separation of the orbit; infinite when it is not closed.
double apocenter(const EncounterOrbit& orbit);

/// Position and velocity of the second point mass relative to the first, `time` after the pericentre (before it when
/// negative), on the orbit and in the axes of relative_state(). By Kepler's equation, Barker's or the hyperbolic one
/// (Murray and Dermott 1999, 10.1017/CBO9781139174817, chapter 2). orbit.separation does not matter.
RelativeState state_at(const EncounterOrbit& orbit, double total_mass, double time);

/// From orbit.separation, inbound, to the pericentre; with one of 0 as relative_state() has it. Throws
/// std::invalid_argument when the orbit never has this separation.
double time_to_pericenter(const EncounterOrbit& orbit, double total_mass);

}  // namespace pericenter
