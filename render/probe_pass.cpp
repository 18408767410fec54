#include "render/probe_pass.h"

#include <algorithm>
#include <cmath>

namespace pericenter::render {
namespace {

// Locations of the uniforms of shaders/probe_*.
enum Location { star, color, radius, hole, line_width = 44, viewport };

constexpr float kTint = 0.45f;                        // opacity of the tint that dims the stars
constexpr float kFlatEdge = 0.95f, kFlatFace = 0.1f;  // opacities of accepted cells
constexpr float kEdge = 0.85f;                        // opacity in 3D, where faces would cover each other
constexpr float kFlatOpened = 0.22f, kOpened = 0.08f;
constexpr float kApart = 0.94f;  // scale of cells in 3D, which separates neighbours
// More lines or cells than this are drawn fainter.
constexpr float kManyLines = 60, kManyCells = 120;

float thinned(std::size_t count, float many) {
  return std::min(1.0f, std::sqrt(many / static_cast<float>(std::max<std::size_t>(count, 1))));
}

}  // namespace

/// Rings or discs around bodies.
struct ProbePass::Dots {
  GLuint first;  ///< vertex index: 0 is the star
  std::size_t count;
  float radius, hole;
  glm::vec4 color;
};

ProbePass::Programs::Programs(const ShaderLibrary& library)
    : boxes(library),
      lines(library, {"probe_line.vert", "line.frag"}),
      dots(library, {"probe_dot.vert", "probe_dot.frag"}),
      tint(library, {"fullscreen_tint.vert", "flat_color.frag"}) {}

ProbePass::ProbePass(const ShaderLibrary& library) : programs_(library) {
  const GLuint name = places_.name();
  glVertexArrayAttribFormat(name, 0, 3, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(name, 0, 0);
  glEnableVertexArrayAttrib(name, 0);
  glVertexArrayBindingDivisor(name, 0, 1);
}

void ProbePass::set(const ProbeDrawing& drawing) {
  accepted_.upload(drawing.accepted);
  opened_.upload(drawing.opened);
  star_ = drawing.star;
  bodies_ = drawing.bodies.size();
  std::vector<glm::vec3> places = {star_};
  places.insert(places.end(), drawing.bodies.begin(), drawing.bodies.end());
  allocate(places_buffer_, places.size() * sizeof places[0], places.data());
  glVertexArrayVertexBuffer(places_.name(), 0, places_buffer_.name(), 0, sizeof places[0]);
}

void ProbePass::draw(const BoxSettings& settings, const OverlayView& view) const {
  if (places_buffer_.name() == 0) return;
  set_blending(view.background, false);
  glUseProgram(programs_.tint.name());
  glBindVertexArray(places_.name());
  glProgramUniform4fv(programs_.tint.name(), 0, 1, &glm::vec4(background_color(view.background), kTint)[0]);
  glDrawArrays(GL_TRIANGLES, 0, 3);

  for (const LazyProgram* program : {&programs_.lines, &programs_.dots})
    glProgramUniform2f(program->name(), viewport, static_cast<float>(view.drawn.x), static_cast<float>(view.drawn.y));
  draw_boxes(settings.flat, view);
  draw_lines(view);
  const float width = view.thin_line();
  draw_dots({1, bodies_, 1.3f * width, -1, glm::vec4(foreground_color(view.background), line_opacity())});
  // A dark rim separates the star from the lines.
  draw_dots({0, 1, 12.5f * width, 7 * width, glm::vec4(background_color(view.background), 0.8f)});
  draw_dots({0, 1, 4.5f * width, -1, glm::vec4(background_color(view.background), 0.8f)});
  draw_dots({0, 1, 3 * width, -1, glm::vec4(foreground_color(view.background), 1)});
  draw_dots({0, 1, 11 * width, 8.5f * width, glm::vec4(foreground_color(view.background), 1)});
  glDisable(GL_BLEND);
}

void ProbePass::draw_boxes(bool flat, const OverlayView& view) const {
  BoxStyle style{.legible = 2, .line_width = view.thin_line(), .flat = flat};
  style.opacity.fill(flat ? kFlatOpened : kOpened);
  opened_.draw_edges(programs_.boxes, view, style);
  if (flat) {
    style.opacity.fill(kFlatFace);
    set_blending(view.background, true);
    accepted_.draw_faces(programs_.boxes, view, style);
    set_blending(view.background, false);
    style.line_width *= 1.4f;
  } else {
    style.size = kApart;
  }
  style.opacity.fill(flat ? kFlatEdge : kEdge * thinned(accepted_.count(), kManyCells));
  accepted_.draw_edges(programs_.boxes, view, style);
}

float ProbePass::line_opacity() const {
  return 0.8f * thinned(bodies_, kManyLines);
}

void ProbePass::draw_lines(const OverlayView& view) const {
  if (bodies_ == 0) return;
  const GLuint name = programs_.lines.name();
  glProgramUniform3fv(name, star, 1, &star_[0]);
  glProgramUniform4fv(name, color, 1, &glm::vec4(foreground_color(view.background), line_opacity())[0]);
  glProgramUniform1f(name, line_width, view.thin_line());
  glUseProgram(name);
  glBindVertexArray(places_.name());
  glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(bodies_), 1);
}

void ProbePass::draw_dots(const Dots& dots) const {
  if (dots.count == 0) return;
  const GLuint name = programs_.dots.name();
  glProgramUniform4fv(name, color, 1, &dots.color[0]);
  glProgramUniform1f(name, radius, dots.radius);
  glProgramUniform1f(name, hole, dots.hole);
  glUseProgram(name);
  glBindVertexArray(places_.name());
  glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(dots.count), dots.first);
}

}  // namespace pericenter::render
