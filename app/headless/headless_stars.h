#pragma once

#include <memory>
#include <vector>

#include "app/bridge/vertex_bridge.h"
#include "render/gl_objects.h"
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
  bool write_shared(Session& session);
  void write_host(Session& session);

  render::Renderer& renderer_;
  Interop interop_;
  std::unique_ptr<VertexBuffer> shared_;
  std::vector<Vertex> vertices_;
  render::Buffer copy_;
  std::size_t capacity_ = 0;  ///< of copy_, vertices
  render::StarSample sample_;
};

/// Copies vertices to the start of a buffer, in parts: drivers lose what exceeds 4 GiB in one copy.
void upload_vertices(unsigned buffer, std::span<const Vertex> vertices);

}  // namespace pericenter::app
