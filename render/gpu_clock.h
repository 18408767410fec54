#pragma once

#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <optional>

#include "render/gl_objects.h"
#include "render/render_timings.h"

namespace pericenter::render {

/// Times the stages of frames. On a GPU it never waits, so the timings are a few frames old. Each stage is a debug
/// group, which profilers such as Nsight Systems and RenderDoc show.
///
/// On a software renderer it waits for each stage, because timer queries there complete out of order.
class GpuClock {
 public:
  explicit GpuClock(bool software);

  /// Begins a frame. Returns the timings of a frame that finished since the last call.
  std::optional<RenderTimings> begin();
  /// Marks the end of a stage, in the order of RenderTimings. Ignored without begin().
  void mark();

 private:
  static constexpr std::size_t kMarks = kRenderStageNames.size() + 1;  // start, and the end of each stage
  static constexpr std::size_t kFrames = 4;                            // frames in flight
  struct Timed {
    std::array<Query, kMarks> queries;
    std::array<GLuint64, kMarks> at{};  // nanoseconds
    std::size_t marked = 0;
  };
  std::optional<RenderTimings> times_of(Timed& timed) const;

  std::array<Timed, kFrames> frames_;
  std::size_t now_ = 0;
  bool running_ = false;
  bool software_;
};

}  // namespace pericenter::render
