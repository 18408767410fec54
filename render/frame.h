#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>
#include <optional>

#include "render/camera.h"

namespace pericenter::render {

/// Meaning of the star colour. From the speed on they show the scalar of each vertex (pericenter::Scalar): the last as
/// the number of a type, which has a colour of its own, the others on a colour map.
enum class ColorMode { stars, origin, speed, acceleration, density, interactions, force_error, field, type };
inline constexpr int kColorModes = 9;
constexpr bool shows_values(ColorMode mode) {
  return mode >= ColorMode::speed;
}
constexpr bool is_scalar(ColorMode mode) {
  return shows_values(mode) && mode != ColorMode::type;
}
/// COLORS in shaders/colors.glsl.
inline constexpr std::size_t kColorGroups = 3;
constexpr std::size_t color_group(ColorMode mode) {
  return is_scalar(mode) ? 2 : mode == ColorMode::stars ? 0 : 1;
}

enum class ColorMap { viridis, cividis, magma, grey };
/// Colours of galaxies in ColorMode::origin. The safe ones differ for people with a colour vision deficiency; the
/// bright ones show a pair of galaxies in more vivid colours.
enum class GalaxyColors { safe, bright };
enum class StarStyle { automatic, splat, sprites };

/// Tone curve from light to screen colour: filmic, or the asinh stretch used in astronomy.
enum class ToneCurve { filmic, asinh };

/// Dark: bright stars on a night sky. Light: dark stars on white, as on a photographic plate.
enum class Background { dark, light };

/// Star and image settings; all may change from frame to frame.
struct ImageSettings {
  ColorMode color = ColorMode::stars;
  ColorMap map = ColorMap::viridis;
  GalaxyColors galaxies = GalaxyColors::safe;
  float low = 0, high = 1;  ///< scalars at the two ends of the colour map
  StarStyle style = StarStyle::automatic;
  bool show_halo = false;
  bool auto_exposure = true;
  float exposure = 0;      ///< stops (+1 doubles the light), added to the automatic exposure
  float star_size = 1;     ///< relative size of sprites
  bool by_mass = false;    ///< there are stars of known mass, in colours of stars: their sizes show it
  float bloom = 0.5f;      ///< share of the light that blooms, 0 to 1
  float depth_cue = 0.5f;  ///< dimming of far stars, 0 to 1; ignored if colours show values
  float dust = 1;          ///< strength of the absorption by dust, 0 to 2; only with the colours of stars
  bool sky = false;        ///< decorative stars and galaxies in the background, see shows_sky()
  ToneCurve tone = ToneCurve::filmic;
  Background background = Background::dark;

  friend bool operator==(const ImageSettings&, const ImageSettings&) = default;
};

/// A cell of the tree overlay; same layout as pericenter::TreeBox.
struct Box {
  float center[3];
  float half_width[3];
  std::int32_t level;
};

struct BoxSettings {
  bool show = false;
  float opacity = 0.5f;
  float fill = 0.2f;  ///< opacity of the faces
  bool flat = false;  ///< squares instead of cubes (2D)
  /// Levels from here on are hidden; a fraction fades in the level that it belongs to.
  float revealed = std::numeric_limits<float>::infinity();

  friend bool operator==(const BoxSettings&, const BoxSettings&) = default;
};

/// Trails: past paths of some of the bodies.
struct TrailSettings {
  bool show = false;
  float length = 5;  ///< duration, in simulation time units
  float opacity = 0.5f;
  int bodies = 2000;  ///< maximum number of trails

  friend bool operator==(const TrailSettings&, const TrailSettings&) = default;
};

/// Bodies that move all others, which have little mass or none: the first of them. They are drawn as dots over the
/// image, where they would be single stars among many.
struct PointMasses {
  std::size_t count = 0;
  bool sun = false;  ///< the first is the Sun, and the others are planets
};

/// Vertices in a GL buffer, 16 bytes each, as in shaders/vertex_layout.glsl.
struct Stars {
  unsigned buffer = 0;
  std::size_t count = 0;
  unsigned marks = 0;  ///< GL buffer with one bit per star: StarMarks::buffer(); 0: no star is marked
  /// GL buffer with the same stars at an earlier moment; 0: none. They are drawn at this share of the way from there,
  /// with the attributes of `buffer`.
  unsigned before = 0;
  float way = 1;
  bool bends = false;  ///< `buffer` has the bends of these ways, which then are parabolas, in place of scalars
  float age = 0;       ///< time since the start of the scene, Gyr, for the colours of stars; 0: not known
  PointMasses masses = {};

  /// MIXED of shaders/bodies.glsl.
  std::size_t mixed() const { return before == 0 || way >= 1 ? 0 : bends ? 2 : 1; }
};

/// Part of a split frame. The right one shows Frame::stars, as all of a frame that is not split.
enum class Half { right, left };

/// Other stars on the left of a vertical divider, with the same camera, exposure and colours.
struct Split {
  Stars left = {};
  float divider = 0.5f;       ///< share of the width
  bool side_by_side = false;  ///< the whole view is fitted into each half; otherwise a half shows its part of the view
};

/// Everything that is drawn in one frame.
struct Frame {
  Stars stars = {};
  std::optional<Split> split = {};
  Camera camera = {};
  ImageSettings settings = {};
  BoxSettings boxes = {};
  TrailSettings trails = {};
  bool show_probe = false;
  /// Part of a live sequence: may be drawn at reduced resolution, or with fewer stars, to keep the frame rate.
  bool live = false;
  /// Since the previous frame. The automatic exposure adapts in about half a second, and immediately when infinite.
  float seconds = std::numeric_limits<float>::infinity();

  /// First pixel column of the right half in an image of this width; 0: the frame is not split.
  int divider(int width) const {
    return split ? static_cast<int>(std::lround(split->divider * static_cast<float>(width))) : 0;
  }
  /// The half that a pixel column of an image of this width belongs to.
  Half half_at(float column, int width) const {
    return split && column < static_cast<float>(divider(width)) ? Half::left : Half::right;
  }
  const Stars& stars_of(Half half) const { return split && half == Half::left ? split->left : stars; }
  /// First and end of the pixel columns that the view of a half fills.
  glm::ivec2 columns(Half half, int width) const {
    if (!split || !split->side_by_side) return {0, width};
    return half == Half::left ? glm::ivec2(0, divider(width)) : glm::ivec2(divider(width), width);
  }
  /// Width over height of the view of a half, in an image of this size.
  float aspect(Half half, glm::ivec2 size) const {
    const glm::ivec2 filled = columns(half, size.x);
    return static_cast<float>(filled.y - filled.x) / static_cast<float>(size.y);
  }
  /// Projects the world to clip coordinates of the whole image.
  glm::mat4 clip_from_world(Half half, glm::ivec2 size) const {
    const glm::vec2 filled = glm::vec2(columns(half, size.x)) / static_cast<float>(size.x);
    const glm::mat4 moved = glm::translate(glm::mat4(1), {filled.x + filled.y - 1, 0, 0});
    return glm::scale(moved, {filled.y - filled.x, 1, 1}) * camera.projection(aspect(half, size)) * camera.view();
  }
};

}  // namespace pericenter::render
