#include "app/bench/plot.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include "app/base/format.h"
#include "app/bench/axis.h"
#include "app/bench/table.h"

namespace pericenter::app {
namespace {

// Pixels.
constexpr double kWidth = 800, kHeader = 62, kPanelHeight = 438, kTop = 34, kBottom = 52;
constexpr double kRight = 205;  // for the legend
constexpr double kLineLeft = 70, kBarLeft = 215, kBarPitch = 24, kLegendPitch = 21;

constexpr std::array<const char*, kPlotColors> kColors = {"#0072b2", "#d55e00", "#009e73", "#e69f00",
                                                          "#56b4e9", "#cc79a7", "#999999", "#000000"};
constexpr std::array<const char*, 3> kDashes = {"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 4\""};

struct Box {
  double left, top, width, height;
};

std::string escaped(const std::string& plain) {
  std::string safe;
  for (const char c : plain) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else
      safe += c;
  }
  return safe;
}

const char* color_of(int index) {
  return kColors[static_cast<std::size_t>(index) % kColors.size()];
}

std::string fill(std::size_t part) {
  return std::string("fill=\"") + color_of(static_cast<int>(part)) + "\"";
}

/// `more`: further attributes, such as " font-size=\"12\"".
std::string label(double x, double y, const std::string& content, const std::string& more = {}) {
  return text("<text x=\"%.1f\" y=\"%.1f\"", x, y) + more + ">" + escaped(content) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const std::string& stroke) {
  return text("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" ", x1, y1, x2, y2) + stroke + "/>\n";
}

std::string rectangle(const Box& box, const std::string& paint) {
  return text("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" ", box.left, box.top, box.width, box.height) +
         paint + "/>\n";
}

std::string grid_stroke(const Tick& tick) {
  return tick.label.empty() ? "stroke=\"#eeeeee\"" : "stroke=\"#d4d4d4\"";
}

/// One marker shape per colour, so that curves differ without colour.
std::string marker(double x, double y, int color) {
  const std::string paint = std::string("fill=\"") + color_of(color) + "\"/>\n";
  switch (color % 4) {
    case 0:
      return text("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" ", x, y) + paint;
    case 1:
      return text("<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" ", x - 3.5, y - 3.5) + paint;
    case 2:
      return text("<path d=\"M%.1f %.1fl4.5 8h-9z\" ", x, y - 5) + paint;
    default:
      return text("<path d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\" ", x, y - 5) + paint;
  }
}

std::string curve_stroke(const Curve& curve) {
  return std::string("fill=\"none\" stroke-width=\"2\" stroke=\"") + color_of(curve.color) + "\"" +
         kDashes[static_cast<std::size_t>(curve.dash) % kDashes.size()];
}

std::string line_legend(const LinePanel& panel, const Box& box) {
  std::string drawn;
  const double x = box.left + box.width + 12;
  double y = box.top + 8;
  for (const Curve& curve : panel.curves) {
    drawn += line(x, y, x + 28, y, curve_stroke(curve)) + marker(x + 14, y, curve.color);
    drawn += label(x + 36, y + 4, curve.name);
    y += kLegendPitch;
  }
  return drawn;
}

AxisScale scale_of(const LinePanel& panel, const Axis& axis, double Point::*coordinate) {
  std::vector<double> values;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) values.push_back(point.*coordinate);
  }
  return {values, axis.logarithmic};
}

std::string x_axis(const AxisScale& scale, const std::string& title, const Box& box) {
  const double bottom = box.top + box.height;
  std::string drawn;
  for (const Tick& tick : scale.ticks()) {
    const double x = box.left + scale.position(tick.value) * box.width;
    drawn += line(x, box.top, x, bottom, grid_stroke(tick));
    if (!tick.label.empty()) drawn += label(x, bottom + 17, tick.label, " text-anchor=\"middle\"");
  }
  return drawn + label(box.left + box.width / 2, bottom + 38, title, " text-anchor=\"middle\" font-size=\"13\"");
}

std::string y_axis(const AxisScale& scale, const std::string& title, const Box& box) {
  std::string drawn;
  for (const Tick& tick : scale.ticks()) {
    const double y = box.top + (1 - scale.position(tick.value)) * box.height;
    drawn += line(box.left, y, box.left + box.width, y, grid_stroke(tick));
    if (!tick.label.empty()) drawn += label(box.left - 7, y + 4, tick.label, " text-anchor=\"end\"");
  }
  const double x = box.left - 50, y = box.top + box.height / 2;
  return drawn + label(x, y, title,
                       " text-anchor=\"middle\" font-size=\"13\"" + text(" transform=\"rotate(-90 %.1f %.1f)\"", x, y));
}

std::string drawn_curve(const Curve& curve, const AxisScale& x, const AxisScale& y, const Box& box) {
  std::string path, markers;
  for (const Point& point : curve.points) {
    if (!x.shows(point.x) || !y.shows(point.y)) continue;
    const double left = box.left + x.position(point.x) * box.width;
    const double top = box.top + (1 - y.position(point.y)) * box.height;
    path += text("%.1f,%.1f ", left, top);
    markers += marker(left, top, curve.color);
  }
  return "<polyline points=\"" + path + "\" " + curve_stroke(curve) + "/>\n" + markers;
}

std::string frame(const std::string& title, const Box& box) {
  return rectangle(box, "fill=\"none\" stroke=\"#777777\"") +
         label(box.left, box.top - 12, title, " font-size=\"14\" font-weight=\"bold\"");
}

double height_of(const LinePanel& panel) {
  return std::max(kPanelHeight, kTop + kBottom + kLegendPitch * static_cast<double>(panel.curves.size()));
}

std::string drawn(const LinePanel& panel, double top) {
  const Box box = {kLineLeft, top + kTop, kWidth - kLineLeft - kRight, height_of(panel) - kTop - kBottom};
  const AxisScale x = scale_of(panel, panel.x, &Point::x), y = scale_of(panel, panel.y, &Point::y);
  std::string all = x_axis(x, panel.x.title, box) + y_axis(y, panel.y.title, box) + frame(panel.title, box);
  for (const Curve& curve : panel.curves) all += drawn_curve(curve, x, y, box);
  return all + line_legend(panel, box);
}

double total(const Bar& bar) {
  return std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0);
}

/// Legend of the parts that occur.
std::string bar_legend(const BarPanel& panel, const Box& box) {
  std::string drawn;
  const double x = box.left + box.width + 60;
  double y = box.top + 2;
  for (std::size_t k = 0; k < panel.parts.size() && panel.parts.size() > 1; ++k) {
    if (std::none_of(panel.bars.begin(), panel.bars.end(), [k](const Bar& bar) { return bar.parts[k] > 0; })) continue;
    drawn += rectangle({x, y, 13, 13}, fill(k)) + label(x + 20, y + 11, panel.parts[k]);
    y += kLegendPitch;
  }
  return drawn;
}

double height_of(const BarPanel& panel) {
  const std::size_t lines = std::max(panel.bars.size(), panel.parts.size());
  return kTop + kBottom + 10 + kBarPitch * static_cast<double>(lines);
}

std::string drawn(const BarPanel& panel, double top) {
  const Box box = {kBarLeft, top + kTop, kWidth - kBarLeft - kRight, height_of(panel) - kTop - kBottom};
  std::vector<double> totals(panel.bars.size());
  std::transform(panel.bars.begin(), panel.bars.end(), totals.begin(), total);
  const AxisScale scale(totals, false);
  std::string all = x_axis(scale, panel.value, box) + frame(panel.title, box);
  for (std::size_t k = 0; k < panel.bars.size(); ++k) {
    const Bar& bar = panel.bars[k];
    const double y = box.top + 5 + kBarPitch * static_cast<double>(k);
    double sum = 0;
    all += label(box.left - 8, y + 16, bar.label, " text-anchor=\"end\"");
    for (std::size_t part = 0; part < bar.parts.size(); ++part) {
      const double left = box.left + scale.position(sum) * box.width;
      sum += bar.parts[part];
      const double right = box.left + scale.position(sum) * box.width;
      if (right - left >= 0.05) all += rectangle({left, y + 3, right - left, kBarPitch - 6}, fill(part));
    }
    if (panel.with_totals) all += label(box.left + scale.position(sum) * box.width + 5, y + 16, figures(sum));
  }
  return all + bar_legend(panel, box);
}

}  // namespace

std::string svg(const Figure& figure) {
  std::string content;
  double height = kHeader;
  for (const Panel& panel : figure.panels) {
    content += std::visit([&](const auto& one) { return drawn(one, height); }, panel);
    height += std::visit([](const auto& one) { return height_of(one); }, panel);
  }
  std::string document = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  document +=
      text("<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%.0f\" height=\"%.0f\" ", kWidth, height);
  document += text("viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\">\n",
                   kWidth, height);
  document += rectangle({0, 0, kWidth, height}, "fill=\"#ffffff\"");
  document += label(16, 28, figure.title, " font-size=\"18\" font-weight=\"bold\"");
  document += label(16, 48, figure.subtitle, " fill=\"#555555\"");
  return document + content + "</svg>\n";
}

}  // namespace pericenter::app
