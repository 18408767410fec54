#include <algorithm>
#include <array>

#include "app/plots/plot_canvas.h"

namespace pericenter::app {
namespace {

// In units of the font size.
constexpr float kGutter = 4.4f;       // space for labels, left of the curves
constexpr float kRight = 0.8f;        // half of a label fits here
constexpr float kLineHeight = 1.25f;  // line height of the legend and of the labels below the curves
constexpr float kSwatch = 1.5f;       // line of the legend
constexpr float kValue = 4.1f;        // its number at the cursor, for which there is always room
constexpr float kTickEvery = 1.9f;    // smallest distance of two labels of the y axis
constexpr float kCurveWidth = 0.11f;

ImVec4 faded(ImVec4 color, float alpha) {
  color.w *= alpha;
  return color;
}

struct LegendEntry {
  const std::string& name;
  PlotColor color;
  const Curve* curve;  ///< null: a band
  std::optional<double> value;
};

std::vector<LegendEntry> legend_entries(const Plot& plot, const std::optional<double>& cursor) {
  std::vector<LegendEntry> entries;
  if (!plot.legend) return entries;
  for (const Curve& curve : plot.curves)
    entries.push_back({curve.name, curve.color, &curve, cursor ? value_at(curve, *cursor) : std::nullopt});
  for (const Band& band : plot.bands)
    entries.push_back({band.name, band.color, nullptr, cursor ? value_at(plot, band, *cursor) : std::nullopt});
  return entries;
}

/// Places of the entries from left to right in as many lines as they need, relative to the first.
std::vector<ImVec2> legend_places(const std::vector<LegendEntry>& entries, const PlotCanvas& canvas, float width) {
  std::vector<ImVec2> places;
  const float em = canvas.em();
  ImVec2 next{0, 0};
  for (const LegendEntry& entry : entries) {
    const float needed = (kSwatch + 0.4f + kValue) * em + canvas.text_width(entry.name);
    if (next.x > 0 && next.x + needed > width) next = {0, next.y + kLineHeight * em};
    places.push_back(next);
    next.x += needed;
  }
  return places;
}

/// "energy error [1e-3 kpc]"; the unit alone without titles.
std::string axis_label(const PlotAxis& axis, int exponent, const PlotSize& size) {
  const std::string unit = unit_text(axis.unit, exponent);
  return size.axis_titles ? title_of({.name = axis.name, .unit = unit}) : unit;
}

float legend_width(const PlotCanvas& canvas, const PlotSize& size) {
  return size.width - (kGutter + kRight) * canvas.em();
}

/// Height of the legend, or of the unit of the y axis beside it.
float header_height(const Plot& plot, const PlotCanvas& canvas, const PlotSize& size) {
  const auto places = legend_places(legend_entries(plot, {}), canvas, legend_width(canvas, size));
  const float lines = kLineHeight * (size.axis_titles && !places.empty() ? 2 : 1) + 0.2f;
  return (places.empty() ? 0 : places.back().y) + lines * canvas.em();
}

/// Draws the parts of one plot in their order.
class Painter {
 public:
  Painter(const Plot& plot, const PlotView& view, const PlotStyle& style, const PlotMapping& map, const PlotSize& size,
          PlotCanvas& canvas)
      : plot_(plot), view_(view), style_(style), map_(map), size_(size), canvas_(canvas), em_(canvas.em()) {}

  void background() {
    canvas_.fill(map_.box, style_.background);
    canvas_.begin_clip(map_.box);
    for (const PlotZone& zone : plot_.zones) this->zone(zone);
    canvas_.end_clip();
  }

  void grid() {
    const Ticks y = y_ticks();
    for (const Tick& tick : y.ticks) {
      const float at = map_.pixel_y(tick.value);
      horizontal(at, faded(style_.text, tick.label.empty() ? 0.05f : 0.13f));
      canvas_.text({map_.box.low.x - 0.4f * em_, at - 0.58f * em_}, 1, tick.label, style_.dim);
    }
    const std::string unit = axis_label(plot_.y, y.exponent, size_);
    const bool fits = canvas_.text_width(unit) < (kGutter - 0.4f) * em_;
    const ImVec2 corner{fits ? map_.box.low.x - 0.4f * em_ : map_.box.low.x - kGutter * em_, legend_top()};
    canvas_.text(corner, fits ? 1 : 0, unit, style_.dim);
    x_axis();
  }

  void curves() {
    canvas_.begin_clip(map_.box);
    bands();
    for (const double level : plot_.levels)
      if (map_.y.can_show(level)) horizontal(map_.pixel_y(level), faded(style_.text, 0.45f));
    for (const Curve& curve : plot_.curves) this->curve(curve);
    if (view_.rewound && view_.shown && map_.x.can_show(*view_.shown))
      canvas_.fill({{std::max(map_.pixel_x(*view_.shown), map_.box.low.x), map_.box.low.y}, map_.box.high},
                   faded(style_.background, 0.65f));
    marks();
    for (const PlotDot& dot : plot_.dots) this->dot(dot);
    canvas_.end_clip();
  }

  void cursor() {
    if (!view_.cursor || !visible(*view_.cursor)) return;
    const float x = map_.pixel_x(*view_.cursor);
    vertical(x, {faded(style_.text, 0.6f), em_ / 14});
    for (const Curve& curve : plot_.curves) {
      const auto value = value_at(curve, *view_.cursor);
      if (value && map_.y.can_show(*value) && map_.y.range().contains(*value))
        canvas_.dot({x, map_.pixel_y(*value)}, 0.2f * em_, color_of(curve.color, style_.theme));
    }
    const std::string label = value_text(*view_.cursor);
    const float half = canvas_.text_width(label) / 2 + 0.25f * em_, top = map_.box.high.y + 0.1f * em_;
    canvas_.fill({{x - half, top}, {x + half, top + 1.2f * em_}}, style_.background);
    canvas_.text({x, top}, 0.5f, label, style_.text);
  }

  void legend(ImVec2 at, float width) {
    const std::vector<LegendEntry> entries = legend_entries(plot_, view_.cursor);
    const std::vector<ImVec2> places = legend_places(entries, canvas_, width);
    for (std::size_t k = 0; k < entries.size(); ++k) this->entry(entries[k], {at.x + places[k].x, at.y + places[k].y});
  }

 private:
  float legend_top() const { return map_.box.low.y - (kLineHeight + 0.2f) * em_; }
  bool visible(double x) const { return map_.x.can_show(x) && map_.x.range().contains(x); }

  void horizontal(float y, const ImVec4& color) {
    const std::array<ImVec2, 2> ends = {{{map_.box.low.x, y}, {map_.box.high.x, y}}};
    canvas_.line(ends, {color, em_ / 16});
  }
  void vertical(float x, const Stroke& stroke) {
    const std::array<ImVec2, 2> ends = {{{x, map_.box.low.y}, {x, map_.box.high.y}}};
    canvas_.line(ends, stroke);
  }

  void zone(const PlotZone& zone) {
    const auto edge = [&](double value) {
      const float at = map_.y.can_show(value) ? map_.pixel_y(value) : map_.box.high.y;
      return std::clamp(at, map_.box.low.y, map_.box.high.y);
    };
    const PlotBox box{{map_.box.low.x, edge(zone.y.high)}, {map_.box.high.x, edge(zone.y.low)}};
    const ImVec4 color = color_of(zone.color, style_.theme);
    canvas_.fill(box, faded(color, 0.13f));
    if (box.low.y > map_.box.low.y) horizontal(box.low.y, faded(color, 0.7f));
    if (box.height() < 1.3f * em_) return;
    canvas_.text({box.high.x - 0.4f * em_, box.low.y + 0.1f * em_}, 1, zone.name, color);
  }

  Ticks y_ticks() const { return ticks_of(map_.y, static_cast<int>(map_.box.height() / (kTickEvery * em_))); }

  Ticks x_ticks() const {
    int most = 10;
    for (; most > 1; --most) {  // fewer, until the widest label fits
      const Ticks ticks = ticks_of(map_.x, most);
      float widest = 0;
      for (const Tick& tick : ticks.ticks) widest = std::max(widest, canvas_.text_width(tick.label));
      if ((widest + em_) * static_cast<float>(most) <= map_.box.width()) break;
    }
    return ticks_of(map_.x, most);
  }

  void x_axis() {
    const Ticks ticks = x_ticks();
    const std::string unit = axis_label(plot_.x, ticks.exponent, size_);
    const float top = map_.box.high.y + 0.1f * em_, right = map_.box.high.x + kRight * em_;
    const float unit_left = size_.axis_titles ? right + em_ : right - canvas_.text_width(unit);
    canvas_.text({right, size_.axis_titles ? top + kLineHeight * em_ : top}, 1, unit, style_.dim);
    float taken = map_.box.low.x - kGutter * em_;
    for (const Tick& tick : ticks.ticks) {
      const float x = map_.pixel_x(tick.value), half = canvas_.text_width(tick.label) / 2;
      vertical(x, {faded(style_.text, tick.label.empty() ? 0.05f : 0.13f), em_ / 16});
      if (tick.label.empty() || x - half < taken || (x + half > unit_left - 0.4f * em_ && !unit.empty())) continue;
      canvas_.text({x, top}, 0.5f, tick.label, style_.dim);
      taken = x + half + 0.4f * em_;
    }
  }

  void bands() {
    const std::vector<double>& x = plot_.band_x;
    if (plot_.bands.empty() || x.empty()) return;
    const double last = x.size() > 1 ? x.back() + (x.back() - x[x.size() - 2]) : x.back() + 1;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!map_.x.can_show(x[k])) continue;
      const float left = std::max(map_.pixel_x(x[k]), map_.box.low.x);
      const float right = std::min(map_.pixel_x(k + 1 < x.size() ? x[k + 1] : last), map_.box.high.x);
      if (left >= right) continue;
      double sum = 0;
      for (const Band& band : plot_.bands) {
        if (!(band.y[k] > 0 && band.y[k] <= kLargestPlotted)) continue;
        const float low = map_.pixel_y(sum), high = map_.pixel_y(sum += band.y[k]);
        if (low - high >= 0.05f) canvas_.fill({{left, high}, {right, low}}, color_of(band.color, style_.theme));
      }
    }
  }

  void curve(const Curve& curve) {
    const Stroke stroke{color_of(curve.color, style_.theme), kCurveWidth * em_, curve.line};
    const std::vector<std::vector<ImVec2>> lines = lines_of(curve, map_);
    for (const std::vector<ImVec2>& line : lines) {
      if (curve.line != LineStyle::none && line.size() > 1) canvas_.line(line, stroke);
      if (line.size() == 1) canvas_.dot(line[0], 0.16f * em_, stroke.color);  // a point between two gaps
    }
    if (!curve.markers) return;
    for (std::size_t k = 0; k < curve.x.size(); ++k)
      if (visible(curve.x[k]) && map_.y.can_show(curve.y[k]))
        canvas_.dot({map_.pixel_x(curve.x[k]), map_.pixel_y(curve.y[k])}, 0.2f * em_, stroke.color);
  }

  void marks() {
    const float top = map_.box.high.y - 0.5f * em_;
    for (const PlotMark& mark : plot_.marks) {
      if (!visible(mark.x)) continue;
      const float x = map_.pixel_x(mark.x);
      const std::array<ImVec2, 2> ends = {{{x, top}, {x, map_.box.high.y}}};
      canvas_.line(ends, {style_.text, em_ / 10});
    }
    if (view_.shown && visible(*view_.shown))
      vertical(map_.pixel_x(*view_.shown), {style_.text, em_ / 10, LineStyle::dashed});
  }

  void dot(const PlotDot& dot) {
    if (!map_.x.can_show(dot.x) || !map_.y.can_show(dot.y)) return;
    const ImVec2 at{map_.pixel_x(dot.x), map_.pixel_y(dot.y)};
    canvas_.dot(at, 0.42f * em_, style_.text);
    canvas_.dot(at, 0.32f * em_, color_of(dot.color, style_.theme));
    const bool left = at.x + canvas_.text_width(dot.text) + em_ > map_.box.high.x;
    canvas_.text({at.x + (left ? -0.6f : 0.6f) * em_, at.y - 0.6f * em_}, left ? 1 : 0, dot.text, style_.text);
  }

  void entry(const LegendEntry& entry, ImVec2 at) {
    const ImVec4 color = color_of(entry.color, style_.theme);
    const float middle = at.y + 0.6f * em_, right = at.x + (kSwatch - 0.3f) * em_;
    if (!entry.curve) canvas_.fill({{at.x, at.y + 0.25f * em_}, {at.x + 0.7f * em_, at.y + 0.95f * em_}}, color);
    if (entry.curve && entry.curve->line != LineStyle::none) {
      const std::array<ImVec2, 2> ends = {{{at.x, middle}, {right, middle}}};
      canvas_.line(ends, {color, kCurveWidth * em_, entry.curve->line});
    }
    if (entry.curve && entry.curve->markers) canvas_.dot({(at.x + right) / 2, middle}, 0.2f * em_, color);
    const float name = at.x + (entry.curve ? kSwatch : 1) * em_;
    canvas_.text({name, at.y}, 0, entry.name, style_.dim);
    if (!entry.value) return;
    canvas_.text({name + canvas_.text_width(entry.name) + 0.4f * em_, at.y}, 0, value_text(*entry.value), style_.text);
  }

  const Plot& plot_;
  const PlotView& view_;
  const PlotStyle& style_;
  const PlotMapping& map_;
  const PlotSize& size_;
  PlotCanvas& canvas_;
  float em_;
};

}  // namespace

ImVec4 color_of(const PlotColor& color, Theme theme) {
  const std::uint32_t rgb = theme == Theme::dark ? color.dark : color.light;
  const auto part = [&](int shift) { return static_cast<float>(rgb >> shift & 255) / 255; };
  return {part(16), part(8), part(0), 1};
}

float total_height(const Plot& plot, const PlotCanvas& canvas, const PlotSize& size) {
  return header_height(plot, canvas, size) + size.height + kLineHeight * (size.axis_titles ? 2 : 1) * canvas.em();
}

PlotMapping paint(const Plot& plot, const PlotView& view, const PlotStyle& style, std::pair<ImVec2, PlotSize> place,
                  PlotCanvas& canvas) {
  const auto [at, size] = place;
  const float em = canvas.em(), top = at.y + header_height(plot, canvas, size);
  const PlotBox box{{at.x + kGutter * em, top},
                    {std::max(at.x + size.width - kRight * em, at.x + (kGutter + 1) * em), top + size.height}};
  const PlotRange x = valid_range(view.x, plot.x.logarithmic);
  const PlotMapping map{PlotScale(x, plot.x.logarithmic), PlotScale(fitted_y(plot, x), plot.y.logarithmic), box};
  Painter painter(plot, view, style, map, size, canvas);
  painter.background();
  painter.grid();
  painter.curves();
  painter.legend({box.low.x, at.y}, legend_width(canvas, size));
  painter.cursor();
  return map;
}

}  // namespace pericenter::app
