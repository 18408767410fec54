#pragma once

namespace pericenter::render {

/// Milliseconds that the stages of one picture took on the GPU, or on the processor that stands in for it.
struct RenderTimings {
  float stars = 0;     ///< light of the bodies added up
  float bloom = 0;     ///< made a picture of, and spread
  float exposure = 0;  ///< chosen
  float tone_map = 0;  ///< light to screen
  float overlays = 0;  ///< trails, boxes, probe
  float total = 0;
};

}  // namespace pericenter::render
