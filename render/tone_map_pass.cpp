#include "render/tone_map_pass.h"

namespace pericenter::render {
namespace {

constexpr int kFinestDivisor = 4;
constexpr int kLevels = 5;

// Texture units that the shaders name.
constexpr GLuint kLightUnit = 0, kGlowUnit = 1, kCoarserUnit = 2;

void cover(const ColorTarget& target) {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.framebuffer.name());
  glViewport(0, 0, target.width, target.height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace

ToneMapPass::ToneMapPass(const ShaderLibrary& library)
    : programs_{.first = library.build({"fullscreen.vert", "glow_first.frag"}),
                .down = library.build({"fullscreen.vert", "glow_down.frag"}),
                .up = library.build({"fullscreen.vert", "glow_up.frag"}),
                .tone_map = library.build({"fullscreen.vert", "tone_map.frag"})} {}

void ToneMapPass::resize(int width, int height) {
  const auto part = [](int pixels, int divisor) { return (pixels + divisor - 1) / divisor; };
  if (!levels_.empty() && levels_[0].width == part(width, kFinestDivisor) &&
      levels_[0].height == part(height, kFinestDivisor)) {
    return;
  }
  levels_.clear();
  mixed_.clear();
  for (int level = 0; level < kLevels; ++level) {
    const int divisor = kFinestDivisor << level;
    levels_.emplace_back(GL_RGBA16F, part(width, divisor), part(height, divisor));
    if (level + 1 < kLevels) mixed_.emplace_back(GL_RGBA16F, part(width, divisor), part(height, divisor));
  }
}

void ToneMapPass::draw_glow() {
  glUseProgram(programs_.first.name());
  cover(levels_[0]);
  glUseProgram(programs_.down.name());
  for (int level = 1; level < kLevels; ++level) {
    glBindTextureUnit(kGlowUnit, levels_[level - 1].texture.name());
    cover(levels_[level]);
  }
  glUseProgram(programs_.up.name());
  for (int level = kLevels - 2; level >= 0; --level) {
    const ColorTarget& coarser = level == kLevels - 2 ? levels_[level + 1] : mixed_[level + 1];
    glBindTextureUnit(kGlowUnit, levels_[level].texture.name());
    glBindTextureUnit(kCoarserUnit, coarser.texture.name());
    cover(mixed_[level]);
  }
}

void ToneMapPass::draw(GLuint light, GLuint framebuffer, int width, int height) {
  glBindTextureUnit(kLightUnit, light);
  glBindVertexArray(no_attributes_.name());
  draw_glow();
  glUseProgram(programs_.tone_map.name());
  glBindTextureUnit(kGlowUnit, mixed_[0].texture.name());
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  for (const GLuint unit : {kLightUnit, kGlowUnit, kCoarserUnit}) glBindTextureUnit(unit, 0);
}

}  // namespace pericenter::render
