#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>

#include "render/frame.h"

namespace pericenter::render {

// The colours of stars, for legends and for the shaders. A colour is red, green and blue as a screen is given them
// (sRGB), each 0 to 1.

/// Equally spaced colours that a map is made of.
inline constexpr std::size_t kMapSteps = 33;

/// The colour at `at`, 0 to 1 and held there, of a map that is equally spaced for the eye. The dark ends of magma and
/// grey are left out: on black they could not be seen.
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

/// Home galaxies that have a colour of their own; the next ones begin anew.
inline constexpr std::size_t kGalaxyColors = 7;
/// The colour of the bodies of a galaxy that were born at the share `birth` of five disc scale lengths: pale inside,
/// deep outside.
glm::vec3 origin_color(std::size_t galaxy, float birth);

glm::vec3 halo_color();
/// Of a body that is part of no galaxy.
glm::vec3 other_color();
/// Of a body whose number is not known.
glm::vec3 unknown_color();

/// The light that adds up to a colour: its hue, which the tone map keeps, with dark colours lifted (by the root of
/// their strongest channel), so that bodies at the dark end of a map are not lost beside those at its bright end.
glm::vec3 light_of(const glm::vec3& color);

}  // namespace pericenter::render
