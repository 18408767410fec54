#pragma once

#include <cstddef>

namespace pericenter::render {

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
