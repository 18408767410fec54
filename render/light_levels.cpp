#include "render/light_levels.h"

#include <algorithm>

namespace pericenter::render {
namespace {

constexpr int kMinRows = 8;                                        // rows of the coarsest level
constexpr GLuint kLightUnit = 0, kFinerUnit = 1, kSpreadUnit = 2;  // texture units in the shaders

}  // namespace

void cover(const ColorTarget& target) {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.framebuffer.name());
  glViewport(0, 0, target.width, target.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

ColorTarget same_size(const ColorTarget& level) {
  return ColorTarget(GL_RGBA16F, level.width, level.height);
}

int LightLevels::coarsest(int height) {
  int level = 1;
  while (height >> (level + 1) >= kMinRows) ++level;
  return level;
}

LightLevels::LightLevels(const ShaderLibrary& library)
    : resolve_(library, {"resolve.vert", "resolve.frag"}),
      down_(library, {"fullscreen.vert", "bloom_down.frag"}, {{"BOX"}, {"SPREAD"}}) {}

void LightLevels::resize(glm::ivec2 size, glm::ivec2 whole, int level) {
  const int end = std::max(coarsest(whole.y), level + 2);
  if (!levels_.empty() && size == glm::ivec2(image().width, image().height) && level == first_ && end == last()) return;
  first_ = level;
  levels_.clear();
  for (int halvings = 0; level + halvings <= end; ++halvings) {
    const glm::ivec2 part = (size + (1 << halvings) - 1) >> halvings;
    levels_.emplace_back(GL_RGBA16F, part.x, part.y);
  }
}

void LightLevels::resolve(GLuint light, const ColorTarget& target, glm::ivec2 size) const {
  glBindVertexArray(no_attributes_.name());
  glBindTextureUnit(kLightUnit, light);
  glUseProgram(resolve_.name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.framebuffer.name());
  glViewport(0, 0, size.x, size.y);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindTextureUnit(kLightUnit, 0);
}

void LightLevels::shrink(std::span<const ColorTarget> spread, int from) const {
  glBindVertexArray(no_attributes_.name());
  for (std::size_t k = 1; k < levels_.size(); ++k) {
    const int plane = first_ + static_cast<int>(k) - from;
    const bool adds = plane >= 0 && static_cast<std::size_t>(plane) < spread.size();
    const bool box = k == 1 && !spread.empty();
    glUseProgram(down_.get({box ? 1u : 0u, adds ? 1u : 0u}).name());
    glBindTextureUnit(kFinerUnit, levels_[k - 1].texture.name());
    if (adds) glBindTextureUnit(kSpreadUnit, spread[static_cast<std::size_t>(plane)].texture.name());
    cover(levels_[k]);
  }
  for (const GLuint unit : {kFinerUnit, kSpreadUnit}) glBindTextureUnit(unit, 0);
}

}  // namespace pericenter::render
