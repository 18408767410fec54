#include "render/bloom_pass.h"

#include <algorithm>

namespace pericenter::render {
namespace {

constexpr int kBloomLevels = 6;    // coarsest levels, which spread light; the coarsest one is not mixed
constexpr float kCoarser = 0.68f;  // share of the light that goes to the next coarser level

// Texture units used in the shader.
constexpr GLuint kHereUnit = 1, kCoarserUnit = 2, kArrivedUnit = 3, kSmoothUnit = 4;

}  // namespace

BloomPass::BloomPass(const ShaderLibrary& library)
    : plain_(library, {"fullscreen.vert", "bloom_up.frag"}, {"SMOOTHED 0"}),
      smoothed_(library, {"fullscreen.vert", "bloom_up.frag"}, {"SMOOTHED 1"}) {}

void BloomPass::resize(const LightLevels& levels) {
  first_ = std::max({levels.first(), 1, levels.last() - kBloomLevels + 1});
  const ColorTarget& finest = levels.at(first_);
  const auto size = static_cast<std::size_t>(levels.last() - first_);
  if (mixed_.size() == size && mixed_.front().width == finest.width && mixed_.front().height == finest.height) return;
  mixed_.clear();
  for (int k = first_; k < levels.last(); ++k) mixed_.push_back(same_size(levels.at(k)));
}

void BloomPass::spread(const LightLevels& levels, const SmoothingPass& smoothing) {
  resize(levels);
  glBindVertexArray(no_attributes_.name());
  const ColorTarget* coarser = &levels.at(levels.last());
  for (int k = levels.last() - 1; k >= first_; --k) {
    const SmoothingPass::Level smooth = smoothing.at(k);
    const LazyProgram& program = smooth.result != 0 ? smoothed_ : plain_;
    const ColorTarget& mixed = mixed_[static_cast<std::size_t>(k - first_)];
    glUseProgram(program.name());
    glProgramUniform1f(program.name(), 0, kCoarser);
    glBindTextureUnit(kHereUnit, levels.at(k).texture.name());
    glBindTextureUnit(kCoarserUnit, coarser->texture.name());
    glBindTextureUnit(kArrivedUnit, smooth.arrived);
    glBindTextureUnit(kSmoothUnit, smooth.result);
    cover(mixed);
    coarser = &mixed;
  }
  for (const GLuint unit : {kHereUnit, kCoarserUnit, kArrivedUnit, kSmoothUnit}) glBindTextureUnit(unit, 0);
}

}  // namespace pericenter::render
