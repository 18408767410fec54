#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>

#include "render/frame.h"

namespace pericenter::render {

inline constexpr std::size_t kLevelColors = 8;

/// sRGB colours of tree levels, starting at the root and repeating: neighbours differ by an eighth of the hue circle at
/// similar lightness, light on a dark background and dark on a light one.
constexpr std::array<glm::vec3, kLevelColors> level_colors(Background background) {
  if (background == Background::light) {
    return {{{0.55f, 0.42f, 0.02f},
             {0.68f, 0.33f, 0.02f},
             {0.73f, 0.20f, 0.20f},
             {0.66f, 0.20f, 0.49f},
             {0.46f, 0.26f, 0.70f},
             {0.18f, 0.36f, 0.75f},
             {0.03f, 0.46f, 0.56f},
             {0.05f, 0.49f, 0.26f}}};
  }
  return {{{0.97f, 0.79f, 0.30f},
           {1.00f, 0.59f, 0.27f},
           {1.00f, 0.45f, 0.42f},
           {0.98f, 0.47f, 0.78f},
           {0.72f, 0.55f, 1.00f},
           {0.42f, 0.64f, 1.00f},
           {0.20f, 0.83f, 0.95f},
           {0.38f, 0.88f, 0.54f}}};
}

}  // namespace pericenter::render
