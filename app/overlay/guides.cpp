#include "app/overlay/guides.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/overlay/annotations.h"
#include "app/ui/ui_style.h"
#include "render/color_map.h"

namespace pericenter::app {
namespace {

constexpr int kSquares = 16;  // squares on each side of the centre of the grid
constexpr int kMajor = 5;     // every fifth line is a major one
constexpr float kGridAlpha = 0.28f, kTextPlateAlpha = 0.8f;
constexpr int kMinSquaresAcross = 8;  // fewest squares over the height of the image

float smooth_step(float low, float high, float value) {
  const float share = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
  return share * share * (3 - 2 * share);
}

bool may_be_seen(const OverlayCanvas& canvas, ImVec2 a, ImVec2 b) {
  return std::max(a.x, b.x) > canvas.low.x && std::min(a.x, b.x) < canvas.high.x && std::max(a.y, b.y) > canvas.low.y &&
         std::min(a.y, b.y) < canvas.high.y;
}

}  // namespace

void write(const OverlayCanvas& canvas, ImVec2 at, const ImVec4& foreground, const std::string& english) {
  const std::string text = canvas.words(english);
  const float reach = canvas.em / 14;
  const ImU32 halo = ImGui::ColorConvertFloat4ToU32(faded(canvas.halo, foreground.w));
  static const std::array<ImVec2, 8> kAround = {
      {{1, 0}, {0.7f, 0.7f}, {0, 1}, {-0.7f, 0.7f}, {-1, 0}, {-0.7f, -0.7f}, {0, -1}, {0.7f, -0.7f}}};
  for (const ImVec2& step : kAround)
    canvas.draw.AddText(canvas.font, canvas.em, {at.x + reach * step.x, at.y + reach * step.y}, halo, text.c_str());
  canvas.draw.AddText(canvas.font, canvas.em, at, ImGui::ColorConvertFloat4ToU32(foreground), text.c_str());
}

void rule(const OverlayCanvas& canvas, ImVec2 from, ImVec2 to, const ImVec4& foreground) {
  const float thick = canvas.em / 9;
  canvas.draw.AddLine(from, to, ImGui::ColorConvertFloat4ToU32(canvas.halo), thick * 2.4f);
  canvas.draw.AddLine(from, to, ImGui::ColorConvertFloat4ToU32(foreground), thick);
}

void draw_arrow(const OverlayCanvas& canvas, ImVec2 from, ImVec2 to, const ImVec4& color) {
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 0)) return;
  const float head = std::min(0.75f * canvas.em, length);
  const ImVec2 along{head * dx / length, head * dy / length}, side{-0.37f * along.y, 0.37f * along.x};
  const ImVec2 neck{to.x - along.x, to.y - along.y};
  canvas.draw.AddLine(from, neck, packed(canvas.halo, 3), canvas.em / 2.5f);
  canvas.draw.AddLine(from, neck, packed(color, 1), canvas.em / 6);
  canvas.draw.AddTriangleFilled(to, {neck.x + side.x, neck.y + side.y}, {neck.x - side.x, neck.y - side.y},
                                packed(color, 1));
}

ImVec4 galaxy_color(const OverlayCanvas& canvas, int galaxy) {
  const glm::vec3 color = render::origin_color(static_cast<std::size_t>(galaxy), 0.6f, canvas.galaxies);
  const bool light = canvas.foreground.x < 0.5f;
  return mixed({color.r, color.g, color.b, 1}, light ? ImVec4{0, 0, 0, 1} : ImVec4{1, 1, 1, 1}, light ? 0.35f : 0.15f);
}

void plate(const OverlayCanvas& canvas, ImVec2 low, ImVec2 high) {
  canvas.draw.AddRectFilled(low, high, packed(with_alpha(canvas.halo, kTextPlateAlpha)), 0.3f * canvas.em);
}

double draw_grid(const OverlayCanvas& canvas, const render::Camera& camera, const Units& units) {
  const ScaleBar square = scale_bar(camera, units, canvas.view(), canvas.view().y / kMinSquaresAcross);
  const Projection projection(canvas, camera);
  const auto step = static_cast<float>(square.length);
  const glm::vec3 target = camera.target();
  const float middle_x = std::round(target.x / step), middle_y = std::round(target.y / step);
  // Seen edge-on, all lines coincide: fade them out.
  const float slant = std::abs(camera.position().z - target.z) / camera.distance();
  const float alpha = kGridAlpha * smooth_step(0.01f, 0.15f, slant);
  const auto segment = [&](const glm::vec3& from, const glm::vec3& to, bool strong) {
    const glm::vec3 away = (from + to) * 0.5f - glm::vec3(target.x, target.y, 0);
    const float fade = 1 - smooth_step(0.25f, 1, glm::length(away) / (kSquares * step));
    ImVec2 a, b;
    if (fade <= 0 || !projection.line(from, to, a, b) || !may_be_seen(canvas, a, b)) return;
    const ImVec4 foreground = faded(canvas.foreground, alpha * fade * (strong ? 1 : 0.45f));
    canvas.draw.AddLine(a, b, ImGui::ColorConvertFloat4ToU32(foreground), canvas.em / 16);
  };
  for (int row = -kSquares; row <= kSquares; ++row) {
    const float x = (middle_x + static_cast<float>(row)) * step, y = (middle_y + static_cast<float>(row)) * step;
    const bool strong_x = std::fmod(middle_x + static_cast<float>(row), kMajor) == 0;
    const bool strong_y = std::fmod(middle_y + static_cast<float>(row), kMajor) == 0;
    for (int part = -kSquares; part < kSquares; ++part) {
      const float from = static_cast<float>(part) * step, to = from + step;
      segment({x, middle_y * step + from, 0}, {x, middle_y * step + to, 0}, strong_x);
      segment({middle_x * step + from, y, 0}, {middle_x * step + to, y, 0}, strong_y);
    }
  }
  return square.length;
}

void draw_axes(const OverlayCanvas& canvas, const render::Camera& camera) {
  struct Axis {
    const char* name;
    ImVec4 color;
    glm::vec3 seen;
  };
  // Vermilion, bluish green and sky blue of the colour-blind safe palette of Okabe and Ito; darker on a light
  // background.
  const float black = canvas.foreground.x < 0.5f ? 0.3f : 0;
  const glm::mat3 turn(camera.view());
  std::array<Axis, 3> axes = {{{"x", {0.90f, 0.42f, 0.20f, 1}, turn[0]},
                               {"y", {0.10f, 0.72f, 0.52f, 1}, turn[1]},
                               {"z", {0.38f, 0.70f, 0.96f, 1}, turn[2]}}};
  std::ranges::sort(axes, {}, [](const Axis& axis) { return axis.seen.z; });  // back to front
  const float length = 2.1f * canvas.em, reach = length + canvas.em;
  const ImVec2 middle{canvas.high.x - reach - 0.6f * canvas.em, canvas.high.y - reach - 0.6f * canvas.em};
  for (const Axis& axis : axes) {
    const float near = 0.85f + 0.15f * axis.seen.z;
    const ImVec4 color = faded(mixed(axis.color, {0, 0, 0, 1}, black), near);
    const auto at = [&](float distance) {
      return ImVec2{middle.x + distance * axis.seen.x, middle.y - distance * axis.seen.y};
    };
    rule(canvas, middle, at(length), color);
    const ImVec2 end = at(length + 0.55f * canvas.em);
    const ImVec2 half = canvas.font->CalcTextSizeA(canvas.em, FLT_MAX, 0, axis.name);
    write(canvas, {end.x - half.x / 2, end.y - half.y / 2}, color, axis.name);
  }
}

}  // namespace pericenter::app
