#include "render/mass_pass.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

// Locations of the uniforms of shaders/probe_dot.*.
enum Location { color = 1, radius, hole, viewport = 45 };

constexpr GLsizei kRowBytes = 16;
// Radii in pixels of a frame of kReferenceHeight.
constexpr float kMassRadius = 4.2f, kSunRadius = 5, kPlanetRadius = 2.1f, kSmallest = 1.2f;
constexpr float kRim = 1, kRimOpacity = 0.75f;
constexpr int kGlowRings = 4;
constexpr float kGlowStep = 0.4f, kGlowOpacity = 0.13f;  // step in radii of the Sun

glm::vec3 sun_color(Background background) {
  return background == Background::dark ? glm::vec3(1, 0.85f, 0.35f) : glm::vec3(0.85f, 0.55f, 0);
}

}  // namespace

/// Some of the places, as discs.
struct MassPass::Dots {
  std::size_t first, count;
  float radius;  ///< pixels
  glm::vec4 color;
};

MassPass::MassPass(const ShaderLibrary& library) : copier_(library) {
  build(library);
  const GLuint name = places_.name();
  glVertexArrayAttribFormat(name, 0, 3, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(name, 0, 0);
  glEnableVertexArrayAttrib(name, 0);
  glVertexArrayBindingDivisor(name, 0, 1);
}

void MassPass::build(const ShaderLibrary& library) {
  LazyProgram program(library, {"probe_dot.vert", "probe_dot.frag"});
  copier_ = StarCopier(library);
  program_ = std::move(program);
}

void MassPass::draw(const Stars& stars, const OverlayView& view) {
  Stars masses = stars;
  masses.count = std::min(stars.masses.count, stars.count);
  if (masses.count == 0) return;
  if (room_ < masses.count) {
    room_ = masses.count;
    allocate(copies_, room_ * kRowBytes);
    glVertexArrayVertexBuffer(places_.name(), 0, copies_.name(), 0, kRowBytes);
  }
  copier_.copy(masses, {.count = masses.count}, copies_.name(), 0);
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT);

  set_blending(view.background, false);
  glProgramUniform2f(program_.name(), viewport, static_cast<float>(view.drawn.x), static_cast<float>(view.drawn.y));
  const float pixel = static_cast<float>(std::min(view.size.x, view.size.y)) / kReferenceHeight;
  const glm::vec3 around = background_color(view.background);
  const auto draw_discs = [&](std::size_t first, std::size_t count, float wanted, const glm::vec3& shade) {
    const float size = std::max(wanted * pixel, kSmallest), rim = std::max(kRim * pixel, kRim);
    draw_dots({first, count, size + rim, glm::vec4(around, kRimOpacity)});
    draw_dots({first, count, size, glm::vec4(shade, 1)});
  };
  const glm::vec3 sun = sun_color(view.background);
  for (int ring = kGlowRings; stars.masses.sun && ring > 0; --ring)
    draw_dots({0, 1, (1 + kGlowStep * static_cast<float>(ring)) * std::max(kSunRadius * pixel, kSmallest),
               glm::vec4(sun, kGlowOpacity)});
  const std::size_t planets = stars.masses.sun ? 1 : 0;
  draw_discs(planets, masses.count - planets, planets > 0 ? kPlanetRadius : kMassRadius,
             foreground_color(view.background));
  if (stars.masses.sun) draw_discs(0, 1, kSunRadius, sun);
  glDisable(GL_BLEND);
}

void MassPass::draw_dots(const Dots& dots) const {
  if (dots.count == 0) return;
  const GLuint name = program_.name();
  glProgramUniform4fv(name, color, 1, &dots.color[0]);
  glProgramUniform1f(name, radius, dots.radius);
  glProgramUniform1f(name, hole, -1);
  glUseProgram(name);
  glBindVertexArray(places_.name());
  glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(dots.count),
                                    static_cast<GLuint>(dots.first));
}

}  // namespace pericenter::render
