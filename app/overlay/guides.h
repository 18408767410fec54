#pragma once

#include <imgui.h>

#include "app/overlay/annotations.h"

namespace pericenter::app {

/// Where annotations are drawn, and in which ink.
struct OverlayCanvas {
  ImDrawList& draw;
  ImFont* font;
  float em;          ///< height of its letters, pixels
  ImVec2 low, high;  ///< the picture's corners
  ImVec4 ink, dim, halo;

  ImVec2 size() const { return {high.x - low.x, high.y - low.y}; }
};

/// Letters with a halo of the ground's colour, which keeps them legible over stars.
void write(const OverlayCanvas& paper, ImVec2 at, const ImVec4& ink, const std::string& words);
/// A line with the same halo.
void rule(const OverlayCanvas& paper, ImVec2 from, ImVec2 to, const ImVec4& ink);

/// The plane z = 0 in squares of a round length, which fade away from the middle of the picture. Returns that length.
double draw_grid(const OverlayCanvas& paper, const render::Camera& camera, const Units& units);
/// Where x, y and z point, in the lower right corner.
void draw_axes(const OverlayCanvas& paper, const render::Camera& camera);

}  // namespace pericenter::app
