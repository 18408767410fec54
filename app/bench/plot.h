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

/// A line through points. Points that cannot be drawn, such as 0 on a logarithmic axis, are skipped.
struct Curve {
  std::string name;
  int color = 0;  ///< index of the colour and the marker
  int dash = 0;   ///< 0: solid; 1, 2: dashed
  std::vector<Point> points;
};

struct LinePanel {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
};

/// A horizontal stacked bar.
struct Bar {
  std::string label;
  std::vector<double> parts;  ///< lengths, one per BarPanel::parts
};

struct BarPanel {
  std::string title;
  std::string value;               ///< title of the value axis
  std::vector<std::string> parts;  ///< legend, one colour per part
  std::vector<Bar> bars;
  bool with_totals = true;  ///< print the totals after the bars
};

using Panel = std::variant<LinePanel, BarPanel>;

/// Panels in a column, with a title.
struct Figure {
  std::string title, subtitle;
  std::vector<Panel> panels;
};

inline constexpr int kPlotColors = 8;

/// The figure as an SVG 1.1 document, 800 pixels wide. Colours: Okabe and Ito 2008, safe for colour blindness.
std::string svg(const Figure& figure);

}  // namespace pericenter::app
