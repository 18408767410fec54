#include "render/dust_pass.h"

#include <algorithm>
#include <cmath>

#include "render/gl_info.h"
#include "render/shader_interface.h"

namespace pericenter::render {
namespace {

constexpr GLuint kSumGroup = 8;                                      // local size of dust_sum.comp
constexpr std::size_t kCounted = 8'000'000, kCountedLive = 200'000;  // bodies; the latter in software rendering
constexpr std::size_t kCountedOfSome = 2'000'000;                    // of one star in several: the frame must be fast
constexpr float kMinColumns = 32, kMaxColumns = 240, kMaxColumnsLive = 96, kSoftwareColumns = 176;
constexpr float kColumnsPerRoot = 1.7f, kSoftwareColumnsPerRoot = 0.5f;  // per square root of the number of bodies
constexpr int kSlices = 64, kSlicesSoftware = 40, kSlicesLive = 32;
constexpr int kNumbers = 3;  // numbers before the cells: galaxies with dust, sum of dust and of its squares

// Optical depth at the centre of a disc that is seen face-on, times the area of an exponential disc of scale length 1.
constexpr float kFaceOn = 3.5f, kDiscArea = 6.2832f;
constexpr float kThickness = 0.2f;  // thickness of the dust, scale lengths

// How much lanes are sharpened in a grid of so many columns or fewer; of more columns, as much in the image.
constexpr float kSharpening = 2, kSharpenedColumns = 160;

/// Uniform block of shaders/dust.glsl, std140 layout.
struct DustUniforms {
  glm::mat4 clip_from_world{1};
  glm::ivec4 cells{0};
  float near = 0, far = 1, height = 1, aspect = 1, opacity = 0, volume = 0;
  float padding[2] = {};
};
static_assert(sizeof(DustUniforms) == 112);

}  // namespace

DustPass::DustPass(const ShaderLibrary& library)
    : software_(gl_info().software),
      count_(library, {"dust_count.comp"}, {{"MIXED", kMixes}}),
      sum_(library, {"dust_sum.comp"}),
      sharpen_(library, {"dust_lanes.comp"}) {
  allocate(uniforms_, sizeof(DustUniforms), nullptr, GL_DYNAMIC_STORAGE_BIT);
}

/// A column should contain several bodies with dust, or the dust would be grainy.
DustPass::Grid DustPass::grid_for(std::size_t stars, const DustView& view) const {
  const float root = std::sqrt(static_cast<float>(stars));
  float most = kMaxColumns;
  if (software_)
    most = view.live ? kMaxColumnsLive : std::clamp(kSoftwareColumnsPerRoot * root, kSoftwareColumns, most);
  const float columns = std::clamp(kColumnsPerRoot * root, kMinColumns, most);
  Grid grid;
  grid.width = static_cast<int>(columns);
  grid.height = static_cast<int>(std::clamp(columns / view.aspect, 1.0f, most));
  grid.depth = !software_ ? kSlices : view.live ? kSlicesLive : kSlicesSoftware;
  return grid;
}

void DustPass::resize(const Grid& grid) {
  if (grid == grid_) return;
  grid_ = grid;
  const GLsizeiptr numbers = kNumbers + GLsizeiptr{grid.width} * grid.height * grid.depth;
  allocate(cells_, numbers * static_cast<GLsizeiptr>(sizeof(GLuint)));
  depth_ = make_texture(GL_TEXTURE_3D);
  glTextureStorage3D(depth_.name(), 1, GL_RG16F, grid.width, grid.height, grid.depth);
  for (Texture* flat : {&columns_, &lanes_}) *flat = make_texture(GL_TEXTURE_2D);
  glTextureStorage2D(columns_.name(), 1, GL_RG16F, grid.width, grid.height);
  glTextureStorage2D(lanes_.name(), 1, GL_R16F, grid.width, grid.height);
  for (const GLuint texture : {depth_.name(), columns_.name(), lanes_.name()}) {
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    for (const GLenum side : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
      glTextureParameteri(texture, side, GL_CLAMP_TO_EDGE);
  }
}

void DustPass::fill(const Stars& stars, const DustView& view) {
  resize(grid_for(stars.count, view));
  const DustUniforms values{.clip_from_world = view.clip_from_world,
                            .cells = {grid_.width, grid_.height, grid_.depth, 0},
                            .near = view.near,
                            .far = view.far,
                            .height = view.height,
                            .aspect = view.aspect,
                            .opacity = kFaceOn * kDiscArea,
                            .volume = kDiscArea * kThickness};
  glNamedBufferSubData(uniforms_.name(), 0, sizeof values, &values);
  glBindBufferBase(GL_UNIFORM_BUFFER, kDustBinding, uniforms_.name());
  glClearNamedBufferData(cells_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, cells_.name());
  count(stars, software_ && view.live ? kCountedLive : view.every > 1 ? kCountedOfSome : kCounted);
  if (software_) glClearTexImage(depth_.name(), 0, GL_RG, GL_HALF_FLOAT, nullptr);  // columns without dust remain so
  const auto groups = [](int cells) { return (static_cast<GLuint>(cells) + kSumGroup - 1) / kSumGroup; };
  const auto for_each_column = [&] {
    glDispatchCompute(groups(grid_.width), groups(grid_.height), 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  };
  glUseProgram(sum_.name());
  glBindImageTexture(0, depth_.name(), 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RG16F);
  glBindImageTexture(1, columns_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RG16F);
  for_each_column();
  const float wider = std::max(static_cast<float>(grid_.width) / kSharpenedColumns, 1.0f);
  glUseProgram(sharpen_.name());
  glProgramUniform1f(sharpen_.name(), 0, kSharpening / (wider * wider));
  glProgramUniform1f(sharpen_.name(), 1, view.absorption);
  glBindTextureUnit(0, columns_.name());
  glBindImageTexture(0, lanes_.name(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R16F);
  for_each_column();
  glBindTextureUnit(0, 0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, 0);
}

void DustPass::bind() const {
  glBindBufferBase(GL_UNIFORM_BUFFER, kDustBinding, uniforms_.name());
  glBindTextureUnit(kDustUnit, depth_.name());
  glBindTextureUnit(kColumnsUnit, columns_.name());
}

void DustPass::count(const Stars& stars, std::size_t most) const {
  const GLuint program = count_.get({stars.mixed()}).name();
  glUseProgram(program);
  for_each_chunk(stars, (stars.count + most - 1) / most, [&](const BodyChunk& chunk) {
    glProgramUniform1ui(program, 0, chunk.count);
    glProgramUniform1ui(program, 2, chunk.every);
    glDispatchCompute(chunk.groups, 1, 1);
  });
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

}  // namespace pericenter::render
