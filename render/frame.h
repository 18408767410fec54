#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "render/camera.h"

namespace pericenter::render {

/// What the colour of a star means. The last five are numbers that the vertices hold (pericenter::Scalar) on a colour
/// map.
enum class ColorMode { stars, origin, speed, acceleration, density, interactions, force_error };
inline constexpr int kColorModes = 7;
constexpr bool is_scalar(ColorMode mode) {
  return mode >= ColorMode::speed;
}

enum class ColorMap { viridis, cividis, magma, grey };
enum class StarStyle { automatic, splat, sprites };

/// How light becomes a colour of the screen: as film does, or by the asinh stretch of astronomers.
enum class ToneCurve { filmic, asinh };

/// What the stars are drawn on: the night sky, or paper, where they are ink.
enum class Background { dark, light };

/// How the stars look; everything here may change from frame to frame.
struct ImageSettings {
  ColorMode color = ColorMode::stars;
  ColorMap map = ColorMap::viridis;
  float low = 0, high = 1;  ///< what the vertices hold at the two ends of the colour map
  StarStyle style = StarStyle::automatic;
  bool show_halo = false;
  bool auto_exposure = true;
  float exposure = 0;   ///< stops: +1 is twice the light; on top of the automatic exposure
  float star_size = 1;  ///< of sprites, relative
  float bloom = 0.5f;   ///< share of the light that spreads softly, 0 to 1
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
  float fill = 0.2f;  ///< opacity of the faces, which shows where boxes overlap
  bool flat = false;  ///< squares instead of cubes (2D)

  friend bool operator==(const BoxSettings&, const BoxSettings&) = default;
};

/// The ways that some of the bodies have come.
struct TrailSettings {
  bool show = false;
  float length = 5;  ///< of time, in the simulation's units
  float opacity = 0.5f;
  int bodies = 2000;  ///< that have one, at most

  friend bool operator==(const TrailSettings&, const TrailSettings&) = default;
};

/// What lies in a GL buffer, by name; the renderer does not know who wrote it. 16 bytes a vertex, as in
/// shaders/vertex_layout.glsl.
struct Stars {
  unsigned buffer = 0;
  std::size_t count = 0;
};

/// All that is seen.
struct Frame {
  Stars stars = {};
  Camera camera = {};
  ImageSettings settings = {};
  BoxSettings boxes = {};
  TrailSettings trails = {};
  bool show_probe = false;
  /// One of many that follow each other in a window: a software renderer may draw it with fewer pixels, to keep up.
  bool live = false;
  /// Since the picture before: the automatic exposure follows in about half a second, and at once when this is
  /// infinite.
  float seconds = std::numeric_limits<float>::infinity();
};

}  // namespace pericenter::render
