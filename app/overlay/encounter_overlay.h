#pragma once

#include "app/overlay/annotations.h"
#include "app/overlay/guides.h"

namespace pericenter::app {

/// What the designer of encounters draws over the picture while its section of the panel is open: the orbit of two
/// points as it was chosen, the ways that the galaxies will really take, and where and when they are nearest; before
/// they move also their discs and spins. Nothing when there is no encounter.
void draw_encounter(const OverlayCanvas& paper, const Annotated& what);

}  // namespace pericenter::app
