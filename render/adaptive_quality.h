#pragma once

#include <cstddef>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <optional>

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
  StarDecimation() = default;
  explicit StarDecimation(unsigned every) : every_(every) {}

  /// One star in every() is drawn: 1 or a power of two.
  unsigned every() const { return every_; }
  /// Before a live frame of `count` stars.
  void begin(std::size_t count);
  /// Records the timings of a live frame that was drawn with every(). Steps that the same GPU
  /// computes meanwhile make them longer.
  void add(const RenderTimings& times);

 private:
  unsigned every_ = 1;
  std::size_t count_ = 0;
  int frames_ = 0;  // frames since the last change
  float mean_ms_ = 0, mean_stars_ms_ = 0;
};

/// Lets live frames on a software renderer keep what was measured for an earlier one, the dust and the crowds of
/// bodies, which hardly change within a tenth of a second.
class KeptMeasures {
 public:
  /// What the measures depend on, besides the bodies.
  struct View {
    glm::mat4 clip_from_world = glm::mat4(1);
    glm::ivec2 size = {};  ///< pixels
    std::size_t bodies = 0;
    bool dust = false, spread = false;

    friend bool operator==(const View&, const View&) = default;
  };
  /// Whether the next frame keeps them: it `may`, the view is that of the frame before, and not all of the
  /// three before kept them. If not, they are measured.
  bool allow(const View& view, bool may);

 private:
  std::optional<View> last_;
  int age_ = 0;  // frames since they were measured
};

}  // namespace pericenter::render
