#pragma once

#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <optional>

#include "render/gl_objects.h"
#include "render/render_timings.h"

namespace pericenter::render {

/// Times the stages of pictures without ever making a GPU wait: what it tells is some pictures old.
///
/// Without a GPU it does wait for each stage: the processor draws anyway, and a software renderer passes its marks in
/// another order than its work.
class GpuClock {
 public:
  explicit GpuClock(bool software);

  /// Begins a picture. Returns the times of one that has been finished since the last call.
  std::optional<RenderTimings> begin();
  /// A stage has been enqueued; in the order of RenderTimings, each once. Without begin() nothing is timed.
  void mark();

 private:
  static constexpr std::size_t kMarks = 6;     // the begin, and the end of each stage
  static constexpr std::size_t kPictures = 4;  // that may be under way
  struct Timed {
    std::array<Query, kMarks> queries;
    std::array<GLuint64, kMarks> at{};  // nanoseconds
    std::size_t marked = 0;
  };
  std::optional<RenderTimings> times_of(Timed& timed) const;

  std::array<Timed, kPictures> pictures_;
  std::size_t now_ = 0;
  bool running_ = false;
  bool software_;
};

}  // namespace pericenter::render
