#include "render/star_pass.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "render/frame.h"

namespace pericenter::render {
namespace {

constexpr std::size_t kBodyBytes = 16;
constexpr std::size_t kGroup = 128;                   // local size of accumulate.comp
constexpr std::size_t kChunk = std::size_t{1} << 22;  // 64 MiB: half of the storage block that OpenGL promises
constexpr float kReferenceHeight = 720;

}  // namespace

StarShape star_shape(const StarView& view, const PictureSettings& picture) {
  const StarShape splat{.footprint = view.software ? Footprint::pixel : Footprint::bilinear};
  if (picture.style == StarStyle::splat || view.count == 0) return splat;

  // As wide as a splat at 20,000 bodies, and wider the fewer there are or the closer they come.
  const float count = static_cast<float>(view.count);
  const float natural = 1.25f * std::cbrt(20'000 / count) * view.closeness;
  const float wanted =
      std::min(natural, 12.0f) * picture.star_size * static_cast<float>(view.height) / kReferenceHeight;
  // Pixels that a frame may touch: some 5 ms of two cores, or a few of a modest GPU.
  const float budget = view.software ? 2e5f : 2e7f;
  const float affordable = 0.5f * std::sqrt(budget / count);
  if (picture.style == StarStyle::automatic && std::min(wanted, affordable) < 1) return splat;
  return {.footprint = Footprint::sprite, .radius = std::clamp(std::min(wanted, affordable), 1.0f, 64.0f)};
}

float fixed_point_units(std::size_t count) {
  // Whole numbers up to 2^24 are exact in a float.
  const double room = 4294967295.0 / static_cast<double>(std::max<std::size_t>(count, 1));
  return static_cast<float>(std::clamp(std::floor(room), 1.0, 16777216.0));
}

void StarPass::build(const ShaderLibrary& library) {
  Program built[3];
  for (int footprint = 0; footprint < 3; ++footprint) {
    built[footprint] = library.build({"accumulate.comp"}, "FOOTPRINT " + std::to_string(footprint));
  }
  std::move(std::begin(built), std::end(built), std::begin(programs_));
}

void StarPass::resize(int width, int height) {
  const GLsizeiptr bytes = 16 * static_cast<GLsizeiptr>(width) * height;
  if (bytes == bytes_) return;
  light_ = make_buffer();
  glNamedBufferStorage(light_.name(), bytes, nullptr, 0);
  GLuint texture = 0;
  glCreateTextures(GL_TEXTURE_BUFFER, 1, &texture);
  light_texture_ = Texture(texture);
  glTextureBuffer(texture, GL_RGBA32UI, light_.name());
  bytes_ = bytes;
}

void StarPass::draw(const Stars& stars, Footprint footprint) {
  glClearNamedBufferData(light_.name(), GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, kLightBinding, light_.name());
  const Program& program = programs_[static_cast<int>(footprint)];
  glUseProgram(program.name());
  for (std::size_t first = 0; first < stars.count; first += kChunk) {
    const std::size_t count = std::min(kChunk, stars.count - first);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, kBodiesBinding, stars.buffer, static_cast<GLintptr>(first * kBodyBytes),
                      static_cast<GLsizeiptr>(count * kBodyBytes));
    glProgramUniform1ui(program.name(), 0, static_cast<GLuint>(count));
    glDispatchCompute(static_cast<GLuint>((count + kGroup - 1) / kGroup), 1, 1);
  }
  // The bodies' buffer goes back to the simulation.
  for (const GLuint binding : {kBodiesBinding, kLightBinding}) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

}  // namespace pericenter::render
