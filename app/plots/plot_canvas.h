#pragma once

#include <imgui.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/base/theme.h"
#include "app/plots/plot.h"
#include "app/plots/plot_scale.h"

namespace pericenter::app {

/// Colours of everything but the curves.
struct PlotStyle {
  Theme theme = Theme::dark;
  ImVec4 text, dim, background;
};

ImVec4 color_of(const PlotColor& color, Theme theme);

/// A rectangle in pixels; y downwards.
struct PlotBox {
  ImVec2 low, high;

  float width() const { return high.x - low.x; }
  float height() const { return high.y - low.y; }
  bool contains(ImVec2 at) const { return at.x >= low.x && at.x < high.x && at.y >= low.y && at.y < high.y; }
};

/// Where the values of a plot are on the screen.
struct PlotMapping {
  PlotScale x, y;
  PlotBox box;

  float pixel_x(double value) const { return box.low.x + static_cast<float>(x.share(value)) * box.width(); }
  /// Values far outside are moved to just outside the box.
  float pixel_y(double value) const;
  double value_x(float pixel) const { return x.value((pixel - box.low.x) / box.width()); }
};

struct Stroke {
  ImVec4 color;
  float width = 1;
  LineStyle style = LineStyle::solid;
};

/// What a plot is drawn with: the window or an SVG text. All lengths are in pixels.
class PlotCanvas {
 public:
  virtual ~PlotCanvas() = default;
  virtual float em() const = 0;  ///< size of the font
  virtual float text_width(const std::string& text) const = 0;
  virtual void line(std::span<const ImVec2> points, const Stroke& stroke) = 0;
  virtual void fill(const PlotBox& box, const ImVec4& color) = 0;
  virtual void dot(ImVec2 center, float radius, const ImVec4& color) = 0;
  /// `align`: share of the text that is left of `at`, which is at its upper edge.
  virtual void text(ImVec2 at, float align, const std::string& text, const ImVec4& color) = 0;
  virtual void begin_clip(const PlotBox& box) = 0;
  virtual void end_clip() = 0;
};

/// The lines of a curve in pixels. Where there are several points per column of pixels, only the first, lowest, highest
/// and last are kept, so that no extreme is lost. Ends at the edges of the box.
std::vector<std::vector<ImVec2>> lines_of(const Curve& curve, const PlotMapping& map);

/// The visible part of a dashed line: pieces of solid lines.
std::vector<std::vector<ImVec2>> dashes_of(std::span<const ImVec2> line, const Stroke& stroke);

/// Lengths of a pattern in widths of the line: drawn, gap, drawn, gap; empty: solid.
std::span<const float> pattern_of(LineStyle style);

/// Size of a plot: `width` of everything, `height` of the part with the curves.
struct PlotSize {
  float width, height;
  bool axis_titles = false;        ///< names of the axes with their units, otherwise only the units
  std::string_view language = {};  ///< language of all words, see translated()
};

/// Height of everything: legend, curves and labels.
float total_height(const Plot& plot, const PlotCanvas& canvas, const PlotSize& size);

/// Draws a plot with its upper left corner at `at`.
PlotMapping paint(const Plot& plot, const PlotView& view, const PlotStyle& style, std::pair<ImVec2, PlotSize> place,
                  PlotCanvas& canvas);

/// Draws a plot in the current ImGui window at the cursor, and moves the cursor below it. Returns where its values are.
/// The plot is not a control: the caller may place one on PlotMapping::box.
PlotMapping draw_plot(const Plot& plot, const PlotView& view, const PlotStyle& style, const PlotSize& size);

}  // namespace pericenter::app
