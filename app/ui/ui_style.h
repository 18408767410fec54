#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>

#include "app/base/theme.h"
#include "sim/core/stage_timings.h"

namespace pericenter::app {

/// Colours that the panels share. Text on panel and well has a contrast of at least 7, dim text, accent, error and
/// caution of at least 4.5 (WCAG 2.1, https://www.w3.org/TR/WCAG21/#contrast-minimum).
struct Palette {
  ImVec4 text, dim;
  ImVec4 panel;      ///< what everything stands on
  ImVec4 well;       ///< of sliders, plots and bars
  ImVec4 accent;     ///< of what one most likely wants to press, and of headings
  ImVec4 on_accent;  ///< text on it
  ImVec4 error;
  ImVec4 caution;       ///< text on what is no error yet
  ImVec4 bar, old_bar;  ///< of what runs, and of what ran before
};
const Palette& palette(Theme theme);

/// `low` on the way to `high`.
ImVec4 mixed(const ImVec4& low, const ImVec4& high, float share);

/// Colour of a stage in the timing plot: the tree in blues and greens, forces in warm tones, copies in
/// browns, the rest grey.
ImVec4 stage_color(Stage stage, Theme theme);

/// The two fonts of the program, which live in the atlas of the current context.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* headline = nullptr;
};

/// Makes the font atlas and the style of the current ImGui context anew for `scale`; 1 is 16 pixels. Call it between
/// two frames, and let the backend upload the atlas afterwards. Falls back to ImGui's own font when none is embedded.
Fonts apply_style(float scale, Theme theme);

}  // namespace pericenter::app
