#include "app/headless/headless_stars.h"

#include <glad/gl.h>

#include <algorithm>
#include <stdexcept>

#include "sim/core/device.h"

namespace pericenter::app {

HeadlessStars::HeadlessStars(render::Renderer& renderer, Bridge wanted) : renderer_(renderer), wanted_(wanted) {}

render::Stars HeadlessStars::update(Session& session) {
  const std::size_t count = session.simulation()->size();  // a playback changes it
  glFinish();                                              // the GPU may still draw the previous vertices
  const VertexTarget target = map(session.state(), count);
  try {
    session.write_vertices(target);
    buffer_->unmap();
  } catch (...) {
    buffer_.reset();
    throw;
  }
  const render::Stars stars{buffer_->name(), count};
  renderer_.sampler().request(stars, std::nullopt, session.simulation()->time());
  glFinish();
  sample_ = renderer_.sampler().take().value_or(render::StarSample());
  return stars;
}

VertexTarget HeadlessStars::map(const SessionState& state, std::size_t count) {
  // OpenGL does not allow an empty buffer.
  const std::size_t needed = std::max<std::size_t>(1, count);
  if (!interop_ && state.config.backend == Backend::cuda) interop_ = plan_interop(wanted_, cuda_status()).interop;
  const bool share = interop_ && interop_->can_share(state, needed);
  if (!buffer_ || buffer_->capacity() < needed || shared_ != share) buffer_.reset();
  if (share) {
    try {
      if (!buffer_) buffer_ = interop_->make(needed, state.config.device);
      shared_ = true;
      return buffer_->map();
    } catch (const std::runtime_error& error) {
      interop_->problem = error.what();
      print_message(fallback_notice(interop_->problem));
      buffer_.reset();
    }
  }
  if (!buffer_) buffer_ = make_host_buffer(needed);
  shared_ = false;
  return buffer_->map();
}

}  // namespace pericenter::app
