#include "app/headless/headless_stars.h"

#include <glad/gl.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "app/view/color_range.h"
#include "sim/core/device.h"

namespace pericenter::app {

HeadlessStars::HeadlessStars(render::Renderer& renderer, Bridge wanted)
    : renderer_(renderer), interop_(plan_interop(wanted, cuda_status()).interop) {}

render::Stars HeadlessStars::update(Session& session) {
  const std::size_t count = session.simulation()->size();  // a playback changes it
  if (interop_.suits(session.state()) && interop_.problem.empty() && write_shared(session)) {
    const render::Stars stars{shared_->name(), count};
    renderer_.sampler().request(stars, std::nullopt, session.simulation()->time());
    glFinish();
    sample_ = renderer_.sampler().take().value_or(render::StarSample());
    return stars;
  }
  shared_.reset();
  write_host(session);
  return {copy_.name(), count};
}

/// False if interop fails, now and from now on.
bool HeadlessStars::write_shared(Session& session) {
  const SessionState& state = session.state();
  const std::size_t needed = std::max<std::size_t>(1, session.simulation()->size());
  VertexTarget target;
  try {
    if (!shared_ || shared_->capacity() < needed) {
      shared_.reset();  // free it first: there may not be enough memory for both
      shared_ = interop_.make(needed, state.config.device);
    }
    target = shared_->map();
  } catch (const std::runtime_error& error) {
    interop_.problem = error.what();
    std::cerr << "pericenter: CUDA–OpenGL interop failed; falling back to a staged copy through host memory: "
              << interop_.problem << ".\n";
    return false;
  }
  try {
    session.write_vertices(target);
    shared_->unmap();
  } catch (...) {
    shared_.reset();
    throw;
  }
  return true;
}

void HeadlessStars::write_host(Session& session) {
  vertices_.resize(session.simulation()->size());
  session.write_vertices(host_target(vertices_));
  // OpenGL does not allow an empty buffer.
  if (const std::size_t needed = std::max<std::size_t>(1, vertices_.size()); needed > capacity_) {
    copy_ = render::make_buffer();
    capacity_ = needed;
    glNamedBufferStorage(copy_.name(), static_cast<GLsizeiptr>(needed * sizeof(Vertex)), nullptr,
                         GL_DYNAMIC_STORAGE_BIT);
  }
  upload_vertices(copy_.name(), vertices_);
  sample_ = sample_of(vertices_);
}

void upload_vertices(unsigned buffer, std::span<const Vertex> vertices) {
  constexpr std::size_t kPart = std::size_t{1} << 24;  // 256 MiB
  for (std::size_t first = 0; first < vertices.size(); first += kPart) {
    const auto part = vertices.subspan(first, std::min(kPart, vertices.size() - first));
    glNamedBufferSubData(buffer, static_cast<GLintptr>(first * sizeof(Vertex)),
                         static_cast<GLsizeiptr>(part.size_bytes()), part.data());
  }
}

}  // namespace pericenter::app
