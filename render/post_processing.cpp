#include "render/post_processing.h"

#include <algorithm>
#include <cmath>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr int kBloomLevels = 6;    // coarsest levels, which spread light; the coarsest one is not mixed
constexpr float kCoarser = 0.68f;  // share of the light that goes to the next coarser level

constexpr float kFollowSeconds = 0.17f;  // time constant of the exposure: 95 % after half a second
constexpr GLsizeiptr kBytes = 16;        // minimum size of a uniform block

/// The level from which the exposure is computed: the coarsest, in which the noise of single bodies averages out. Fewer
/// than kSamples bodies are points of light, which a coarse level would make faint.
int metered_level(const ExposurePass::Metered& image) {
  constexpr int kFiner = 3;
  return image.bodies < kSamples ? image.levels.last() - kFiner : image.levels.last();
}

}  // namespace

BloomPass::BloomPass(const ShaderLibrary& library)
    : program_(library, {"fullscreen.vert", "bloom_up.frag"}), corner_pass_(library) {}

void BloomPass::resize(const LightLevels& levels) {
  first_ = std::max(levels.first(), levels.last() - kBloomLevels + 1);
  const ColorTarget& finest = levels.at(first_);
  const auto size = static_cast<std::size_t>(levels.last() - first_);
  if (mixed_.size() == size && mixed_.front().width == finest.width && mixed_.front().height == finest.height) return;
  mixed_.clear();
  corners_.clear();
  for (int k = first_; k < levels.last(); ++k) {
    mixed_.push_back(same_size(levels.at(k)));
    corners_.push_back(CornerPass::target(levels.at(k + 1)));
  }
}

void BloomPass::spread(const LightLevels& levels, const SmoothingPass& smoothing) {
  constexpr GLuint kHereUnit = 1, kCoarserUnit = 2;
  resize(levels);
  const ColorTarget* coarser = &levels.at(levels.last());
  for (int k = levels.last() - 1; k >= first_; --k) {
    const auto index = static_cast<std::size_t>(k - first_);
    // The levels have the light that was spread on them, but not that of coarser ones.
    corner_pass_.draw(*coarser, kCoarser, smoothing.sum(k + 1), corners_[index]);
    glBindVertexArray(no_attributes_.name());
    glUseProgram(program_.name());
    glProgramUniform1f(program_.name(), 0, 1 - kCoarser);
    glBindTextureUnit(kHereUnit, levels.at(k).texture.name());
    glBindTextureUnit(kCoarserUnit, corners_[index].texture.name());
    cover(mixed_[index]);
    coarser = &mixed_[index];
  }
  for (const GLuint unit : {kHereUnit, kCoarserUnit}) glBindTextureUnit(unit, 0);
}

Exposure::Exposure() {
  const float none[kBytes / sizeof(float)] = {};
  allocate(buffer_, kBytes, none, GL_DYNAMIC_STORAGE_BIT);
}

ExposurePass::ExposurePass(const ShaderLibrary& library) : program_(library, {"expose.comp"}) {}

void ExposurePass::follow(const Metered& image, float seconds, const Exposure& exposure) const {
  constexpr GLuint kLightUnit = 0, kCoarseUnit = 1, kSmoothUnit = 3;
  const GLuint program = program_.name(), smooth = image.smoothing.finest();
  glUseProgram(program);
  glProgramUniform1f(program, 0, seconds > 0 ? 1 - std::exp(-seconds / kFollowSeconds) : 0);
  glProgramUniform1f(program, 1, smooth != 0 ? std::ldexp(image.smoothing.pixels(), 1 - image.levels.first()) : 0);
  glProgramUniform1f(program, 2, image.bloom);
  glProgramUniform1i(program, 3, image.grain && image.bodies >= kSamples ? 1 : 0);
  const int level = metered_level(image), first = image.levels.first();
  glProgramUniform1i(program, 4, level < first ? 1 : 0);
  glBindTextureUnit(kCoarseUnit, image.levels.at(std::max(level, first)).texture.name());
  glBindTextureUnit(kLightUnit, image.light);
  glBindTextureUnit(kSmoothUnit, smooth);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, exposure.buffer());
  glDispatchCompute(1, 1, 1);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kExposureBinding, 0);
  for (const GLuint unit : {kLightUnit, kCoarseUnit, kSmoothUnit}) glBindTextureUnit(unit, 0);
  glMemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void ExposurePass::reset(const Exposure& exposure) const {
  glClearNamedBufferData(exposure.buffer(), GL_R32F, GL_RED, GL_FLOAT, nullptr);
}

ToneMapPass::ToneMapPass(const ShaderLibrary& library)
    : programs_(library, {"resolve.vert", "tone_map.frag"},
                {{"SMOOTHED"}, {"MARKS"}, {"BACKGROUND"}, {"TONE"}, {"COLORS", kColorGroups}}) {}

void ToneMapPass::draw(const Light& light, const ImageSettings& settings, bool marks) {
  constexpr GLuint kLightUnit = 0, kBloomUnit = 1, kSmoothUnit = 2;
  const GLuint smooth = light.smoothing.finest();
  const LazyProgram& program =
      programs_.get({smooth != 0 ? 1u : 0u, marks ? 1u : 0u, static_cast<std::size_t>(settings.background),
                     static_cast<std::size_t>(settings.tone), color_group(settings.color)});
  glBindVertexArray(no_attributes_.name());
  glUseProgram(program.name());
  glProgramUniform1f(program.name(), 0, light.bloom.pixels());
  if (smooth != 0) glProgramUniform1f(program.name(), 1, light.smoothing.pixels());
  colors_.bind();
  glBindTextureUnit(kLightUnit, light.sharp);
  glBindTextureUnit(kBloomUnit, light.bloom.bloom());
  glBindTextureUnit(kSmoothUnit, smooth);
  glBindBufferBase(GL_UNIFORM_BUFFER, kExposureBinding, light.exposure.buffer());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindBufferBase(GL_UNIFORM_BUFFER, kExposureBinding, 0);
  for (const GLuint unit : {kLightUnit, kBloomUnit, kSmoothUnit}) glBindTextureUnit(unit, 0);
}

LinearPass::LinearPass(const ShaderLibrary& library) : program_(library, {"resolve.vert", "linear.frag"}) {}

void LinearPass::draw(GLuint light, const SmoothingPass& smoothing, const ColorTarget& target) const {
  constexpr GLuint kLightUnit = 0, kSmoothUnit = 1;
  const GLuint smooth = smoothing.finest();
  glBindVertexArray(no_attributes_.name());
  glUseProgram(program_.name());
  glProgramUniform1f(program_.name(), 0, smooth != 0 ? smoothing.pixels() : 0);
  glBindTextureUnit(kLightUnit, light);
  glBindTextureUnit(kSmoothUnit, smooth);
  cover(target);
  for (const GLuint unit : {kLightUnit, kSmoothUnit}) glBindTextureUnit(unit, 0);
}

CopyPass::CopyPass(const ShaderLibrary& library) : program_(library, {"stretch.vert", "copy.frag"}) {}

void CopyPass::draw(GLuint texture, GLuint framebuffer, glm::ivec2 first, glm::ivec2 size) const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(first.x, first.y, size.x, size.y);
  glUseProgram(program_.name());
  glBindVertexArray(no_attributes_.name());
  glBindTextureUnit(0, texture);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindTextureUnit(0, 0);
  glBindVertexArray(0);
  glUseProgram(0);
}

}  // namespace pericenter::render
