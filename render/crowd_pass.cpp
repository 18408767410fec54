#include "render/crowd_pass.h"

#include <algorithm>
#include <cmath>

#include "render/gl_info.h"
#include "render/light_levels.h"
#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr int kFinest = 2;      // level of the cells in which bodies are counted
constexpr int kMostLevels = 8;  // of shaders/crowd_level.frag
constexpr GLsizeiptr kCellBytes = 16;
constexpr std::size_t kCounted = 1'000'000, kSoftwareCounted = 25'000;  // bodies; more would only change the noise
constexpr float kKernelArea = 5.65f;  // pixels of a level that its kernel covers: 4 pi times its variance
constexpr float kPilot = 1;           // levels by which the density is measured more widely than the light is spread
constexpr float kNeighbours = 36;     // of 20,000 bodies
enum CountLocation { count, every, columns_of, size_of_image, scale_of_cells };

}  // namespace

float neighbours(std::size_t stars) {
  return kNeighbours * std::pow(static_cast<float>(stars) / 20'000, 2.0f / 3);
}

CrowdPass::CrowdPass(const ShaderLibrary& library)
    : software_(gl_info().software),
      count_(library, {"crowd_count.comp"}, {{"MIXED", kMixes}}),
      first_(library, {"fullscreen.vert", "crowd_down.frag"}, {"FIRST 1"}),
      down_(library, {"fullscreen.vert", "crowd_down.frag"}, {"FIRST 0"}),
      level_(library, {"fullscreen.vert", "crowd_level.frag"}, {"FINEST 0"}),
      finest_level_(library, {"fullscreen.vert", "crowd_level.frag"}, {"FINEST 1"}) {}

void CrowdPass::resize(const ImageTile& tile) {
  const int finest = std::max(kFinest, tile.level), last = LightLevels::coarsest(tile.whole.y);
  const auto number = static_cast<std::size_t>(std::clamp(last - finest + 1, 1, kMostLevels));
  const glm::ivec2 size = (tile.whole + (1 << finest) - 1) >> finest;
  tile_level_ = tile.level;
  if (finest == finest_ && crowds_.size() == number && size == glm::ivec2(map_.width, map_.height)) return;
  finest_ = finest;
  allocate(cells_, kCellBytes * size.x * size.y);
  counts_ = make_buffer_texture(GL_RGBA32UI, cells_);
  crowds_.clear();
  for (std::size_t k = 0; k < number; ++k) {
    const glm::ivec2 part = (size + (1 << k) - 1) >> static_cast<int>(k);
    crowds_.emplace_back(GL_RGBA16F, part.x, part.y);
  }
  map_ = same_size(crowds_.front());
  const glm::ivec2 half = (size + 1) >> 1;
  coarser_ = ColorTarget(GL_RGBA16F, half.x, half.y);
}

void CrowdPass::clear(const ImageTile& tile, std::size_t stars) {
  resize(tile);
  stars_ = stars;
  const std::size_t most = software_ ? kSoftwareCounted : kCounted;
  counted_every_ = std::max<std::size_t>((stars + most - 1) / most, 1);
  glClearNamedBufferData(cells_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
}

void CrowdPass::add(const Stars& stars, glm::ivec2 columns) const {
  const GLuint program = count_.get({stars.mixed()}).name();
  glUseProgram(program);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, cells_.name());
  glProgramUniform2i(program, columns_of, columns.x, columns.y);
  glProgramUniform2i(program, size_of_image, map_.width, map_.height);
  glProgramUniform1f(program, scale_of_cells, std::ldexp(1.0f, tile_level_ - finest_));
  for_each_chunk(stars, counted_every_, [&](const BodyChunk& chunk) {
    glProgramUniform1ui(program, count, chunk.count);
    glProgramUniform1ui(program, every, chunk.every);
    glDispatchCompute(chunk.groups, 1, 1);
  });
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, 0);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void CrowdPass::finish(float widest, unsigned every) {
  constexpr GLuint kCellsUnit = 0, kFinerUnit = 1;
  glBindVertexArray(no_attributes_.name());
  glUseProgram(first_.name());
  glProgramUniform1i(first_.name(), 0, map_.width);
  glBindTextureUnit(kCellsUnit, counts_.name());
  cover(crowds_.front());
  glUseProgram(down_.name());
  for (std::size_t k = 1; k < crowds_.size(); ++k) {
    glBindTextureUnit(kFinerUnit, crowds_[k - 1].texture.name());
    cover(crowds_[k]);
  }
  // Wider by kPilot levels, a kernel contains so many more bodies.
  const float enough = neighbours(stars_ / every) * std::exp2(2 * kPilot) / kKernelArea;
  const float per_counted = static_cast<float>(counted_every_) / static_cast<float>(every);
  for (std::size_t k = 0; k < crowds_.size(); ++k) glBindTextureUnit(static_cast<GLuint>(k), crowds_[k].texture.name());
  for (const LazyProgram* program : {&level_, &finest_level_})
    glProgramUniform1f(program->name(), 0, enough / per_counted);
  glUseProgram(level_.name());
  glProgramUniform1i(level_.name(), 1, static_cast<int>(crowds_.size()));
  cover(coarser_);
  glUseProgram(finest_level_.name());
  glProgramUniform1f(finest_level_.name(), 1, static_cast<float>(finest_) - kPilot);
  glProgramUniform1f(finest_level_.name(), 2, widest);
  glBindTextureUnit(kMostLevels, coarser_.texture.name());
  cover(map_);
  for (GLuint k = 0; k <= kMostLevels; ++k) glBindTextureUnit(k, 0);
}

glm::vec4 CrowdPass::place_of(const ImageTile& tile) const {
  const glm::vec2 texel = 1.0f / (glm::vec2(map_.width, map_.height) * static_cast<float>(1 << finest_));
  return {static_cast<float>(1 << tile.level) * texel, glm::vec2(tile.first) * texel};
}

}  // namespace pericenter::render
