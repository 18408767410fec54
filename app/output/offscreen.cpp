#include "app/output/offscreen.h"

#include "render/gl_info.h"
#include "render/headless_context.h"

namespace pericenter::app {
namespace {

constexpr const char* kSoftwareHint =
    ". Use software rendering: install libgl1-mesa-dri, or set LIBGL_ALWAYS_SOFTWARE=1.";

}  // namespace

struct Offscreen::Impl {
  render::HeadlessContext context;
  std::unique_ptr<render::Renderer> renderer;
  std::unique_ptr<Annotator> annotator;
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

}  // namespace pericenter::app
