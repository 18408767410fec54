#pragma once

#include <string>
#include <variant>
#include <vector>

namespace pericenter::app {

struct Axis {
  std::string title;
  bool logarithmic = false;
};

struct Point {
  double x = 0, y = 0;
};

/// Points that a line joins. What cannot be drawn, such as 0 on a logarithmic axis, is left out.
struct Curve {
  std::string name;
  int color = 0;  ///< of kPlotColors, with a marker of its own
  int dash = 0;   ///< 0: a whole line; 1, 2: broken ones
  std::vector<Point> points;
};

struct LinePanel {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
};

/// Lies on its side; its parts follow one after the other.
struct Bar {
  std::string label;
  std::vector<double> parts;  ///< 0 or more, as many as BarPanel::parts
};

struct BarPanel {
  std::string title;
  std::string value;               ///< what the lengths are
  std::vector<std::string> parts;  ///< one color each, of kPlotColors
  std::vector<Bar> bars;
  bool with_totals = true;  ///< written behind the bars
};

using Panel = std::variant<LinePanel, BarPanel>;

/// Panels one below the other, under a title.
struct Figure {
  std::string title, subtitle;
  std::vector<Panel> panels;
};

inline constexpr int kPlotColors = 8;

/// The figure as an SVG 1.1 document in UTF-8, 800 pixels wide. Colors are those of Okabe and Ito 2008, which can be
/// told apart by the colour-blind.
std::string svg(const Figure& figure);

}  // namespace pericenter::app
