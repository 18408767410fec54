#include "app/overlay/annotations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "app/base/format.h"
#include "app/overlay/comparison_overlay.h"
#include "app/overlay/guides.h"
#include "app/overlay/legend.h"
#include "app/overlay/overlay_drawing.h"
#include "app/overlay/presenter_overlay.h"
#include "app/overlay/probe_overlay.h"
#include "app/overlay/readouts.h"
#include "app/overlay/star_overlay.h"
#include "app/overlay/tree_legend.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {
namespace {

constexpr float kMarginEms = 0.9f, kBarEms = 11, kLegendEms = 15, kLineEms = 1.25f, kAxesEms = 5;

struct Line {
  std::string text;
  bool dim = false;
};

/// In a lesson, whose status line is hidden: the numbers that its slide shows, and otherwise that a result cannot be
/// trusted. Returns the lower right corner.
ImVec2 draw_readouts(OverlayCanvas canvas, const Fonts& fonts, const AnnotatedFrame& frame, ImVec2 at) {
  const ClassView& shown = frame.shown;
  std::vector<Readout> readouts = shown.readouts;
  const bool is_poor = frame.state.health.level == HealthLevel::poor;
  if (readouts.empty() && is_poor && !shown.title.empty() && !shown.hides_results) readouts = {Readout::trust};
  canvas.font = fonts.caption;
  canvas.em = fonts.sizes.caption;
  float right = at.x;
  for (const Readout readout : readouts) {
    const ReadoutText text = readout_text(readout, frame.state, frame.view.theme);
    write(canvas, at, text.color.value_or(canvas.foreground), text.words);
    right = std::max(right, at.x + canvas.text_width(text.words));
    at.y += kLineEms * canvas.em;
  }
  return {right, at.y};
}

OverlayCanvas canvas_on(ImDrawList& draw, const Fonts& fonts, float scale, const AnnotatedFrame& frame) {
  const bool dark = frame.view.theme == Theme::dark, large = frame.shown.large;
  OverlayCanvas canvas{.draw = draw,
                       .font = large ? fonts.legend : fonts.text,
                       .em = large ? fonts.sizes.legend : 15 * scale,
                       .low = {},
                       .high = {},
                       .foreground = {},
                       .dim = {},
                       .halo = {}};
  canvas.galaxies = frame.view.image.galaxies;
  canvas.language = frame.shown.language;
  canvas.foreground = dark ? ImVec4{0.93f, 0.95f, 0.98f, 1} : ImVec4{0.09f, 0.10f, 0.13f, 1};
  canvas.dim = dark ? ImVec4{0.70f, 0.74f, 0.81f, 1} : ImVec4{0.30f, 0.32f, 0.37f, 1};
  canvas.halo = dark ? ImVec4{0.01f, 0.015f, 0.03f, 0.30f} : ImVec4{0.97f, 0.96f, 0.93f, 0.45f};
  return canvas;
}

std::string followed_text(const Follow& follow) {
  switch (follow.what) {
    case Follow::What::nothing:
      return {};
    case Follow::What::center_of_mass:
      return "following the centre of mass";
    case Follow::What::galaxy:
      return text("following galaxy %d", follow.galaxy + 1);
    case Follow::What::body:
      return "following star " + with_thousands(follow.body);
    case Follow::What::path:
    case Follow::What::story:
      break;  // the image speaks for itself
  }
  return {};
}

/// The clock, or a question mark in its place while results are hidden.
std::string clock_text(const AnnotatedFrame& frame) {
  if (!frame.shown.hides_results) return time_text(frame.time, frame.state.units);
  const std::string unit = time_unit(frame.state.units).name;
  return unit.empty() ? "?" : "? " + unit;
}

/// A background for the lines of the probe, whose first one is at `at`: cells and stars are behind them.
void draw_probe_plate(const OverlayCanvas& canvas, const std::vector<Line>& lines, ImVec2 at) {
  if (lines.empty()) return;
  float width = 0;
  for (const Line& line : lines) width = std::max(width, canvas.text_width(line.text));
  const float edge = 0.4f * canvas.em, height = kLineEms * canvas.em * static_cast<float>(lines.size());
  plate(canvas, {at.x - edge, at.y - edge / 2}, {at.x + width + edge, at.y + height + edge / 4});
}

/// The title of a lesson in lines that end before `high`.
std::vector<std::string> title_lines(const Fonts& fonts, const ClassView& shown, float em, float low, float high) {
  return wrapped(shown.large ? *fonts.legend : *fonts.text, em, shown.title, high - low - 2 * kMarginEms * em);
}

/// The lower right corners of lines of text in the upper left corner.
struct TextCorner {
  ImVec2 title, all;
};

/// Draws lines of text in the upper left corner; the title of a lesson ends before `high`.
TextCorner draw_text_lines(OverlayCanvas canvas, const Fonts& fonts, const AnnotatedFrame& frame, float high) {
  const ClassView& shown = frame.shown;
  const float margin = kMarginEms * canvas.em;
  ImVec2 at{canvas.low.x + margin, canvas.low.y + 0.8f * margin};
  std::vector<Line> lines;
  float right = at.x;
  ImVec2 title = at;
  for (const std::string& line : title_lines(fonts, shown, canvas.em, canvas.low.x, high)) {
    write(canvas, at, canvas.dim, line);
    title.x = std::max(title.x, at.x + canvas.text_width(line));
    at.y = title.y += kLineEms * canvas.em;
  }
  if (frame.clock) {
    OverlayCanvas large = canvas;
    large.font = shown.large ? fonts.clock : fonts.headline;
    large.em = shown.large ? fonts.sizes.clock : canvas.em * 1.7f;
    const std::string clock = clock_text(frame);
    write(large, at, canvas.foreground, clock);
    right = std::max(right, at.x + large.text_width(clock));
    at.y += kLineEms * large.em;
    lines.push_back({with_thousands(frame.state.bodies) + " bodies", true});
    if (frame.every > 1) lines.push_back({shown_text(frame.every), true});
  }
  if (frame.fps > 0) lines.push_back({text("%.0f fps", frame.fps), true});
  if (const std::string followed = followed_text(frame.view.follow); !followed.empty()) lines.push_back({followed});
  const std::size_t first = lines.size();
  if (frame.overlay.probe && !shown.hides_results) {
    for (const std::string& line : probe_lines(*frame.overlay.probe)) lines.push_back({line, !lines.empty()});
  }
  draw_probe_plate(canvas, {lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end()},
                   {at.x, at.y + kLineEms * canvas.em * static_cast<float>(first)});
  for (const Line& line : lines) {
    write(canvas, at, line.dim ? canvas.dim : canvas.foreground, line.text);
    const float width = canvas.text_width(line.text);
    right = std::max(right, at.x + width);
    at.y += kLineEms * canvas.em;
  }
  const ImVec2 end = draw_readouts(canvas, fonts, frame, at);
  return {title, {std::max(right, end.x), end.y}};
}

/// The part of the image that shows a side of a comparison: side by side its half, otherwise all of it.
OverlayCanvas side_of(const OverlayCanvas& canvas, const AnnotatedFrame& frame, bool is_a) {
  OverlayCanvas side{canvas};
  const ComparisonState* const comparison = frame.overlay.comparison;
  if (comparison && comparison->side_by_side) (is_a ? side.high : side.low).x = divider_of(canvas, *comparison);
  return side;
}

bool is_side_by_side(const AnnotatedFrame& frame) {
  return frame.overlay.comparison && frame.overlay.comparison->side_by_side;
}

/// Draws the grid, and the encounter that is designed, which is B. Returns the width of the grid squares.
double draw_in_scene(const OverlayCanvas& canvas, const AnnotatedFrame& frame) {
  double square = 0;
  for (const bool is_a : {true, false}) {
    if (is_a && !is_side_by_side(frame)) continue;
    const OverlayCanvas side = side_of(canvas, frame, is_a);
    side.draw.PushClipRect(side.low, side.high, true);
    if (frame.view.guides.grid) square = draw_grid(side, frame.camera, frame.state.units);
    if (!is_a && !frame.shown.hides_results) draw_encounter(side, frame);
    if (!frame.overlay.comparison && frame.overlay.sample && frame.view.guides.labels.value_or(true))
      draw_orbits(side, frame.camera, frame.state.orbits, *frame.overlay.sample);
    side.draw.PopClipRect();
  }
  return square;
}

/// Draws the names of objects, outside of `taken`. In a wipe they would belong to one of the sides only.
void draw_names(const OverlayCanvas& canvas, const AnnotatedFrame& frame, const std::vector<LabelBox>& taken) {
  const ComparisonState* const comparison = frame.overlay.comparison;
  if (comparison && !comparison->side_by_side) return;
  if (!shows_labels(frame.view.guides, frame.state)) return;  // finding nuclei takes time
  const render::StarSample* const of_a = comparison && comparison->sample ? &*comparison->sample : nullptr;
  for (const bool is_a : {false, true}) {
    const render::StarSample* const sample = is_a ? of_a : frame.overlay.sample;
    const OverlayCanvas side = side_of(canvas, frame, is_a);
    LabelSides* const sides = frame.label_sides ? &frame.label_sides->at(is_a ? 1 : 0) : nullptr;
    if (!sample) continue;
    draw_labels(side, frame.camera, object_labels(frame.state, *sample), {taken, sides});
  }
}

/// Draws the scale bar and the size of the grid squares in the lower left corner. Returns their upper right corner.
ImVec2 draw_lengths(const OverlayCanvas& canvas, const AnnotatedFrame& frame, double square) {
  const float margin = kMarginEms * canvas.em, tick = 0.3f * canvas.em;
  ImVec2 at{canvas.low.x + margin, canvas.high.y - margin};
  float end = canvas.low.x;
  const Units& units = frame.state.units;
  if (frame.view.guides.scale_bar) {
    const float max_pixels = std::min(kBarEms * canvas.em, 0.4f * canvas.size().x);
    const ScaleBar bar = scale_bar(frame.camera, units, canvas.view(), max_pixels);
    const float right = at.x + static_cast<float>(bar.pixels);
    rule(canvas, {at.x, at.y - tick}, {at.x, at.y}, canvas.foreground);
    rule(canvas, {right, at.y - tick}, {right, at.y}, canvas.foreground);
    rule(canvas, at, {right, at.y}, canvas.foreground);
    at.y -= kLineEms * canvas.em + tick;
    write(canvas, at, canvas.foreground, bar.label);
    end = std::max(right, at.x + canvas.text_width(bar.label));
  }
  if (!frame.view.guides.grid) return {end, at.y};
  at.y -= kLineEms * canvas.em;
  const std::string squares = "grid squares: " + length_text(square, units);
  write(canvas, at, canvas.dim, squares);
  return {std::max(end, at.x + canvas.text_width(squares)), at.y};
}

/// Makes the style of a legend fit its widest entry, with smaller text if the image is too narrow.
void fit_width(const Legend& legend, float max_width, LegendStyle& style) {
  style.width = std::max(style.width, legend_size(legend, style).x);
  if (style.width <= max_width) return;
  style.size *= max_width / style.width;
  style.width = max_width;
}

/// Whether a legend as wide as an image and a card would leave a strip of stars between them. Colours that are
/// numbers need their legend.
bool leaves_a_strip(const OverlayCanvas& canvas, const AnnotatedFrame& frame, const Legend& legend, ImVec2 size) {
  constexpr float kWide = 0.4f, kMostTaken = 0.5f;  // shares of width and height
  const bool is_wide = size.x > kWide * canvas.size().x;
  return is_wide && legend.colors.empty() && frame.covered > 0 && size.y + frame.covered > kMostTaken * canvas.size().y;
}

/// Draws the legend in the upper right corner, or below those of the text lines and the label of a comparison that it
/// would overlap; both are given by their lower right corners. Returns where its upper left corner is, or would be, and
/// in y its end.
ImVec2 draw_color_legend(const OverlayCanvas& canvas, const AnnotatedFrame& frame, const std::vector<ImVec2>& taken) {
  const float margin = kMarginEms * canvas.em, max_width = canvas.size().x - 2 * margin;
  const auto color = [](const ImVec4& of) { return ImGui::ColorConvertFloat4ToU32(of); };
  LegendStyle style{.font = canvas.font,
                    .size = canvas.em,
                    .width = std::min(kLegendEms * canvas.em, 0.45f * canvas.size().x),
                    .foreground = color(canvas.foreground),
                    .dim = color(canvas.dim),
                    .outline = color(canvas.halo),
                    .language = canvas.language};
  Legend legend = legend_of(frame.view, frame.overlay.sample, frame.state, frame.overlay.marked);
  if (frame.shown.hides_results) legend.ticks.clear();
  if (frame.overlay.probe) legend.note.clear();  // it has no sky
  fit_width(legend, max_width, style);
  ImVec2 corner{canvas.high.x - margin - style.width, canvas.low.y + margin};
  for (const ImVec2& end : taken)
    if (end.x + margin >= corner.x) corner.y = std::max(corner.y, end.y + margin);
  const float end = corner.y + legend_size(legend, style).y;
  const ImVec2 taken_by_it{canvas.high.x - corner.x, end - canvas.low.y};
  if (!frame.view.guides.legend || end > canvas.high.y - frame.covered) return corner;  // not through a title
  if (leaves_a_strip(canvas, frame, legend, taken_by_it)) return corner;
  return {corner.x, corner.y + draw_legend(canvas.draw, legend, style, corner)};
}

/// Draws the legend of the tree below `end`, in pixels. Returns its lower left corner.
ImVec2 draw_level_legend(const OverlayCanvas& canvas, const AnnotatedFrame& frame, float end) {
  const float margin = kMarginEms * canvas.em, below = frame.view.guides.axes ? kAxesEms * canvas.em : margin;
  const ImVec2 corner{canvas.high.x - margin, end};
  if (!frame.view.tree.show || !frame.overlay.tree || !frame.view.guides.legend) return corner;
  const TreeLegendStyle style{.background = background_of(frame.view.theme),
                              .revealed = frame.overlay.revealed,
                              .numbers = !frame.shown.hides_results,
                              .max_height = canvas.high.y - frame.covered - below - end};
  const ImVec2 size = draw_tree_legend(canvas, tree_legend_rows(*frame.overlay.tree, frame.state.units), style, corner);
  return {corner.x - size.x, corner.y + size.y};
}

}  // namespace

OverlayData overlay_data(const UiState& ui) {
  return {.sample = ui.stars.sample ? &*ui.stars.sample : nullptr,
          .probe = ui.stars.probe ? &*ui.stars.probe : nullptr,
          .stars = &ui.stars,
          .encounter = &ui.encounter,
          .comparison = ui.comparison.on() ? &ui.comparison : nullptr,
          .marked = ui.stars.marks.count,
          .tree = &ui.tree.levels,
          .revealed = ui.tree.descent.revealed()};
}

double round_length(double max) {
  const double power = std::pow(10, std::floor(std::log10(max)));
  const double share = max / power;
  // A round `max` must not be rounded down.
  constexpr double kSlack = 1e-9;
  return power * (share >= 10 - kSlack ? 10 : share >= 5 - kSlack ? 5 : share >= 2 - kSlack ? 2 : 1);
}

ScaleBar scale_bar(const render::Camera& camera, const Units& units, ImVec2 size, float max_pixels) {
  // The field of view spans the shorter side.
  const double across = 2 * camera.distance() * std::tan(0.5 * camera.field_of_view());
  const double pixel = across / std::min(size.x, size.y);  // length of a pixel in simulation units
  const double kpc = units.length_kpc;
  const double unit = kpc > 0 ? kpc / length_unit(max_pixels * pixel * kpc).kpc : 1;
  const double length = round_length(max_pixels * pixel * unit) / unit;
  return {length, length / pixel, length_text(length, units)};
}

float height_of_corner(const Fonts& fonts, const ClassView& shown, float width) {
  const float em = fonts.sizes.legend;
  const std::size_t lines = title_lines(fonts, shown, em, 0, width).size() + 1;  // and the number of bodies
  return 0.8f * kMarginEms * em + kLineEms * (static_cast<float>(lines) * em + fonts.sizes.clock +
                                              static_cast<float>(shown.readouts.size()) * fonts.sizes.caption);
}

void draw_divider_only(ImDrawList& draw, const Fonts& fonts, float scale, const AnnotatedFrame& frame, ImVec2 low,
                       ImVec2 high) {
  if (!frame.overlay.comparison) return;
  OverlayCanvas canvas = canvas_on(draw, fonts, scale, frame);
  canvas.low = low;
  canvas.high = high;
  draw_dividing_line(canvas, *frame.overlay.comparison);
}

ImVec2 draw_annotations(ImDrawList& draw, const Fonts& fonts, float scale, const AnnotatedFrame& frame, ImVec2 low,
                        ImVec2 high) {
  if (!(high.x - low.x >= 1 && high.y - low.y >= 1) || frame.state.scene.empty()) return {};
  OverlayCanvas canvas = canvas_on(draw, fonts, scale, frame);
  canvas.low = low;
  canvas.high = high;
  canvas.hidden = frame.hidden;
  draw.PushClipRect(low, high, true);
  const double square = draw_in_scene(canvas, frame);
  std::array<LabelBox, 2> sides = {{{low, low}, {low, low}}};
  if (frame.overlay.comparison)
    sides = draw_comparison(canvas, frame.shown.large ? fonts.caption : fonts.headline, *frame.overlay.comparison,
                            frame.view.theme);
  const float high_of_text = frame.overlay.comparison ? sides[0].low.x : high.x;
  const TextCorner corner = draw_text_lines(canvas, fonts, frame, high_of_text);
  const ImVec2 end_of_text{std::max(corner.title.x, corner.all.x), corner.all.y};
  const ImVec2 lengths = draw_lengths(side_of(canvas, frame, true), frame, square);
  std::vector<ImVec2> taken = {corner.title, corner.all, sides[1].high};
  if (frame.reserves_mark) taken.push_back({high.x, low.y + kMarginEms * canvas.em + fonts.sizes.clock});
  const ImVec2 legend = draw_color_legend(canvas, frame, taken), levels = draw_level_legend(canvas, frame, legend.y);
  const ImVec2 end = draw_velocity_legend(side_of(canvas, frame, true), frame, lengths);
  std::vector<LabelBox> boxes = {{low, end_of_text},
                                 {{std::min(legend.x, levels.x), low.y}, {high.x, std::max(legend.y, levels.y)}},
                                 {{low.x, end.y}, {end.x, high.y}},
                                 sides[0],
                                 sides[1]};
  draw_stars(side_of(canvas, frame, false), fonts, frame, boxes);
  draw_names(canvas, frame, boxes);
  if (frame.view.guides.axes) draw_axes(canvas, frame.camera);
  draw_captions(canvas, fonts, frame);
  draw.PopClipRect();
  if (!frame.view.guides.legend) return {};
  return {high.x - std::min(legend.x, levels.x), std::max(legend.y, levels.y) - low.y};
}

}  // namespace pericenter::app
