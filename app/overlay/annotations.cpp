#include "app/overlay/annotations.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/base/format.h"
#include "app/overlay/encounter_overlay.h"
#include "app/overlay/guides.h"
#include "app/overlay/legend.h"
#include "app/overlay/probe_overlay.h"

namespace pericenter::app {
namespace {

constexpr float kMarginEms = 0.9f, kBarEms = 11, kLegendEms = 15, kLineEms = 1.25f;

struct Line {
  std::string words;
  bool dim = false;
};

OverlayCanvas canvas_on(ImDrawList& draw, const Fonts& fonts, float scale, Theme theme) {
  const bool dark = theme == Theme::dark;
  OverlayCanvas paper{
      .draw = draw, .font = fonts.text, .em = 15 * scale, .low = {}, .high = {}, .ink = {}, .dim = {}, .halo = {}};
  paper.ink = dark ? ImVec4{0.93f, 0.95f, 0.98f, 1} : ImVec4{0.09f, 0.10f, 0.13f, 1};
  paper.dim = dark ? ImVec4{0.70f, 0.74f, 0.81f, 1} : ImVec4{0.30f, 0.32f, 0.37f, 1};
  paper.halo = dark ? ImVec4{0.01f, 0.015f, 0.03f, 0.30f} : ImVec4{0.97f, 0.96f, 0.93f, 0.45f};
  return paper;
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
  }
  return {};
}

/// From the upper left corner downwards; returns where it ends.
ImVec2 write_story(OverlayCanvas paper, const Fonts& fonts, const Annotated& what) {
  const float margin = kMarginEms * paper.em;
  ImVec2 at{paper.low.x + margin, paper.low.y + 0.8f * margin};
  std::vector<Line> lines;
  if (what.clock) {
    OverlayCanvas large = paper;
    large.font = fonts.headline;
    large.em = paper.em * 1.7f;
    write(large, at, paper.ink, time_text(what.time, what.state.units));
    at.y += kLineEms * large.em;
    lines.push_back({with_thousands(what.state.bodies) + " bodies", true});
  }
  if (what.picture_rate > 0) lines.push_back({text("%.0f pictures/s", what.picture_rate), true});
  if (const std::string followed = followed_text(what.view.follow); !followed.empty()) lines.push_back({followed});
  if (what.overlay.probe) {
    for (const std::string& words : probe_lines(*what.overlay.probe)) lines.push_back({words, !lines.empty()});
  }
  float right = at.x;
  for (const Line& line : lines) {
    write(paper, at, line.dim ? paper.dim : paper.ink, line.words);
    const float width = paper.font->CalcTextSizeA(paper.em, FLT_MAX, 0, line.words.c_str()).x;
    right = std::max(right, at.x + width);
    at.y += kLineEms * paper.em;
  }
  return {right, at.y};
}

/// The lower left corner, from the bottom upwards.
void write_lengths(const OverlayCanvas& paper, const Annotated& what, double square) {
  const float margin = kMarginEms * paper.em, tick = 0.3f * paper.em;
  ImVec2 at{paper.low.x + margin, paper.high.y - margin};
  const Units& units = what.state.units;
  if (what.view.guides.scale_bar) {
    const float most = std::min(kBarEms * paper.em, 0.4f * paper.size().x);
    const ScaleBar bar = scale_bar(what.camera, units, paper.size(), most);
    const float right = at.x + static_cast<float>(bar.pixels);
    rule(paper, {at.x, at.y - tick}, {at.x, at.y}, paper.ink);
    rule(paper, {right, at.y - tick}, {right, at.y}, paper.ink);
    rule(paper, at, {right, at.y}, paper.ink);
    at.y -= kLineEms * paper.em + tick;
    write(paper, at, paper.ink, bar.label);
  }
  if (!what.view.guides.grid) return;
  at.y -= kLineEms * paper.em;
  write(paper, at, paper.dim, "squares of " + length_text(square, units));
}

/// The upper right corner, or below the story where that reaches so far.
void explain_colors(const OverlayCanvas& paper, const Annotated& what, ImVec2 end_of_story) {
  const float margin = kMarginEms * paper.em;
  const auto color = [](const ImVec4& of) { return ImGui::ColorConvertFloat4ToU32(of); };
  const LegendStyle style{.font = paper.font,
                          .size = paper.em,
                          .width = std::min(kLegendEms * paper.em, 0.45f * paper.size().x),
                          .ink = color(paper.ink),
                          .dim = color(paper.dim),
                          .outline = color(paper.halo)};
  const ImVec2 corner{paper.high.x - margin - style.width, paper.low.y + margin};
  const bool free = end_of_story.x + margin < corner.x;
  draw_legend(paper.draw, legend_of(what.view, what.overlay.sample, what.state), style,
              {corner.x, free ? corner.y : end_of_story.y + margin});
}

}  // namespace

OverlayData overlay_data(const UiState& ui) {
  return {.sample = ui.sample ? &*ui.sample : nullptr,
          .probe = ui.probe ? &*ui.probe : nullptr,
          .encounter = &ui.encounter};
}

double round_length(double most) {
  const double power = std::pow(10, std::floor(std::log10(most)));
  const double share = most / power;
  // Rounding must not cost a step where `most` is itself round.
  constexpr double kSlack = 1e-9;
  return power * (share >= 10 - kSlack ? 10 : share >= 5 - kSlack ? 5 : share >= 2 - kSlack ? 2 : 1);
}

ScaleBar scale_bar(const render::Camera& camera, const Units& units, ImVec2 size, float most) {
  // The field of view is that of the shorter side.
  const double across = 2 * camera.distance() * std::tan(0.5 * camera.field_of_view());
  const double pixel = across / std::min(size.x, size.y);  // in the scene's units
  const double kpc = units.length_kpc;
  const double unit = kpc > 0 ? kpc / length_unit(most * pixel * kpc).kpc : 1;
  const double length = round_length(most * pixel * unit) / unit;
  return {length, length / pixel, length_text(length, units)};
}

void draw_annotations(ImDrawList& draw, const Fonts& fonts, float scale, const Annotated& what, ImVec2 low,
                      ImVec2 high) {
  if (!(high.x - low.x >= 1 && high.y - low.y >= 1) || what.state.scene.empty()) return;
  OverlayCanvas paper = canvas_on(draw, fonts, scale, what.view.theme);
  paper.low = low;
  paper.high = high;
  draw.PushClipRect(low, high, true);
  double square = 0;
  if (what.view.guides.grid) square = draw_grid(paper, what.camera, what.state.units);
  draw_encounter(paper, what);
  const ImVec2 end_of_story = write_story(paper, fonts, what);
  write_lengths(paper, what, square);
  if (what.view.guides.legend) explain_colors(paper, what, end_of_story);
  if (what.view.guides.axes) draw_axes(paper, what.camera);
  draw.PopClipRect();
}

}  // namespace pericenter::app
