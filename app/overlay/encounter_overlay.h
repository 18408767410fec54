#pragma once

#include "app/overlay/annotations.h"
#include "app/overlay/guides.h"

namespace pericenter::app {

/// Draws the designed encounter while its section of the panel is open: the point-mass orbit, the predicted
/// trajectories of the galaxies, and the closest approach; before the start also their discs and spins.
void draw_encounter(const OverlayCanvas& canvas, const AnnotatedFrame& frame);

}  // namespace pericenter::app
