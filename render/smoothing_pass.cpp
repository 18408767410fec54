#include "render/smoothing_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

// Texture units in the shaders.
constexpr GLuint kLightUnit = 0, kHereUnit = 1, kCoarserUnit = 2, kLanesUnit = 3;
constexpr float kNowhere = -9;  // column of a divider
constexpr float kWidest = 6;    // level, at kReferenceHeight
constexpr float kAlong = 2;     // deviation of kernels along tails, in pixels of a plane
// Levels below that of the directions that are smoothed along them. Finer ones have the light of many bodies, which
// have little noise, but H II regions, which would be stripes.
constexpr int kFiner = 2, kFinerLive = 1;
constexpr float kLanesAlong = 3;        // and of lanes, in pixels of the level of the directions
constexpr float kBelowCoarsest = 0.5f;  // levels between the widest kernel and the coarsest level

}  // namespace

float widest_level(int height) {
  const float wanted = kWidest + std::log2(static_cast<float>(height) / kReferenceHeight);
  return std::max(std::min(wanted, static_cast<float>(LightLevels::coarsest(height)) - kBelowCoarsest), 0.0f);
}

SmoothingPass::SmoothingPass(const ShaderLibrary& library)
    : flow_(library),
      corner_pass_(library),
      resolve_(library, {"resolve.vert", "resolve.frag"}),
      soften_(library, {"fullscreen.vert", "soften.frag"}),
      up_(library, {"fullscreen.vert", "smooth_up.frag"}, {"LANES 0"}),
      up_and_sharpen_(library, {"fullscreen.vert", "smooth_up.frag"}, {"LANES 1"}) {}

void SmoothingPass::arrange(const ImageTile& tile, int last) {
  first_ = std::max(tile.level, 1);
  tile_level_ = tile.level;
  has_flow_ = false;
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
  sums_.clear();
  corners_.clear();
  stretched_.clear();
  for (const Plane& plane : planes_) {
    arrived_.emplace_back(GL_RGBA16F, plane.size.x, plane.size.y);
    stretched_.push_back(same_size(arrived_.back()));
    if (arrived_.size() < planes_.size()) sums_.push_back(same_size(arrived_.back()));
    if (arrived_.size() > 1) corners_.push_back(CornerPass::target(arrived_.back()));
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
  summed_ = sums_.size();
}

void SmoothingPass::stretch(const Surroundings& around) {
  const int flow_level = FlowPass::level_of(around.height), coarser = flow_level + 1;
  const auto index = [&](int level) { return static_cast<std::size_t>(level - first_); };
  if (flow_level < std::max(first_, around.levels.first()) || index(coarser) >= arrived_.size()) return;
  has_flow_ = true;
  add_up(index(coarser), {});
  const ColorTarget& corners = corners_[index(flow_level)];
  corner_pass_.draw(sum_of(index(coarser)), 1, 0, corners);
  const float divider = std::ldexp(static_cast<float>(around.divider), -flow_level);
  flow_.find(around.levels.at(flow_level), corners.texture.name(), around.divider > 0 ? divider : kNowhere);
  for (int level = std::max(first_, flow_level - (around.live ? kFinerLive : kFiner)); level <= coarser; ++level) {
    const std::size_t k = index(level);
    const float texel = std::ldexp(1.0f, level - flow_level);
    flow_.smooth(arrived_[k].texture.name(), {.texel = glm::vec2(texel)}, kAlong * texel, stretched_[k]);
    std::swap(arrived_[k], stretched_[k]);
  }
  for (std::size_t k = index(coarser) + 1; k < arrived_.size(); ++k) soften(k);
  summed_ = sums_.size();
}

/// Makes kernels of a level rounder, because those of the coarsest are of single bodies, which would be squares.
void SmoothingPass::soften(std::size_t plane) {
  glBindVertexArray(no_attributes_.name());
  glUseProgram(soften_.name());
  glBindTextureUnit(kLightUnit, arrived_[plane].texture.name());
  cover(stretched_[plane]);
  glBindTextureUnit(kLightUnit, 0);
  std::swap(arrived_[plane], stretched_[plane]);
}

void SmoothingPass::collect(std::span<const Lanes> lanes) {
  if (!planes_.empty()) add_up(0, lanes);
}

/// Adds up the planes from number `first` on.
void SmoothingPass::add_up(std::size_t first, std::span<const Lanes> lanes) {
  for (; summed_ > first; --summed_) {
    const std::size_t k = summed_ - 1;
    corner_pass_.draw(sum_of(k + 1), 1, 0, corners_[k]);
    if (k == 0 && !lanes.empty()) {
      sharpen(lanes);
      continue;
    }
    glBindVertexArray(no_attributes_.name());
    glUseProgram(up_.name());
    glBindTextureUnit(kHereUnit, arrived_[k].texture.name());
    glBindTextureUnit(kCoarserUnit, corners_[k].texture.name());
    cover(sums_[k]);
  }
  for (const GLuint unit : {kHereUnit, kCoarserUnit, kLanesUnit}) glBindTextureUnit(unit, 0);
}

GLuint SmoothingPass::smooth_lanes(const Lanes& lanes, ColorTarget& target) const {
  if (!has_flow_) return lanes.texture;
  if (glm::ivec2(target.width, target.height) != lanes.cells)
    target = ColorTarget(GL_R16F, lanes.cells.x, lanes.cells.y);
  const float flow_texel = std::ldexp(1.0f, -FlowPass::level_of(lanes.height));
  const glm::vec2 covered(lanes.filled.y - lanes.filled.x, lanes.height);
  flow_.smooth(lanes.texture,
               {.texel = flow_texel * covered / glm::vec2(lanes.cells),
                .first_column = flow_texel * static_cast<float>(lanes.filled.x)},
               kLanesAlong, target);
  return target.texture.name();
}

/// The finest result, from the next one.
void SmoothingPass::sharpen(std::span<const Lanes> lanes) {
  const ColorTarget& target = sums_.front();
  std::array<GLuint, 2> smooth{};
  for (std::size_t half = 0; half < lanes.size(); ++half) smooth[half] = smooth_lanes(lanes[half], smooth_lanes_[half]);
  const GLuint program = up_and_sharpen_.name();
  glBindVertexArray(no_attributes_.name());
  glUseProgram(program);
  glBindTextureUnit(kHereUnit, arrived_[0].texture.name());
  glBindTextureUnit(kCoarserUnit, corners_[0].texture.name());
  glEnable(GL_SCISSOR_TEST);
  for (std::size_t half = 0; half < lanes.size(); ++half) {
    const Lanes& part = lanes[half];
    const auto width = static_cast<float>(part.filled.y - part.filled.x);
    glProgramUniform2f(program, 0, pixels() / width, pixels() / static_cast<float>(part.height));
    glProgramUniform1f(program, 1, -static_cast<float>(part.filled.x) / width);
    const int first = part.columns.x >> first_, end = (part.columns.y + (1 << first_) - 1) >> first_;
    glScissor(first, 0, end - first, target.height);
    glBindTextureUnit(kLanesUnit, smooth[half]);
    cover(target);
  }
  glDisable(GL_SCISSOR_TEST);
}

const ColorTarget& SmoothingPass::sum_of(std::size_t plane) const {
  return plane < sums_.size() ? sums_[plane] : arrived_.back();
}

GLuint SmoothingPass::sum(int level) const {
  const auto k = static_cast<std::size_t>(std::max(level - first_, 0));
  return level < first_ || k >= arrived_.size() ? 0 : sum_of(k).texture.name();
}

}  // namespace pericenter::render
