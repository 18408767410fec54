#include "render/offscreen_target.h"

#include <stdexcept>
#include <string>

#include "render/gl_objects.h"

namespace pericenter::render {

ColorTarget::ColorTarget(GLenum format, int width_pixels, int height_pixels)
    : width(width_pixels), height(height_pixels) {
  texture = make_texture(GL_TEXTURE_2D);
  const GLuint name = texture.name();
  glTextureStorage2D(name, 1, format, width, height);
  glTextureParameteri(name, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(name, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(name, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  GLuint target = 0;
  glCreateFramebuffers(1, &target);
  framebuffer = Framebuffer(target);
  glNamedFramebufferTexture(target, GL_COLOR_ATTACHMENT0, name, 0);
}

struct OffscreenTarget::Impl {
  ColorTarget color;
};

OffscreenTarget::OffscreenTarget(int width, int height) : impl_(std::make_unique<Impl>()) {
  GLint limit = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
  if (width < 1 || height < 1 || width > limit || height > limit) {
    throw std::runtime_error("An image of " + std::to_string(width) + " x " + std::to_string(height) +
                             " pixels cannot be drawn; this driver supports 1 to " + std::to_string(limit) +
                             " pixels per side.");
  }
  impl_->color = ColorTarget(GL_RGBA8, width, height);
  if (glCheckNamedFramebufferStatus(framebuffer(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw std::runtime_error("The graphics driver is out of memory for an image of " + std::to_string(width) + " x " +
                             std::to_string(height) + " pixels.");
  }
}

OffscreenTarget::~OffscreenTarget() = default;

unsigned OffscreenTarget::framebuffer() const {
  return impl_->color.framebuffer.name();
}

unsigned OffscreenTarget::texture() const {
  return impl_->color.texture.name();
}

}  // namespace pericenter::render
