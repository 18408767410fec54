#pragma once

#include <cstdint>
#include <glm/glm.hpp>

namespace pericenter::render {

/// What holds for one picture; the uniform block of shaders/frame.glsl, in std140.
struct FrameUniforms {
  glm::mat4 clip_from_world{1};
  glm::ivec2 size{0};
  std::uint32_t color_mode = 0;
  std::uint32_t show_halo = 0;
  float units = 0;
  float radius = 0;
  float low = 0, high = 1;
  float gain = 0;
  float bloom = 0;
  float least_radius = 0, most_radius = 64;
  glm::ivec2 first{0};
  std::uint32_t tone = 0;
  std::uint32_t background = 0;
  float stops = 0;
  std::uint32_t color_map = 0;
  float padding[2] = {};
};
static_assert(sizeof(FrameUniforms) == 144);

/// Height of the picture, in pixels, for which sizes and brightness are given.
inline constexpr float kReferenceHeight = 720;

/// Binding points that the shaders name.
inline constexpr unsigned kFrameBinding = 0;  // uniform buffers
inline constexpr unsigned kColorsBinding = 1;
inline constexpr unsigned kBodiesBinding = 0;  // storage buffers
inline constexpr unsigned kLightBinding = 1;
inline constexpr unsigned kExposureBinding = 2;  // storage buffer, and uniform buffer of the tone map

}  // namespace pericenter::render
