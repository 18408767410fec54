#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>

#include "render/frame.h"
#include "render/gl_objects.h"

namespace pericenter::render {

// Star colours for legends and shaders: sRGB values, each channel in [0, 1].

/// Number of equally spaced colours in a map.
inline constexpr std::size_t kMapSteps = 33;

/// Colour of a perceptually uniform map at `at`, clamped to [0, 1]. Magma and grey start above their dark end, which
/// would be invisible on black.
glm::vec3 map_color(ColorMap map, float at);

/// A spectral class of the Harvard sequence.
struct StellarClass {
  const char* name;
  glm::vec3 color;
};
inline constexpr std::size_t kStellarClasses = 7;
/// O B A F G K M.
const std::array<StellarClass, kStellarClasses>& stellar_classes();
glm::vec3 ionized_gas_color();

/// Number of galaxy colours, and of sets of them; further galaxies repeat them.
inline constexpr std::size_t kGalaxyColors = 7, kGalaxyColorSets = 2;
/// Colour of bodies of a galaxy born at radius `birth`, in units of five disc scale lengths: pale inside, saturated
/// outside.
glm::vec3 origin_color(std::size_t galaxy, float birth, GalaxyColors colors = GalaxyColors::safe);

glm::vec3 halo_color();
/// Colour of a body that belongs to no galaxy.
glm::vec3 other_color();
/// Colour of a body without a value.
glm::vec3 unknown_color();

/// Colour of a marked star: of a hue that no star has, the lightest in a dark image and the darkest in a light one.
glm::vec3 marked_color(Background background);

/// How a star of this colour looks on the light background: dark, with the hue kept. Same as in shaders/tone_map.frag.
glm::vec3 on_light_background(const glm::vec3& color);

/// Light that accumulates to this colour. It keeps the hue and lifts dark colours (by the square root of the strongest
/// channel), so that bodies at the dark end of a map stay visible.
glm::vec3 light_of(const glm::vec3& color);

/// Uniform buffer with the colours of color_map.h as light, for shaders that include colors.glsl.
class ColorTables {
 public:
  ColorTables();
  void bind() const;

 private:
  Buffer buffer_;
};

}  // namespace pericenter::render
