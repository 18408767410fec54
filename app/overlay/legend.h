#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/view/view_settings.h"
#include "render/star_readback.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Explains the colours of the stars by a message, a colour bar with ticks, or swatches.
struct Legend {
  struct Swatch {
    std::string name;
    std::vector<ImU32> colors;  ///< one, or several for a small colour bar from left to right
  };
  struct Tick {
    float at = 0;  ///< position on the bar, 0 to 1
    std::string text;
  };
  std::string title = {};  ///< includes the unit
  std::vector<Swatch> swatches = {};
  std::vector<ImU32> colors = {};  ///< colours of the colour bar, equally spaced from left to right
  std::vector<Tick> ticks = {};
  std::string message = {};           ///< shown instead, if there is nothing to explain
  std::optional<Swatch> masses = {};  ///< the bodies with a dot, if all others are test particles
  std::optional<Swatch> marked = {};
  std::string note = {};  ///< last line, or empty
};

/// `sample`: the stars whose colours it explains; null: a disc and a bulge of two galaxies. `marked`: the number of
/// marked stars.
Legend legend_of(const ViewSettings& view, const render::StarSample* sample, const SessionState& state,
                 std::size_t marked = 0);

/// Style of a legend; lengths in pixels.
struct LegendStyle {
  ImFont* font = nullptr;
  float size = 16;  ///< font size
  float width = 240;
  ImU32 foreground = 0, dim = 0;   ///< colours of the title and of the rest
  ImU32 outline = 0;               ///< colour of an outline that keeps text legible over an image; 0: no outline
  std::string_view language = {};  ///< language of its words, see translated()
};

/// Draws a legend with its upper left corner at `corner`. Returns its height.
float draw_legend(ImDrawList& draw, const Legend& legend, const LegendStyle& style, ImVec2 corner);
/// Width of the text and height of a legend, without drawing it. One long entry can be wider than `style.width`.
ImVec2 legend_size(const Legend& legend, const LegendStyle& style);

}  // namespace pericenter::app
