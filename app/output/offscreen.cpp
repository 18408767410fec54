#include "app/output/offscreen.h"

#include <glad/gl.h>

#include <algorithm>

#include "render/gl_info.h"
#include "render/gl_objects.h"
#include "render/headless_context.h"
#include "render/renderer.h"

namespace pericenter::app {
namespace {

constexpr const char* kSoftwareHint =
    ". Use software rendering: install libgl1-mesa-dri, or set LIBGL_ALWAYS_SOFTWARE=1.";

}  // namespace

struct Offscreen::Impl {
  render::HeadlessContext context;
  std::unique_ptr<render::Renderer> renderer;
  std::unique_ptr<Annotator> annotator;
  render::Buffer stars;
  std::size_t capacity = 0;  ///< vertices
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

render::Renderer& Offscreen::renderer() {
  return *impl_->renderer;
}

Annotator& Offscreen::annotator() try {
  if (!impl_->annotator) impl_->annotator = std::make_unique<Annotator>();
  return *impl_->annotator;
} catch (const std::runtime_error& error) {
  throw OffscreenError(kUnavailable, error.what());
}

render::Stars Offscreen::upload(std::span<const Vertex> vertices) {
  // OpenGL does not allow an empty buffer.
  if (const std::size_t needed = std::max<std::size_t>(1, vertices.size()); needed > impl_->capacity) {
    impl_->stars = render::make_buffer();
    impl_->capacity = needed;
    glNamedBufferStorage(impl_->stars.name(), static_cast<GLsizeiptr>(needed * sizeof(Vertex)), nullptr,
                         GL_DYNAMIC_STORAGE_BIT);
  }
  glNamedBufferSubData(impl_->stars.name(), 0, static_cast<GLsizeiptr>(vertices.size_bytes()), vertices.data());
  return {impl_->stars.name(), vertices.size()};
}

}  // namespace pericenter::app
