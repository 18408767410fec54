#pragma once

#include <span>
#include <vector>

#include "sim/analysis/lab_record.h"

namespace pericenter {

/// Events of the samples, which are in the order of `position`; where time changes its direction, the search starts
/// again.
///
/// The size of a nucleus is LagrangeRadii::r10 of the first sample that has it. A pericentre or apocentre counts when
/// the separation has changed before and after it by a tenth of itself and of the size, so that noise creates none. Its
/// time and separation are those of the parabola through three squared separations, which is exact for a straight
/// passage. The nuclei have merged when their separation stays below a quarter of the size for half of the time since
/// the previous event (a galaxy that falls through the other leaves again sooner), or when they swing apart to less
/// than a tenth of their greatest distance at an apocentre. Later changes of the separation are noise. `tails` is where
/// the share of disc mass in tails first exceeds 3 % after a pericentre that is not near the centre of a disc: there a
/// ring forms instead (Lynds and Toomre 1976, ApJ 209, 382).
std::vector<EncounterEvent> encounter_events(std::span<const StructureSample> samples);

}  // namespace pericenter
