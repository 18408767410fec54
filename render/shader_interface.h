#pragma once

#include <glad/gl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>

#include "render/frame.h"

namespace pericenter::render {

/// Uniform block of shaders/frame.glsl, std140 layout.
struct alignas(16) FrameUniforms {
  glm::mat4 clip_from_world{1};
  glm::ivec2 size{0};
  std::uint32_t color_mode = 0;
  std::uint32_t show_halo = 0;
  float units = 0;
  float radius = 0;
  float low = 0, high = 1;
  float gain = 0;
  float bloom = 0;
  float min_radius = 0, max_radius = 64;
  glm::ivec2 first{0};
  float stops = 0;
  std::uint32_t color_map = 0;
  float dust = 0;
  std::uint32_t halo_fog = 0;
  float near = 0, far = 1;
  float depth_cue = 0;
  float age = 0, turn_off = 0;
  float knots = 1;
};
static_assert(sizeof(FrameUniforms) == 160);

/// Frame height in pixels that sizes and brightness refer to.
inline constexpr float kReferenceHeight = 720;

/// Binding points used in the shaders.
inline constexpr unsigned kFrameBinding = 0;  // uniform buffers
inline constexpr unsigned kColorsBinding = 1;
inline constexpr unsigned kDustBinding = 3;
inline constexpr unsigned kDustUnit = 7;       // texture
inline constexpr unsigned kSpreadUnit = 8;     // texture
inline constexpr unsigned kColumnsUnit = 9;    // texture
inline constexpr unsigned kBodiesBinding = 0;  // storage buffers
inline constexpr unsigned kLightBinding = 1;
inline constexpr unsigned kExposureBinding = 2;  // storage buffer, and uniform buffer of the tone map
inline constexpr unsigned kMarksBinding = 3;     // storage buffer
inline constexpr unsigned kBeforeBinding = 4;    // storage buffer, with kWayLocation in programs with MIXED 1 and 2
inline constexpr GLint kWayLocation = 20;
inline constexpr std::size_t kMixes = 3;  // values of Stars::mixed()

/// A range of the bodies that one compute dispatch reads.
struct BodyChunk {
  GLuint count, first;  ///< bodies of the range, and the index of the first
  GLuint every;         ///< one in `every` groups is dispatched
  GLuint groups;
};

inline constexpr GLuint kBodyGroup = 128;  ///< bodies per work group of the shaders that read them

/// Binds ranges of the vertex buffers, each within the minimum GL_MAX_SHADER_STORAGE_BLOCK_SIZE, and dispatches each.
/// The program in use is the variant Stars::mixed(). Afterwards they are unbound, because the simulation writes one
/// next.
template <class Dispatch>
void for_each_chunk(const Stars& stars, std::size_t every, const Dispatch& dispatch) {
  constexpr std::size_t kChunk = std::size_t{1} << 22;  // 64 MiB: half of that minimum
  constexpr std::size_t kBodyBytes = 16;
  const std::size_t stride = kBodyGroup * every;
  const bool mixed = stars.mixed() != 0;
  if (mixed) glUniform1f(kWayLocation, stars.way);
  for (std::size_t first = 0; first < stars.count; first += kChunk) {
    const std::size_t count = std::min(kChunk, stars.count - first);
    const auto bind = [&](GLuint binding, GLuint buffer) {
      glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, buffer, static_cast<GLintptr>(first * kBodyBytes),
                        static_cast<GLsizeiptr>(count * kBodyBytes));
    };
    bind(kBodiesBinding, stars.buffer);
    if (mixed) bind(kBeforeBinding, stars.before);
    dispatch(BodyChunk{.count = static_cast<GLuint>(count),
                       .first = static_cast<GLuint>(first),
                       .every = static_cast<GLuint>(every),
                       .groups = static_cast<GLuint>((count + stride - 1) / stride)});
  }
  for (const GLuint binding : {kBodiesBinding, kBeforeBinding}) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
}

}  // namespace pericenter::render
