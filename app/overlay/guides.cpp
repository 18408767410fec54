#include "app/overlay/guides.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/glm.hpp>
#include <utility>

#include "app/overlay/projection.h"

namespace pericenter::app {
namespace {

constexpr int kSquares = 16;  // of the grid on each side of its middle
constexpr int kStrong = 5;    // every fifth line is stronger
constexpr float kGridAlpha = 0.28f;
constexpr int kSquaresAcross = 8;  // at least, over the height of the picture

ImVec4 faded(ImVec4 color, float share) {
  color.w *= share;
  return color;
}

float smooth_step(float low, float high, float value) {
  const float share = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
  return share * share * (3 - 2 * share);
}

bool may_be_seen(const OverlayCanvas& paper, ImVec2 a, ImVec2 b) {
  return std::max(a.x, b.x) > paper.low.x && std::min(a.x, b.x) < paper.high.x && std::max(a.y, b.y) > paper.low.y &&
         std::min(a.y, b.y) < paper.high.y;
}

}  // namespace

void write(const OverlayCanvas& paper, ImVec2 at, const ImVec4& ink, const std::string& words) {
  const float reach = paper.em / 14;
  const ImU32 halo = ImGui::ColorConvertFloat4ToU32(faded(paper.halo, ink.w));
  static const std::array<ImVec2, 8> kAround = {
      {{1, 0}, {0.7f, 0.7f}, {0, 1}, {-0.7f, 0.7f}, {-1, 0}, {-0.7f, -0.7f}, {0, -1}, {0.7f, -0.7f}}};
  for (const ImVec2& step : kAround)
    paper.draw.AddText(paper.font, paper.em, {at.x + reach * step.x, at.y + reach * step.y}, halo, words.c_str());
  paper.draw.AddText(paper.font, paper.em, at, ImGui::ColorConvertFloat4ToU32(ink), words.c_str());
}

void rule(const OverlayCanvas& paper, ImVec2 from, ImVec2 to, const ImVec4& ink) {
  const float thick = paper.em / 9;
  paper.draw.AddLine(from, to, ImGui::ColorConvertFloat4ToU32(paper.halo), thick * 2.4f);
  paper.draw.AddLine(from, to, ImGui::ColorConvertFloat4ToU32(ink), thick);
}

double draw_grid(const OverlayCanvas& paper, const render::Camera& camera, const Units& units) {
  const ScaleBar square = scale_bar(camera, units, paper.size(), paper.size().y / kSquaresAcross);
  const Projection projection(paper, camera);
  const auto step = static_cast<float>(square.length);
  const glm::vec3 target = camera.target();
  const float middle_x = std::round(target.x / step), middle_y = std::round(target.y / step);
  // Seen from the edge, all lines fall together: there they fade away.
  const float slant = std::abs(camera.position().z - target.z) / camera.distance();
  const float alpha = kGridAlpha * smooth_step(0.01f, 0.15f, slant);
  const auto segment = [&](const glm::vec3& from, const glm::vec3& to, bool strong) {
    const glm::vec3 away = (from + to) * 0.5f - glm::vec3(target.x, target.y, 0);
    const float fade = 1 - smooth_step(0.25f, 1, glm::length(away) / (kSquares * step));
    ImVec2 a, b;
    if (fade <= 0 || !projection.line(from, to, a, b) || !may_be_seen(paper, a, b)) return;
    const ImVec4 ink = faded(paper.ink, alpha * fade * (strong ? 1 : 0.45f));
    paper.draw.AddLine(a, b, ImGui::ColorConvertFloat4ToU32(ink), paper.em / 16);
  };
  for (int row = -kSquares; row <= kSquares; ++row) {
    const float x = (middle_x + static_cast<float>(row)) * step, y = (middle_y + static_cast<float>(row)) * step;
    const bool strong_x = std::fmod(middle_x + static_cast<float>(row), kStrong) == 0;
    const bool strong_y = std::fmod(middle_y + static_cast<float>(row), kStrong) == 0;
    for (int part = -kSquares; part < kSquares; ++part) {
      const float from = static_cast<float>(part) * step, to = from + step;
      segment({x, middle_y * step + from, 0}, {x, middle_y * step + to, 0}, strong_x);
      segment({middle_x * step + from, y, 0}, {middle_x * step + to, y, 0}, strong_y);
    }
  }
  return square.length;
}

void draw_axes(const OverlayCanvas& paper, const render::Camera& camera) {
  struct Axis {
    const char* name;
    ImVec4 color;
    glm::vec3 seen;
  };
  // Vermilion, bluish green and sky blue of Okabe and Ito, which nobody confuses; on paper with some black in them.
  const float black = paper.ink.x < 0.5f ? 0.3f : 0;
  const glm::mat3 turn(camera.view());
  std::array<Axis, 3> axes = {{{"x", {0.90f, 0.42f, 0.20f, 1}, turn[0]},
                               {"y", {0.10f, 0.72f, 0.52f, 1}, turn[1]},
                               {"z", {0.38f, 0.70f, 0.96f, 1}, turn[2]}}};
  std::ranges::sort(axes, {}, [](const Axis& axis) { return axis.seen.z; });  // what points away is drawn first
  const float length = 2.1f * paper.em, reach = length + paper.em;
  const ImVec2 middle{paper.high.x - reach - 0.6f * paper.em, paper.high.y - reach - 0.6f * paper.em};
  for (const Axis& axis : axes) {
    const float near = 0.85f + 0.15f * axis.seen.z;
    const ImVec4 color = faded(mixed(axis.color, {0, 0, 0, 1}, black), near);
    const auto at = [&](float distance) {
      return ImVec2{middle.x + distance * axis.seen.x, middle.y - distance * axis.seen.y};
    };
    rule(paper, middle, at(length), color);
    const ImVec2 end = at(length + 0.55f * paper.em);
    const ImVec2 half = paper.font->CalcTextSizeA(paper.em, FLT_MAX, 0, axis.name);
    write(paper, {end.x - half.x / 2, end.y - half.y / 2}, color, axis.name);
  }
}

}  // namespace pericenter::app
