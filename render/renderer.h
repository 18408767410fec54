#pragma once

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "render/frame.h"
#include "render/image.h"
#include "render/offscreen_target.h"
#include "render/probe_pass.h"
#include "render/render_timings.h"
#include "render/star_marks.h"
#include "render/star_readback.h"

namespace pericenter::render {

/// A tile of an image that is too large to draw in one pass.
struct Tile {
  unsigned framebuffer = 0;  ///< bound, of the size of the tile
  glm::ivec2 first{0};       ///< upper left pixel of the tile in the image, rows from the top
  glm::ivec2 size{0};
  glm::ivec2 whole{0};  ///< size of the image
};

inline constexpr int kMaxStillSide = 16384;

/// Draws stars and overlays into a framebuffer of the current OpenGL 4.5 context.
///
/// Stages: integer accumulation (independent of the order, so images are reproducible), HDR resolve, bloom, exposure,
/// tone map, overlays. The class owns every GL object; the context must be current when it is destroyed.
class Renderer {
 public:
  /// Uses the shaders in the binary, or those in `shader_dir` if not empty. Throws std::runtime_error with file and
  /// line of a shader error. The first live frames draw one star in `decimation`, see StarDecimation.
  explicit Renderer(const std::string& shader_dir = {}, unsigned decimation = 1);
  ~Renderer();

  // Each half of a split frame has boxes, trails and a sampler of its own.
  /// Sets the boxes of the tree overlay.
  void set_boxes(std::span<const Box> boxes, Half half = Half::right);
  /// Sets the interactions that the probe overlay shows, in the right half.
  void set_probe(const ProbeDrawing& drawing);
  /// Adds the current positions to the trails; see TrailPass.
  void record_trails(const Stars& stars, double time, const TrailSettings& settings, Half half = Half::right);
  void clear_trails(Half half = Half::right);
  StarReadback& sampler(Half half = Half::right);
  StarMarks& marks();
  const StarMarks& marks() const;
  /// Exchanges boxes, trails and samplers of the halves.
  void swap_halves();

  /// Draws a complete frame to `framebuffer` of width x height pixels. A software renderer draws live frames at reduced
  /// resolution when that keeps 30 fps (AdaptiveResolution).
  void draw(const Frame& frame, unsigned framebuffer, int width, int height);

  /// Stretches an image over a rectangle of `framebuffer`; `first` is its lower left pixel.
  void copy(const OffscreenTarget& image, unsigned framebuffer, glm::ivec2 first, glm::ivec2 size);

  /// Renders an image of up to kMaxStillSide pixels per side, in tiles if necessary. `overlay` draws over each tile; it
  /// returns false to cancel, and the result is then empty. Stills have an automatic exposure of their own. Throws
  /// std::runtime_error when the size is not possible.
  Image still(const Frame& frame, int width, int height, const std::function<bool(const Tile&)>& overlay = {});

  /// The light of the stars in an image of this size, smoothed, without bloom and before exposure and tone curve,
  /// without sky and overlays. Throws std::runtime_error when it has too many pixels for one pass.
  LightImage light(const Frame& frame, int width, int height);

  /// Timings of a recent draw(), a few frames old; all 0 before the first.
  RenderTimings timings() const;
  /// Live frames draw one star in this many; see StarDecimation.
  unsigned star_decimation() const;

  /// See StarPicker::pick().
  std::optional<std::uint32_t> pick(const Frame& frame, glm::vec2 at, glm::ivec2 size);

  /// Reloads the shaders of shader_dir. On an error it keeps the old ones and returns the message, otherwise an empty
  /// string.
  std::string reload_shaders();
  /// Switches to another shader folder, also after an error, and reloads.
  std::string use_shaders(const std::string& shader_dir);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::render
