#include "render/smoothing_pass.h"

#include <algorithm>
#include <cmath>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

// Texture units in the shaders.
constexpr GLuint kLightUnit = 0, kHereUnit = 1, kCoarserUnit = 2, kLanesUnit = 3;
constexpr float kWidest = 6;            // level, at kReferenceHeight
constexpr float kBelowCoarsest = 0.5f;  // levels between the widest kernel and the coarsest level

}  // namespace

float widest_level(int height) {
  const float wanted = kWidest + std::log2(static_cast<float>(height) / kReferenceHeight);
  return std::max(std::min(wanted, static_cast<float>(LightLevels::coarsest(height)) - kBelowCoarsest), 0.0f);
}

SmoothingPass::SmoothingPass(const ShaderLibrary& library)
    : resolve_(library, {"resolve.vert", "resolve_wide.frag"}),
      up_(library, {"fullscreen.vert", "smooth_up.frag"}, {"LANES 0"}),
      up_and_sharpen_(library, {"fullscreen.vert", "smooth_up.frag"}, {"LANES 1"}) {}

void SmoothingPass::arrange(const ImageTile& tile, int last) {
  first_ = std::max(tile.level, 1);
  tile_level_ = tile.level;
  planes_.clear();
  int next = tile.size.x * tile.size.y + 1;  // after the sharp image and the number of visible bodies
  for (int k = first_; k <= last; ++k) {
    const int halvings = k - tile.level;
    planes_.push_back({next, (tile.size + (1 << halvings) - 1) >> halvings});
    next += planes_.back().size.x * planes_.back().size.y;
  }
  const bool same =
      arrived_.size() == planes_.size() &&
      (planes_.empty() || planes_.front().size == glm::ivec2(arrived_.front().width, arrived_.front().height));
  if (same) return;
  arrived_.clear();
  results_.clear();
  for (const Plane& plane : planes_) {
    if (arrived_.size() + 1 < planes_.size()) results_.emplace_back(GL_RGBA16F, plane.size.x, plane.size.y);
    arrived_.emplace_back(GL_RGBA16F, plane.size.x, plane.size.y);
  }
}

std::size_t SmoothingPass::plane_pixels() const {
  std::size_t sum = 0;
  for (const Plane& plane : planes_)
    sum += static_cast<std::size_t>(plane.size.x) * static_cast<std::size_t>(plane.size.y);
  return sum;
}

void SmoothingPass::resolve(GLuint light, const HaloPass* halo) {
  glBindVertexArray(no_attributes_.name());
  glBindTextureUnit(kLightUnit, light);
  const GLuint program = resolve_.name();
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    const int level = first_ + static_cast<int>(k);
    glUseProgram(program);
    glProgramUniform2i(program, 0, planes_[k].first, planes_[k].size.x);
    glProgramUniform1f(program, 1, std::ldexp(1.0f, 2 * (level - tile_level_)));
    cover(arrived_[k]);
    if (halo != nullptr && level == std::max(HaloPass::kLevel, first_)) halo->draw(arrived_[k], light);
  }
  glBindTextureUnit(kLightUnit, 0);
}

void SmoothingPass::collect(std::span<const Lanes> lanes) {
  if (planes_.empty()) return;
  glBindVertexArray(no_attributes_.name());
  glUseProgram(up_.name());
  const ColorTarget* coarser = &arrived_.back();
  for (std::size_t k = results_.size(); k-- > 0;) {
    glBindTextureUnit(kHereUnit, arrived_[k].texture.name());
    glBindTextureUnit(kCoarserUnit, coarser->texture.name());
    if (k == 0 && !lanes.empty()) {
      sharpen(lanes);
    } else {
      cover(results_[k]);
    }
    coarser = &results_[k];
  }
  for (const GLuint unit : {kHereUnit, kCoarserUnit, kLanesUnit}) glBindTextureUnit(unit, 0);
}

void SmoothingPass::sharpen(std::span<const Lanes> lanes) const {
  const ColorTarget& target = results_.front();
  const GLuint program = up_and_sharpen_.name();
  glUseProgram(program);
  glEnable(GL_SCISSOR_TEST);
  for (const Lanes& part : lanes) {
    const auto width = static_cast<float>(part.filled.y - part.filled.x);
    glProgramUniform2f(program, 0, pixels() / width, pixels() / static_cast<float>(part.height));
    glProgramUniform1f(program, 1, -static_cast<float>(part.filled.x) / width);
    const int first = part.columns.x >> first_, end = (part.columns.y + (1 << first_) - 1) >> first_;
    glScissor(first, 0, end - first, target.height);
    glBindTextureUnit(kLanesUnit, part.texture);
    cover(target);
  }
  glDisable(GL_SCISSOR_TEST);
}

SmoothingPass::Level SmoothingPass::at(int level) const {
  const auto k = static_cast<std::size_t>(std::max(level - first_, 0));
  if (level < first_ || k >= arrived_.size()) return {};
  const GLuint arrived = arrived_[k].texture.name();
  return {.arrived = arrived, .result = k < results_.size() ? results_[k].texture.name() : arrived};
}

}  // namespace pericenter::render
