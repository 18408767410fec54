#pragma once

#include <cstddef>

#include "render/render_timings.h"

namespace pericenter::render {

/// Halves both sides of live frames on a software renderer when they would drop below 30 fps.
///
/// It returns to full resolution only when a full frame would clearly be fast enough; each failed attempt doubles the
/// wait before the next one. The first frame is halved, so that the start shows stars earlier, and the next one is not.
class AdaptiveResolution {
 public:
  bool halved() const { return halved_; }
  /// Records the timings of a live frame.
  void add(const RenderTimings& times);

 private:
  void change();

  bool first_ = true, halved_ = true;
  int frames_ = 0;     // frames since the last change
  int patience_ = 60;  // frames before the next attempt
  float mean_ms_ = 0, mean_full_ms_ = 0;
};

/// Draws only a fraction of the stars in live frames on a GPU, so that hundreds of millions of stars keep 60 fps.
class StarDecimation {
 public:
  /// One star in every() is drawn: 1 or a power of two.
  unsigned every() const { return every_; }
  /// Records the time of the star stage of a live frame that was drawn with every(), of `count` stars.
  void add(float stars_ms, std::size_t count);

 private:
  unsigned every_ = 1;
  int frames_ = 0;  // frames since the last change
  float mean_ms_ = 0;
};

}  // namespace pericenter::render
