#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <limits>
#include <optional>

#include "app/lessons/slide_picture.h"

// Pixels of a run in the picture of a slide, for the values of claims.
namespace pericenter::app {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t kFew = 30;  ///< fewer stars are not measured

using Pixel = glm::vec2;  // coordinates from the upper left

inline glm::vec3 point(const Vec3& position) {
  return {position[0], position[1], position[2]};
}

/// Where a point is in the picture, also outside of its part of it; nullopt: behind the camera.
std::optional<Pixel> pixel_of(const glm::vec3& position, const PicturedRun& run);
/// Whether the pixel is where the run is drawn.
bool is_inside(const std::optional<Pixel>& at, const PicturedRun& run);
/// Whether it is, and no words cover it.
bool is_seen(const std::optional<Pixel>& at, const PicturedRun& run);

/// Mean colour about a pixel, 0 to 1.
glm::vec3 color_at(Pixel at, const PicturedRun& run);
float brightness(const glm::vec3& color);

}  // namespace pericenter::app
