#include "render/bloom_pass.h"

#include <algorithm>

namespace pericenter::render {
namespace {

constexpr int kMinRows = 8;        // rows of the coarsest level
constexpr int kBloomLevels = 6;    // coarsest levels, which spread light
constexpr int kMetered = 3;        // levels between the coarsest and the one that the exposure uses
constexpr float kCoarser = 0.68f;  // share of the light that goes to the next coarser level

// Texture units used in the shaders.
constexpr GLuint kLightUnit = 0, kHereUnit = 1, kCoarserUnit = 2;

void cover(const ColorTarget& target) {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.framebuffer.name());
  glViewport(0, 0, target.width, target.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

ColorTarget make_level(glm::ivec2 size, int halvings) {
  const glm::ivec2 part = (size + (1 << halvings) - 1) >> halvings;
  return ColorTarget(GL_RGBA16F, part.x, part.y);
}

}  // namespace

int BloomPass::coarsest(int height) {
  int level = 1;
  while (height >> (level + 1) >= kMinRows) ++level;
  return level;
}

BloomPass::BloomPass(const ShaderLibrary& library)
    : resolve_(library.build({"fullscreen.vert", "resolve.frag"})),
      down_(library.build({"fullscreen.vert", "bloom_down.frag"})),
      up_(library.build({"fullscreen.vert", "bloom_up.frag"})) {}

void BloomPass::resize(glm::ivec2 size, glm::ivec2 whole, int level) {
  const int last = std::max(coarsest(whole.y), level + 2);
  if (!levels_.empty() && size == glm::ivec2(levels_[0].width, levels_[0].height) && level == level_ &&
      last == coarsest_) {
    return;
  }
  level_ = level;
  coarsest_ = last;
  levels_.clear();
  mixed_.clear();
  for (int halvings = 0; level + halvings <= last; ++halvings) levels_.push_back(make_level(size, halvings));
  for (std::size_t k = first_mixed(); k + 1 < levels_.size(); ++k) {
    mixed_.push_back(make_level(size, static_cast<int>(k)));
  }
}

void BloomPass::resolve(GLuint light, const ColorTarget& target, glm::ivec2 size) const {
  glBindVertexArray(no_attributes_.name());
  glBindTextureUnit(kLightUnit, light);
  glUseProgram(resolve_.name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.framebuffer.name());
  glViewport(0, 0, size.x, size.y);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindTextureUnit(kLightUnit, 0);
}

void BloomPass::shrink() {
  glUseProgram(down_.name());
  for (std::size_t k = 1; k < levels_.size(); ++k) {
    glBindTextureUnit(kHereUnit, levels_[k - 1].texture.name());
    cover(levels_[k]);
  }
}

void BloomPass::mix() {
  glUseProgram(up_.name());
  const ColorTarget* coarser = &levels_.back();
  for (std::size_t k = mixed_.size(); k-- > 0;) {
    const std::size_t here = k + first_mixed();
    const bool blooms = level_ + static_cast<int>(here) > coarsest_ - kBloomLevels;
    glProgramUniform1f(up_.name(), 0, blooms ? kCoarser : 1);
    glBindTextureUnit(kHereUnit, levels_[here].texture.name());
    glBindTextureUnit(kCoarserUnit, coarser->texture.name());
    cover(mixed_[k]);
    coarser = &mixed_[k];
  }
}

void BloomPass::spread() {
  glBindVertexArray(no_attributes_.name());
  shrink();
  mix();
  for (const GLuint unit : {kHereUnit, kCoarserUnit}) glBindTextureUnit(unit, 0);
}

GLuint BloomPass::metered() const {
  return levels_[static_cast<std::size_t>(std::max(coarsest_ - kMetered - level_, 0))].texture.name();
}

}  // namespace pericenter::render
