#include "render/smoothing_pass.h"

#include <algorithm>
#include <cmath>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

// Texture units in the shaders.
constexpr GLuint kLightUnit = 0, kSourceUnit = 1, kGuideUnit = 2, kHereUnit = 1, kCoarserUnit = 2;
constexpr float kWidest = 6;            // level
constexpr float kBelowCoarsest = 0.5f;  // levels between the widest smoothing and the coarsest level
constexpr float kLargestDistance = 60;  // pixels, of 20,000 bodies at kReferenceHeight

}  // namespace

float smoothing_level(std::size_t bodies, float closeness, float height) {
  if (bodies < kSamples) return 0;
  const float count = static_cast<float>(bodies);
  const float distance = kLargestDistance * std::pow(20'000 / count, 0.75f) * closeness * height / kReferenceHeight;
  return std::clamp(std::log2(distance), 0.0f, kWidest);
}

SmoothingPass::SmoothingPass(const ShaderLibrary& library)
    : first_down_(library, {"fullscreen.vert", "smooth_down.frag"}, {"FIRST 1"}),
      down_(library, {"fullscreen.vert", "smooth_down.frag"}, {"FIRST 0"}),
      up_(library, {"fullscreen.vert", "smooth_up.frag"}) {}

void SmoothingPass::resize(const LightLevels& levels, std::size_t number) {
  first_ = std::max(levels.first(), 1);
  const ColorTarget& finest = levels.at(first_);
  if (arrived_.size() == number && arrived_.front().width == finest.width && arrived_.front().height == finest.height) {
    return;
  }
  arrived_.clear();
  results_.clear();
  for (int k = first_; arrived_.size() < number; ++k) {
    if (arrived_.size() + 1 < number) results_.push_back(same_size(levels.at(k)));
    arrived_.push_back(same_size(levels.at(k)));
  }
}

void SmoothingPass::pass_down(const LightLevels& levels, GLuint light, const Amount& amount) {
  const auto base = static_cast<float>(levels.first());
  const ColorTarget* source = &levels.at(first_);
  for (std::size_t k = 0; k < arrived_.size(); ++k) {
    const int level = first_ + static_cast<int>(k), guide = std::min(level + 1, levels.last());
    const GLuint program = k == 0 ? first_down_.name() : down_.name();
    glUseProgram(program);
    glProgramUniform1f(program, 0, static_cast<float>(level) - 1 - base);
    glProgramUniform1f(program, 1, amount.last - base);
    glProgramUniform1f(program, 2, amount.body);
    glProgramUniform1f(program, 3, guide > level ? 0.5f : 1.0f);
    glBindTextureUnit(kSourceUnit, source->texture.name());
    glBindTextureUnit(kGuideUnit, levels.at(guide).texture.name());
    cover(arrived_[k]);
    if (amount.halo != nullptr && level == std::max(HaloPass::kLevel, first_)) amount.halo->draw(arrived_[k], light);
    source = &arrived_[k];
  }
}

void SmoothingPass::collect() {
  glUseProgram(up_.name());
  const ColorTarget* coarser = &arrived_.back();
  for (std::size_t k = results_.size(); k-- > 0;) {
    glBindTextureUnit(kHereUnit, arrived_[k].texture.name());
    glBindTextureUnit(kCoarserUnit, coarser->texture.name());
    cover(results_[k]);
    coarser = &results_[k];
  }
}

void SmoothingPass::smooth(const LightLevels& levels, GLuint light, Amount amount) {
  amount.last = std::min(amount.last, static_cast<float>(levels.last()) - kBelowCoarsest);
  const int first = std::max(levels.first(), 1), halo = amount.halo != nullptr ? std::max(HaloPass::kLevel, first) : 0;
  const int last = std::min(std::max(static_cast<int>(std::ceil(amount.last)), halo), levels.last());
  active_ = last >= first;
  if (!active_) return;
  resize(levels, static_cast<std::size_t>(last - first + 1));
  glBindVertexArray(no_attributes_.name());
  glBindTextureUnit(kLightUnit, light);
  pass_down(levels, light, amount);
  collect();
  for (const GLuint unit : {kLightUnit, kHereUnit, kCoarserUnit}) glBindTextureUnit(unit, 0);
}

SmoothingPass::Level SmoothingPass::at(int level) const {
  const auto k = static_cast<std::size_t>(std::max(level - first_, 0));
  if (!active_ || level < first_ || k >= arrived_.size()) return {};
  const GLuint arrived = arrived_[k].texture.name();
  return {.arrived = arrived, .result = k < results_.size() ? results_[k].texture.name() : arrived};
}

}  // namespace pericenter::render
