#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>

#include "sim/stage_timings.h"

namespace pericenter::app {

/// Colours that the panels share.
namespace palette {
inline const ImVec4 kAccent{0.44f, 0.63f, 0.97f, 1};
inline const ImVec4 kText{0.89f, 0.91f, 0.94f, 1};
inline const ImVec4 kDim{0.60f, 0.64f, 0.71f, 1};
inline const ImVec4 kPanel{0.067f, 0.075f, 0.098f, 1};
inline const ImVec4 kWell{0.122f, 0.137f, 0.176f, 1};
inline const ImVec4 kError{1.0f, 0.55f, 0.47f, 1};
}  // namespace palette

/// Colour of a stage in the timing plot: the tree in blues and greens, forces in warm tones, copies in
/// browns, the rest grey.
ImU32 stage_color(Stage stage);

/// The two fonts of the program, which live in the atlas of the current context.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* headline = nullptr;
};

/// Makes the font atlas and the style of the current ImGui context anew for `scale`; 1 is 16 pixels. Call it between
/// two frames, and let the backend upload the atlas afterwards. Falls back to ImGui's own font when none is embedded.
Fonts apply_style(float scale);

}  // namespace pericenter::app
