#include "render/sky_pass.h"

#include <cstddef>

namespace pericenter::render {
namespace {

// Locations of the uniforms of shaders/sky.vert.
enum Location { first_pixel, tile_size };

constexpr std::uint32_t kSkySeed = 20;

}  // namespace

SkyPass::SkyPass(const ShaderLibrary& library)
    : program_(library, {"sky.vert", "sky.frag"}), sources_(sky_sources(kSkySeed)) {
  const GLuint name = attributes_.name();
  const auto add = [&](GLuint index, GLint numbers, std::size_t offset) {
    glVertexArrayAttribFormat(name, index, numbers, GL_FLOAT, GL_FALSE, static_cast<GLuint>(offset));
    glVertexArrayAttribBinding(name, index, 0);
    glEnableVertexArrayAttrib(name, index);
  };
  add(0, 4, offsetof(SkySpot, center));
  add(1, 4, offsetof(SkySpot, color));
  add(2, 1, offsetof(SkySpot, exponential));
  glVertexArrayBindingDivisor(name, 0, 1);
}

/// Projects the sky again if the camera has turned.
void SkyPass::place(const Camera& camera, glm::ivec2 size) {
  const float aspect = static_cast<float>(size.x) / static_cast<float>(size.y);
  const glm::mat4 view = camera.projection(aspect) * glm::mat4(glm::mat3(camera.view()));
  if (view == placed_view_ && size == placed_size_) return;
  placed_view_ = view;
  placed_size_ = size;
  const std::vector<SkySpot> spots = sky_spots(sources_, camera, size);
  count_ = static_cast<GLsizei>(spots.size());
  if (spots.empty()) return;
  spots_ = make_buffer();
  glNamedBufferStorage(spots_.name(), static_cast<GLsizeiptr>(spots.size() * sizeof spots[0]), spots.data(), 0);
  glVertexArrayVertexBuffer(attributes_.name(), 0, spots_.name(), 0, sizeof spots[0]);
}

void SkyPass::draw(const Camera& camera, const ImageTile& tile) {
  place(camera, tile.whole);
  if (count_ == 0) return;
  glProgramUniform2f(program_.name(), first_pixel, static_cast<float>(tile.first.x), static_cast<float>(tile.first.y));
  glProgramUniform2f(program_.name(), tile_size, static_cast<float>(tile.size.x), static_cast<float>(tile.size.y));
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_ONE_MINUS_DST_COLOR, GL_ONE, GL_ZERO, GL_ONE);
  glUseProgram(program_.name());
  glBindVertexArray(attributes_.name());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count_);
  glDisable(GL_BLEND);
}

}  // namespace pericenter::render
