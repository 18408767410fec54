#pragma once

#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "app/overlay/annotations.h"
#include "app/overlay/guides.h"
#include "app/overlay/labels.h"

namespace pericenter::app {

/// Lengths of the arrows at the distance of the camera's target: a round speed is `pixels` long.
struct VelocityScale {
  double length = 0;  ///< length of an arrow per speed, both in scene units
  float pixels = 0;
  std::string label;  ///< "200 km/s"
};
/// The round speed is the largest one below the scene's unit of velocity, five em long.
VelocityScale velocity_scale(const OverlayCanvas& canvas, const render::Camera& camera, const Units& units);

/// From where something is to where it would be after a fixed time, in scene units.
struct VelocityArrow {
  glm::vec3 from{0}, to{0};
  int galaxy = -1;  ///< whose nucleus it is; -1: a star
};
/// Arrows of the nuclei and of the selected stars; none without velocities.
std::vector<VelocityArrow> velocity_arrows(const AnnotatedFrame& frame, double length);

/// Draws the length of the arrows above the scale bar, whose upper right corner is `corner`. Returns the corner above.
ImVec2 draw_velocity_legend(const OverlayCanvas& canvas, const AnnotatedFrame& frame, ImVec2 corner);

/// Draws card, ruler and velocity arrows where they do not cover `taken`, to which it adds what they cover.
void draw_stars(const OverlayCanvas& canvas, const Fonts& fonts, const AnnotatedFrame& frame,
                std::vector<LabelBox>& taken);

}  // namespace pericenter::app
