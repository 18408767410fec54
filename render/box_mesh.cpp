#include "render/box_mesh.h"

#include <cstdint>

#include "render/color_map.h"
#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr int kEdges = 12, kFaces = 6;

// Locations of the uniforms of shaders/box.glsl.
enum Location {
  level_opacity = 8,
  scale = 40,
  legible,
  is_flat,
  focus,
  line_width,
  viewport,
  shown_size,
  wall,
  palette
};

}  // namespace

float OverlayView::thin_line() const {
  return std::max(1.0f, 1.1f * static_cast<float>(size.y) / kReferenceHeight);
}

float OverlayView::scale() const {
  // The second row of the matrix is the up axis of the camera times the projection scale.
  const glm::vec3 up(clip_from_world[0][1], clip_from_world[1][1], clip_from_world[2][1]);
  return 0.5f * glm::length(up) * static_cast<float>(size.y);
}

float BoxStyle::edge_opacity(std::size_t level, float pixels, float depth, float focus) const {
  const float fade = std::min(pixels / legible, 1.0f), far = std::clamp(focus / std::max(depth, 1e-30f), 0.3f, 1.0f);
  return opacity[level] * fade * fade * far * far;
}

BoxPrograms::BoxPrograms(const ShaderLibrary& library)
    : edges_(library, {"box.vert", "line.frag"}), faces_(library, {"box_face.vert", "flat_color.frag"}) {}

BoxMesh::BoxMesh() {
  const GLuint name = attributes_.name();
  glVertexArrayAttribFormat(name, 0, 3, GL_FLOAT, GL_FALSE, offsetof(Box, center));
  glVertexArrayAttribFormat(name, 1, 3, GL_FLOAT, GL_FALSE, offsetof(Box, half_width));
  glVertexArrayAttribIFormat(name, 2, 1, GL_INT, offsetof(Box, level));
  for (const GLuint attribute : {0u, 1u, 2u}) {
    glVertexArrayAttribBinding(name, attribute, 0);
    glEnableVertexArrayAttrib(name, attribute);
  }
  glVertexArrayBindingDivisor(name, 0, 1);
  std::array<std::uint16_t, 6 * kEdges> indices{};
  constexpr int kQuad[] = {0, 1, 2, 2, 1, 3};
  for (int i = 0; i < 6 * kEdges; ++i) indices[i] = static_cast<std::uint16_t>(4 * (i / 6) + kQuad[i % 6]);
  allocate(indices_, sizeof indices, indices.data());
  glVertexArrayElementBuffer(name, indices_.name());
}

void BoxMesh::upload(std::span<const Box> boxes) {
  count_ = boxes.size();
  if (count_ == 0) return;
  if (count_ > capacity_) {
    capacity_ = count_ + count_ / 2;
    allocate(buffer_, capacity_ * sizeof(Box), nullptr, GL_DYNAMIC_STORAGE_BIT);
    glVertexArrayVertexBuffer(attributes_.name(), 0, buffer_.name(), 0, sizeof(Box));
  }
  glNamedBufferSubData(buffer_.name(), 0, static_cast<GLsizeiptr>(boxes.size_bytes()), boxes.data());
}

void BoxMesh::draw_edges(const BoxPrograms& programs, const OverlayView& view, const BoxStyle& style) const {
  glProgramUniform1f(programs.edges().name(), line_width, style.line_width);
  glProgramUniform2f(programs.edges().name(), viewport, static_cast<float>(view.drawn.x),
                     static_cast<float>(view.drawn.y));
  draw(programs.edges(), view, style, style.flat ? 4 : kEdges);
}

void BoxMesh::draw_faces(const BoxPrograms& programs, const OverlayView& view, const BoxStyle& style) const {
  glProgramUniform1f(programs.faces().name(), wall, style.wall);
  draw(programs.faces(), view, style, style.flat ? 1 : kFaces);
}

void BoxMesh::draw(const LazyProgram& program, const OverlayView& view, const BoxStyle& style, int quads) const {
  if (count_ == 0) return;
  const GLuint name = program.name();
  const auto colors = level_colors(view.background);
  glProgramUniform3fv(name, palette, kLevelColors, &colors[0].x);
  glProgramUniform1fv(name, level_opacity, kBoxLevels, style.opacity.data());
  glProgramUniform1f(name, scale, view.scale());
  glProgramUniform1f(name, legible, style.legible);
  glProgramUniform1ui(name, is_flat, style.flat ? 1 : 0);
  glProgramUniform1f(name, focus, view.focus);
  glProgramUniform1f(name, shown_size, style.size);
  glUseProgram(name);
  glBindVertexArray(attributes_.name());
  glDrawElementsInstanced(GL_TRIANGLES, 6 * quads, GL_UNSIGNED_SHORT, nullptr, static_cast<GLsizei>(count_));
}

glm::vec3 foreground_color(Background background) {
  return background == Background::dark ? glm::vec3(1.0f, 0.97f, 0.90f) : glm::vec3(0.10f, 0.10f, 0.14f);
}

glm::vec3 background_color(Background background) {
  return background == Background::dark ? glm::vec3(0.016f, 0.021f, 0.040f) : glm::vec3(1);
}

void set_blending(Background background, bool adds) {
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  const GLenum below = adds && background == Background::dark ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA;
  glBlendFuncSeparate(GL_SRC_ALPHA, below, GL_ZERO, GL_ONE);
}

}  // namespace pericenter::render
