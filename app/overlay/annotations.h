#pragma once

#include <imgui.h>

#include <string>

#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"
#include "render/camera.h"

namespace pericenter::app {

/// What annotations show besides the settings; null: nothing.
struct OverlayData {
  const render::StarSample* sample = nullptr;
  const Probe* probe = nullptr;
  const EncounterDesign* encounter = nullptr;
};
OverlayData overlay_data(const UiState& ui);

/// What annotations speak of: a picture, and the moment that it shows.
struct Annotated {
  const SessionState& state;
  const ViewSettings& view;
  OverlayData overlay;
  const render::Camera& camera;
  double time = 0;         ///< that the picture shows, in the simulation's units
  bool clock = true;       ///< time and number of bodies; not where they stand beside the picture
  float picture_rate = 0;  ///< pictures a second, below the clock; 0: none
};

/// Draws what explains the picture over it: grid, axes, scale bar, clock, legend, and what the probe counted. The
/// picture fills the rectangle from `low` to `high`, whose height may be that of a saved picture of any size: letters
/// are as tall as `scale` says.
void draw_annotations(ImDrawList& draw, const Fonts& fonts, float scale, const Annotated& what, ImVec2 low,
                      ImVec2 high);

/// The largest of 1, 2 and 5 times a power of ten that is not above `most`, which is above 0.
double round_length(double most);

/// A round length as it appears at the target of a camera.
struct ScaleBar {
  double length = 0;  ///< in the scene's units
  double pixels = 0;
  std::string label;  ///< "5 kpc", or "0.5" without physical units
};
/// The longest that is not longer than `most` pixels in a picture of this size.
ScaleBar scale_bar(const render::Camera& camera, const Units& units, ImVec2 size, float most);

}  // namespace pericenter::app
