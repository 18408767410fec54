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
    : halve_(library, {"resolve.vert", "halve_light.frag"}, {"SPREAD 0"}),
      halve_and_add_(library, {"resolve.vert", "halve_light.frag"}, {"SPREAD 1"}),
      down_(library, {"fullscreen.vert", "bloom_down.frag"}, {"SPREAD 0"}),
      down_and_add_(library, {"fullscreen.vert", "bloom_down.frag"}, {"SPREAD 1"}) {}

void LightLevels::resize(glm::ivec2 size, glm::ivec2 whole, int level) {
  const int end = std::max(coarsest(whole.y), level + 2);
  const glm::ivec2 half = (size + 1) / 2;
  if (!levels_.empty() && half == glm::ivec2(levels_.front().width, levels_.front().height) && level + 1 == first_ &&
      end == last())
    return;
  first_ = level + 1;
  levels_.clear();
  for (int halvings = 1; level + halvings <= end; ++halvings) {
    const glm::ivec2 part = (size + (1 << halvings) - 1) >> halvings;
    levels_.emplace_back(GL_RGBA16F, part.x, part.y);
  }
}

void LightLevels::shrink(GLuint light, std::span<const ColorTarget> spread, int from) const {
  const auto spread_on = [&](int level) {
    const auto plane = static_cast<std::size_t>(level - from);
    return level >= from && plane < spread.size() ? spread[plane].texture.name() : 0;
  };
  glBindVertexArray(no_attributes_.name());
  for (int level = first_; level <= last(); ++level) {
    const GLuint added = spread_on(level);
    if (level == first_) {
      glUseProgram((added != 0 ? halve_and_add_ : halve_).name());
      glBindTextureUnit(kLightUnit, light);
    } else {
      glUseProgram((added != 0 ? down_and_add_ : down_).name());
      glBindTextureUnit(kFinerUnit, at(level - 1).texture.name());
    }
    glBindTextureUnit(kSpreadUnit, added);
    cover(at(level));
    if (level == first_ && from < first_ && !spread.empty()) add_halved(spread.front());
  }
  for (const GLuint unit : {kLightUnit, kFinerUnit, kSpreadUnit}) glBindTextureUnit(unit, 0);
}

/// Adds a plane that is as fine as the image to the first level.
void LightLevels::add_halved(const ColorTarget& plane) const {
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  glUseProgram(down_.name());
  glBindTextureUnit(kFinerUnit, plane.texture.name());
  cover(levels_.front());
  glDisable(GL_BLEND);
}

}  // namespace pericenter::render
