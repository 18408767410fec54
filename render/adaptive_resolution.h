#pragma once

#include <cstddef>

#include "render/render_timings.h"

namespace pericenter::render {

/// Decides when a software renderer draws a quarter of the pixels, so that a live picture keeps up with 30 a second. It
/// goes back only when the full picture would clearly be quick enough, and the more seldom the more often that failed.
class AdaptiveResolution {
 public:
  bool halved() const { return halved_; }
  /// The times of a picture that was drawn live.
  void add(const RenderTimings& times);

 private:
  void change();

  bool halved_ = false;
  int pictures_ = 0;   // since the last change
  int patience_ = 60;  // pictures before the next try
  float mean_ms_ = 0, mean_full_ms_ = 0;
};

/// Decides of how many stars a GPU draws one in a live picture, so that hundreds of millions keep up with 60 a second.
class StarDecimation {
 public:
  /// 1: all of them; otherwise a power of two.
  unsigned every() const { return every_; }
  /// The time of the stars of a live picture that was drawn with every(), of `count` stars.
  void add(float stars_ms, std::size_t count);

 private:
  unsigned every_ = 1;
  int pictures_ = 0;  // since the last change
  float mean_ms_ = 0;
};

}  // namespace pericenter::render
