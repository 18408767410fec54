#include "render/gpu_clock.h"

#include <chrono>

namespace pericenter::render {

GpuClock::GpuClock(bool software) : software_(software) {
  // The stages are debug groups for profilers, not messages.
  for (const GLenum type : {GL_DEBUG_TYPE_PUSH_GROUP, GL_DEBUG_TYPE_POP_GROUP})
    glDebugMessageControl(GL_DONT_CARE, type, GL_DONT_CARE, 0, nullptr, GL_FALSE);
  for (Timed& timed : frames_) {
    for (Query& query : timed.queries) {
      GLuint name = 0;
      glCreateQueries(GL_TIMESTAMP, 1, &name);
      query = Query(name);
    }
  }
}

std::optional<RenderTimings> GpuClock::times_of(Timed& timed) const {
  if (timed.marked < kMarks) return {};
  if (!software_) {
    GLint arrived = GL_FALSE;
    glGetQueryObjectiv(timed.queries.back().name(), GL_QUERY_RESULT_AVAILABLE, &arrived);
    if (arrived == GL_FALSE) return {};
    for (std::size_t k = 0; k < kMarks; ++k)
      glGetQueryObjectui64v(timed.queries[k].name(), GL_QUERY_RESULT, &timed.at[k]);
  }
  timed.marked = 0;
  const auto ms = [&](std::size_t from, std::size_t to) {
    return static_cast<float>(timed.at[to] - timed.at[from]) * 1e-6f;
  };
  return RenderTimings{.dust = ms(0, 1),
                       .stars = ms(1, 2),
                       .bloom = ms(2, 3),
                       .exposure = ms(3, 4),
                       .tone_map = ms(4, 5),
                       .overlays = ms(5, 6),
                       .total = ms(0, 6)};
}

std::optional<RenderTimings> GpuClock::begin() {
  std::optional<RenderTimings> newest;
  for (std::size_t age = kFrames; age > 0; --age) {
    if (const auto times = times_of(frames_[(now_ + kFrames + 1 - age) % kFrames])) newest = times;
  }
  now_ = (now_ + 1) % kFrames;
  if (running_) glPopDebugGroup();  // the last frame was not finished
  // Drop a frame whose timings have not arrived yet.
  frames_[now_].marked = 0;
  running_ = true;
  mark();
  return newest;
}

void GpuClock::mark() {
  Timed& timed = frames_[now_];
  if (!running_) return;
  if (software_) {
    glFinish();
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    timed.at[timed.marked] = static_cast<GLuint64>(std::chrono::nanoseconds(now).count());
  } else {
    glQueryCounter(timed.queries[timed.marked].name(), GL_TIMESTAMP);
  }
  if (timed.marked > 0) glPopDebugGroup();
  ++timed.marked;
  running_ = timed.marked < kMarks;
  if (running_) glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, kRenderStageNames[timed.marked - 1]);
}

}  // namespace pericenter::render
