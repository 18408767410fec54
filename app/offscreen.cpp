#include "app/offscreen.h"

#include <glad/gl.h>

#include "render/gl_info.h"
#include "render/gl_objects.h"
#include "render/headless_context.h"
#include "render/renderer.h"

namespace pericenter::app {
namespace {

constexpr const char* kSoftwareHint =
    ". Software rendering has it: install libgl1-mesa-dri, or set LIBGL_ALWAYS_SOFTWARE=1.";

/// The vertices on the GPU; an empty buffer is not allowed, so there is always room for one.
render::Buffer upload(std::span<const Vertex> vertices) {
  const Vertex nothing;
  render::Buffer buffer = render::make_buffer();
  glNamedBufferStorage(buffer.name(),
                       static_cast<GLsizeiptr>(vertices.empty() ? sizeof nothing : vertices.size_bytes()),
                       vertices.empty() ? &nothing : vertices.data(), 0);
  return buffer;
}

}  // namespace

struct Offscreen::Impl {
  render::HeadlessContext context;
  std::unique_ptr<render::Renderer> renderer;
};

Offscreen::Offscreen(const std::string& shader_dir) {
  try {
    impl_ = std::make_unique<Impl>();
  } catch (const std::runtime_error& error) {
    throw OffscreenError(kUnavailable, error.what() + std::string(kSoftwareHint));
  }
  render::install_gl_debug(false);
  try {
    impl_->renderer = std::make_unique<render::Renderer>(shader_dir);
  } catch (const std::runtime_error& error) {
    throw OffscreenError(shader_dir.empty() ? kInternal : kDataError, error.what());
  }
}

Offscreen::~Offscreen() = default;

render::Image Offscreen::picture(std::span<const Vertex> vertices, const PictureRequest& request) {
  const render::Buffer buffer = upload(vertices);
  render::Picture picture{.stars = {buffer.name(), vertices.size()}};
  picture.camera.fit(static_cast<float>(request.view_radius));
  if (request.flat) picture.camera.look_down();
  picture.settings.high = request.speed_scale;
  return impl_->renderer->still(picture, request.width, request.height);
}

}  // namespace pericenter::app
