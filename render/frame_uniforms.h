#pragma once

#include <cstdint>
#include <glm/glm.hpp>

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
};
static_assert(sizeof(FrameUniforms) == 160);

/// Frame height in pixels that sizes and brightness refer to.
inline constexpr float kReferenceHeight = 720;

/// Binding points used in the shaders.
inline constexpr unsigned kFrameBinding = 0;  // uniform buffers
inline constexpr unsigned kColorsBinding = 1;
inline constexpr unsigned kDustBinding = 3;
inline constexpr unsigned kDustUnit = 7;       // texture
inline constexpr unsigned kBodiesBinding = 0;  // storage buffers
inline constexpr unsigned kLightBinding = 1;
inline constexpr unsigned kExposureBinding = 2;  // storage buffer, and uniform buffer of the tone map
inline constexpr unsigned kMarksBinding = 3;     // storage buffer

}  // namespace pericenter::render
