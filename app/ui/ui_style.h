#pragma once

#include <imgui.h>

#include <cstddef>
#include <span>

#include "app/base/theme.h"
#include "app/plots/plot_canvas.h"
#include "sim/core/stage_timings.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Colours of the panels. Text on panel and well has a contrast of at least 7, dim text, accent, good, error
/// and caution of at least 4.5 (WCAG 2.1, https://www.w3.org/TR/WCAG21/#contrast-minimum).
struct Palette {
  ImVec4 text, dim;
  ImVec4 panel;      ///< background
  ImVec4 well;       ///< background of sliders, plots and bars
  ImVec4 accent;     ///< main buttons and headings
  ImVec4 on_accent;  ///< text on `accent`
  ImVec4 good;       ///< nothing to worry about
  ImVec4 error;
  ImVec4 caution;       ///< warnings
  ImVec4 bar, old_bar;  ///< bars of the current and of the previous configuration
};
const Palette& palette(Theme theme);

/// Linear interpolation from `low` (share 0) to `high` (share 1).
ImVec4 mixed(const ImVec4& low, const ImVec4& high, float share);
/// The colour with this opacity.
ImVec4 with_alpha(const ImVec4& color, float alpha);
/// The colour with a share of its opacity, and the same for ImDrawList.
ImVec4 faded(const ImVec4& color, float share);
ImU32 packed(const ImVec4& color, float share = 1);

/// Colour of a stage in the timing plot: tree stages are blue and green, forces warm tones, copies brown, the rest
/// grey.
PlotColor stage_color(Stage stage);
ImVec4 stage_color(Stage stage, Theme theme);

PlotStyle plot_style(Theme theme);

inline constexpr float kMinProjectorSize = 0.5f, kMaxProjectorSize = 2;
inline constexpr float kPrintedSize = 2.6f;  ///< size that gives 8 points in an image that is 8 cm wide

/// Sizes of text for a class, in pixels.
struct ProjectorSizes {
  float clock = 48, caption = 32, legend = 24;
  friend bool operator==(const ProjectorSizes&, const ProjectorSizes&) = default;
};
/// 48, 32 and 24 pixels at 1080 lines, proportional to the height of the window or image, in pixels, and to `size`,
/// from kMinProjectorSize to kPrintedSize. Whole numbers; the legend has at least 10 pixels. In a window whose UI scale
/// is above 1, text is as large as that of the side bar, up to half as much again, which leaves room for the picture.
ProjectorSizes projector_sizes(float height, float size, float ui_scale = 1);

/// The fonts of the program, owned by the font atlas of the current context.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* headline = nullptr;
  ImFont *clock = nullptr, *caption = nullptr, *legend = nullptr;  ///< fonts for `sizes`, at most 4 times the default
  ProjectorSizes sizes = {};
};

/// The TTF file that was embedded at build time (DejaVu Sans, package fonts-dejavu-core); empty if there was none.
std::span<const std::byte> embedded_font();

/// The largest UI scale at which the panel fits into its share of a window of this width; in steps, so that resizing
/// the window rarely rebuilds the fonts.
float largest_scale(float window_width);

/// Rebuilds the font atlas and the style of the current ImGui context; text is 16 * scale pixels high. Call it between
/// two frames, then upload the atlas. Uses ImGui's bitmap font if no font is embedded. The texture has about 2.5
/// million pixels for a window of 1920 x 1080, and 7 million for 3840 x 2160.
Fonts apply_style(float scale, Theme theme, const ProjectorSizes& sizes = {});

/// apply_style() followed by the upload of the font texture, for a context with ImGui's OpenGL backend. Frees the
/// megabytes of outlines and pixels that the atlas was built from.
Fonts upload_style(float scale, Theme theme, const ProjectorSizes& sizes = {});

/// How a level of the accuracy is shown: never with the colour alone.
struct LevelLook {
  const char* word;
  const char* shape;
  ImVec4 color;
};
LevelLook look_of(HealthLevel level, Theme theme);

}  // namespace pericenter::app
