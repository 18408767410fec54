#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>

#include "render/frame.h"
#include "render/gl_objects.h"

namespace pericenter::render {

// Star colours for legends and shaders: sRGB values, each channel in [0, 1]. Where stars have their own colours, their
// light is given, in units of the sRGB primaries: light of several bodies adds up, colours of screens do not.

/// Number of equally spaced colours in a map.
inline constexpr std::size_t kMapSteps = 33;

/// Colour of a perceptually uniform map at `at`, clamped to [0, 1]. Magma and grey start above their dark end, which
/// would be invisible on black.
glm::vec3 map_color(ColorMap map, float at);

/// A spectral class of the Harvard sequence.
struct StellarClass {
  const char* name;
  glm::vec3 light;
};
inline constexpr std::size_t kStellarClasses = 7;
/// O B A F G K M.
const std::array<StellarClass, kStellarClasses>& stellar_classes();
glm::vec3 ionized_gas_light();

/// Number of galaxy colours, and of sets of them; further galaxies repeat them.
inline constexpr std::size_t kGalaxyColors = 7, kGalaxyColorSets = 2;
/// Colour of bodies of a galaxy born at radius `birth`, in units of five disc scale lengths: pale inside, saturated
/// outside.
glm::vec3 origin_color(std::size_t galaxy, float birth, GalaxyColors colors = GalaxyColors::safe);

glm::vec3 halo_light();
/// Light of a body that belongs to no galaxy.
glm::vec3 other_light();
/// Colour of a body without a value.
glm::vec3 unknown_color();

/// Colour of a marked star: of a hue that no star has, the lightest in a dark image and the darkest in a light one.
glm::vec3 marked_color(Background background);

/// How a star of this colour looks on the light background: dark, with the hue kept. Same as in shaders/tone_map.frag.
glm::vec3 on_light_background(const glm::vec3& color);
/// How a star with this light looks; on the dark background, where it is faint. Same as in shaders/tone_map.frag.
glm::vec3 star_color(const glm::vec3& light, Background background);

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

inline constexpr std::size_t kLevelColors = 21;  ///< array size in shaders/box.glsl

/// sRGB colours of tree levels, starting at the root; deeper levels than these share the last one.
///
/// Hues of OKLCH (Ottosson 2020, https://bottosson.github.io/posts/oklab/) in steps of five 21sts of the circle: none
/// repeats, and four successive levels are far apart. The contrast to the background falls from level to level, so that
/// levels stay apart for people with a colour vision deficiency.
/// tests/app/ui/color_vision_tests.cpp has the limits.
constexpr std::array<glm::vec3, kLevelColors> level_colors(Background background) {
  using Codes = std::array<std::uint32_t, kLevelColors>;
  constexpr Codes kOnDark = {0x50F4C5, 0xACCFFE, 0xFFA2DE, 0xFDA943, 0x5FD288, 0x49BCFF, 0xD887DF,
                             0xED8544, 0x72B34E, 0x0CA9CF, 0xAC78DB, 0xDB6750, 0x829602, 0x0B98A3,
                             0x826ED4, 0xC6515F, 0x897B03, 0x038880, 0x5768C9, 0xB0416E, 0x896502};
  constexpr Codes kOnLight = {0x034A2E, 0x5E3D01, 0x89015B, 0x1146B9, 0x016959, 0x745D04, 0xB61955,
                              0x5B54D4, 0x058080, 0x7B7904, 0xD23840, 0x8C5CDE, 0x0591A5, 0x6E9400,
                              0xE25311, 0xB460DA, 0x069CCB, 0x36AC34, 0xDA7502, 0xD662CA, 0x099FFA};
  std::array<glm::vec3, kLevelColors> colors{};
  for (std::size_t k = 0; k < kLevelColors; ++k) {
    const std::uint32_t rgb = background == Background::light ? kOnLight[k] : kOnDark[k];
    colors[k] = glm::vec3(rgb >> 16 & 0xFFu, rgb >> 8 & 0xFFu, rgb & 0xFFu) / 255.0f;
  }
  return colors;
}

/// The colour of one level.
constexpr glm::vec3 level_color(int level, Background background) {
  return level_colors(background)[std::min(static_cast<std::size_t>(std::max(level, 0)), kLevelColors - 1)];
}

}  // namespace pericenter::render
