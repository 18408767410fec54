#pragma once

#include <imgui.h>

#include "app/ui_state.h"
#include "app/ui_style.h"
#include "render/camera.h"

namespace pericenter::app {

/// What annotations speak of: a picture, and the moment that it shows.
struct Annotated {
  const SimulationState& state;
  const UiState& ui;
  const render::Camera& camera;
  double time = 0;  ///< that the picture shows, in the simulation's units
};

/// Draws what explains the picture over it: grid, axes, scale bar, clock, legend, and what the probe counted. The
/// picture fills the rectangle from `low` to `high`, whose height may be that of a saved picture of any size: letters
/// are as tall as `scale` says.
void draw_annotations(ImDrawList& draw, const Fonts& fonts, float scale, const Annotated& what, ImVec2 low,
                      ImVec2 high);

}  // namespace pericenter::app
