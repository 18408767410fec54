#pragma once

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <functional>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "app/overlay/annotations.h"
#include "app/overlay/guides.h"
#include "render/camera.h"

namespace pericenter::app {

/// Draws curves, and labels that do not overlap.
class OverlayDrawing {
 public:
  OverlayDrawing(const OverlayCanvas& canvas, const render::Camera& camera)
      : canvas_(canvas), camera_(camera), on_(canvas, camera) {}

  const Projection& on() const { return on_; }
  glm::vec3 eye() const { return camera_.position(); }

  /// Draws a curve through world coordinates; parts behind the camera are skipped.
  void curve(const std::vector<glm::vec3>& points, ImU32 color, float thick) {
    ImDrawList& draw = canvas_.draw;
    draw.PathClear();
    for (const glm::vec3& point : points) {
      const auto pixel = on_.point(point);
      if (pixel) draw.PathLineTo(*pixel);
      if (!pixel) draw.PathStroke(color, 0, thick);
    }
    draw.PathStroke(color, 0, thick);
  }

  /// Draws a label at the distance `away` from a pixel, on the free side that is closest to the direction `side`. False
  /// if there is no free side.
  bool label(ImVec2 at, const ImVec4& foreground, const std::string& text, float away, ImVec2 side) {
    const ImVec2 size = canvas_.font->CalcTextSizeA(canvas_.em, FLT_MAX, 0, text.c_str());
    std::array<ImVec2, 8> sides = {
        {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.7f, 0.7f}, {-0.7f, 0.7f}, {0.7f, -0.7f}, {-0.7f, -0.7f}}};
    std::ranges::stable_sort(sides, std::greater(),
                             [&](const ImVec2& to) { return std::round(10 * (to.x * side.x + to.y * side.y)); });
    for (const ImVec2& to : sides) {
      const auto start = [&](float center, float towards, float length) {
        return center + towards * away + (towards > 0 ? 0 : towards < 0 ? -length : -length / 2);
      };
      const ImVec2 low{start(at.x, to.x, size.x), start(at.y, to.y, size.y)};
      const Box box{low, {low.x + size.x, low.y + size.y}};
      if (!is_free(box)) continue;
      OverlayCanvas strong{canvas_};
      strong.halo.w = std::min(2 * strong.halo.w, 1.0f);  // stars may be behind the label
      write(strong, low, foreground, text);
      taken_.push_back(box);
      return true;
    }
    return false;
  }

 private:
  struct Box {
    ImVec2 low, high;
  };
  bool is_free(const Box& box) const {
    const float gap = 0.3f * canvas_.em;
    if (box.low.x < canvas_.low.x + gap || box.low.y < canvas_.low.y + gap || box.high.x > canvas_.high.x - gap ||
        box.high.y > canvas_.high.y - gap)
      return false;
    return std::ranges::none_of(taken_, [&](const Box& other) {
      return box.low.x < other.high.x + gap && other.low.x < box.high.x + gap && box.low.y < other.high.y &&
             other.low.y < box.high.y;
    });
  }

  const OverlayCanvas& canvas_;
  const render::Camera& camera_;
  Projection on_;
  std::vector<Box> taken_;
};

/// Draws the designed encounter while its section of the panel is open: the point-mass orbit, the predicted
/// trajectories of the galaxies, and the closest approach; before the start also their discs and spins.
void draw_encounter(const OverlayCanvas& canvas, const AnnotatedFrame& frame);

}  // namespace pericenter::app
