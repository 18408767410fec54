#include "render/gl_info.h"

#include <glad/gl.h>

#include <array>
#include <cstdint>
#include <iostream>
#include <mutex>
#include <set>
#include <stdexcept>

#include "render/gl_objects.h"

namespace pericenter::render {
namespace {

std::string string_of(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text == nullptr ? std::string("unknown") : std::string(reinterpret_cast<const char*>(text));
}

void GLAD_API_PTR print_once(GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar* message, const void*) {
  // Static, because a driver may call from any thread while the context exists.
  static std::mutex mutex;
  static std::set<std::string> printed;
  const std::lock_guard lock(mutex);
  if (printed.insert(message).second) std::cerr << "OpenGL: " << message << '\n';
}

}  // namespace

GlInfo gl_info() {
  GlInfo info{.vendor = string_of(GL_VENDOR), .renderer = string_of(GL_RENDERER), .version = string_of(GL_VERSION)};
  for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR"}) {
    if (info.renderer.find(name) != std::string::npos) info.software = true;
  }
  return info;
}

std::string lost_context() {
  // Only contexts with reset notification report it.
  if (glGetGraphicsResetStatus() != GL_NO_ERROR) return "the graphics driver reset the GPU";
  const ColorTarget pixel(GL_RGBA8, 1, 1);
  constexpr std::array<GLfloat, 4> kColor = {1, 0, 1, 1};
  constexpr std::array<std::uint8_t, 4> kExpected = {255, 0, 255, 255};
  std::array<std::uint8_t, 4> drawn = {};
  GLint before = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
  glDisable(GL_SCISSOR_TEST);
  glClearNamedFramebufferfv(pixel.framebuffer.name(), GL_COLOR, 0, kColor.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, pixel.framebuffer.name());
  glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, drawn.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
  return drawn == kExpected ? "" : "the graphics driver no longer draws";
}

void install_gl_debug(bool fatal) {
  glEnable(GL_DEBUG_OUTPUT);
  glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_FALSE);
  for (const GLenum severity : {GL_DEBUG_SEVERITY_HIGH, GL_DEBUG_SEVERITY_MEDIUM}) {
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, severity, 0, nullptr, GL_TRUE);
  }
  // Performance hints are not errors.
  glDebugMessageControl(GL_DONT_CARE, GL_DEBUG_TYPE_PERFORMANCE, GL_DONT_CARE, 0, nullptr, GL_FALSE);
  // ShaderLibrary reports compiler messages with the file name.
  glDebugMessageControl(GL_DEBUG_SOURCE_SHADER_COMPILER, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_FALSE);
  // Without a callback, the context stores the messages for check_gl(). Discard earlier messages.
  glDebugMessageCallback(fatal ? nullptr : print_once, nullptr);
  while (glGetDebugMessageLog(1, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == 1) {
  }
}

void check_gl() {
  std::array<GLchar, 1024> text{};
  std::string first;
  while (glGetDebugMessageLog(1, text.size(), nullptr, nullptr, nullptr, nullptr, nullptr, text.data()) == 1) {
    if (first.empty()) first = text.data();
  }
  if (!first.empty()) throw std::runtime_error("OpenGL: " + first);
}

}  // namespace pericenter::render
