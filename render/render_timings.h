#pragma once

#include <array>

namespace pericenter::render {

/// Time of each stage of one frame, in milliseconds, on the GPU or the software renderer.
struct RenderTimings {
  float dust = 0;      ///< grid of the dust
  float stars = 0;     ///< accumulation of star light
  float bloom = 0;     ///< resolve to HDR, and bloom
  float exposure = 0;  ///< automatic exposure
  float tone_map = 0;  ///< HDR to screen
  float overlays = 0;  ///< sky, trails, boxes, probe
  float total = 0;
};

/// Names of the stages in their order, without the total: in the panel, and of the OpenGL debug groups in profilers.
inline constexpr std::array<const char*, 6> kRenderStageNames = {"dust",     "stars",    "bloom",
                                                                 "exposure", "tone map", "lines"};

}  // namespace pericenter::render
