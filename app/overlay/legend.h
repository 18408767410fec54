#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/view/view_settings.h"
#include "render/star_sampler.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// What the colours of the stars mean: words, a bar with ticks, or swatches.
struct Legend {
  struct Swatch {
    std::string name;
    std::vector<ImU32> colors;  ///< one, or those of a small bar from left to right
  };
  struct Tick {
    float at = 0;  ///< place on the bar, 0 to 1
    std::string text;
  };
  std::string title = {};  ///< with the unit
  std::vector<Swatch> swatches = {};
  std::vector<ImU32> colors = {};  ///< of the bar, equally spaced from left to right
  std::vector<Tick> ticks = {};
  std::string words = {};  ///< instead of both: why there is nothing to see
};

/// `sample`: the stars whose colors it explains; null: a disc and a bulge of two galaxies.
Legend legend_of(const ViewSettings& view, const render::StarSample* sample, const SessionState& state);

/// How a legend is drawn; lengths in pixels.
struct LegendStyle {
  ImFont* font = nullptr;
  float size = 16;  ///< of the letters
  float width = 240;
  ImU32 ink = 0, dim = 0;  ///< of the title and of the rest
  ImU32 outline = 0;       ///< around letters, so that they can be read over a picture; 0: none
};

/// Draws it with its upper left corner at `corner`, and returns its height.
float draw_legend(ImDrawList& draw, const Legend& legend, const LegendStyle& style, ImVec2 corner);
/// The height without drawing.
float legend_height(const Legend& legend, const LegendStyle& style);

/// A number as people write it: "250", "3.2·10⁻⁵".
std::string number_text(double value);

}  // namespace pericenter::app
