#pragma once

#include <memory>
#include <optional>

#include "app/bridge/vertex_bridge.h"
#include "render/renderer.h"
#include "sim/session/session.h"

namespace pericenter::app {

/// The vertices of a run in an OpenGL buffer. CUDA writes into a buffer that it shares with OpenGL; if that is not
/// possible, vertices are copied through host memory. For the thread of the OpenGL context.
class HeadlessStars {
 public:
  /// Copies with Bridge::staged, and if interop fails. `renderer` must outlive it.
  HeadlessStars(render::Renderer& renderer, Bridge wanted);

  /// Writes the current vertices to a buffer that is valid until the next call.
  render::Stars update(Session& session);
  /// Some of the stars of the last update.
  const render::StarSample& sample() const { return sample_; }

 private:
  VertexTarget map(const SessionState& state, std::size_t count);

  render::Renderer& renderer_;
  Bridge wanted_;
  std::optional<Interop> interop_;  ///< set with the first vertices of CUDA, because CUDA takes 0.2 s to start
  std::unique_ptr<VertexBuffer> buffer_;
  bool shared_ = false;  ///< CUDA writes to the buffer
  render::StarSample sample_;
};

}  // namespace pericenter::app
