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
#include "render/probe_pass.h"
#include "render/render_timings.h"
#include "render/star_sampler.h"

namespace pericenter::render {

/// A part of a picture that is too large to be drawn at once.
struct Tile {
  unsigned framebuffer = 0;  ///< bound, and as large as the tile
  glm::ivec2 first{0};       ///< its upper left pixel in the whole picture, rows from the top
  glm::ivec2 size{0};
  glm::ivec2 whole{0};  ///< size of the picture
};

inline constexpr int kLargestStill = 16384;

/// Draws stars and what is shown with them into a framebuffer of the current OpenGL 4.5 context.
///
/// Stars go through an integer accumulation image (order does not matter, so the picture is reproducible), a picture of
/// high dynamic range, a glow, an exposure and a tone map. Every GL object belongs to this class and dies with it,
/// while the context is still current.
class Renderer {
 public:
  /// Shaders come from the binary, or from `shader_dir` when it is not empty. Throws std::runtime_error with file and
  /// line.
  explicit Renderer(const std::string& shader_dir = {});
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// The boxes that the overlay shows until the next call.
  void set_boxes(std::span<const Box> boxes);
  /// The walk that the probe shows until the next call.
  void set_probe(const ProbeDrawing& drawing);
  /// Takes up where the stars are, for their trails; see TrailPass.
  void record_trails(const Stars& stars, double time, const TrailSettings& settings);
  void forget_trails();
  StarSampler& sampler();

  /// Draws a whole picture, background included, to `framebuffer` of width x height pixels. Without a GPU, pictures
  /// that follow others (Picture::seconds is finite) have fewer pixels inside where that keeps 30 of them a second.
  void draw(const Frame& picture, unsigned framebuffer, int width, int height);

  /// The picture as an image of up to kLargestStill pixels a side, in tiles where it is too large to be drawn at once.
  /// `overlay` draws over each tile; it returns false to give up, and then the image is empty. The automatic exposure
  /// is that of stills, which follows Picture::seconds on its own. Throws std::runtime_error when the size is not
  /// possible.
  Image still(const Frame& picture, int width, int height, const std::function<bool(const Tile&)>& overlay = {});

  /// Of one of the last pictures that draw() made, without waiting for any; all 0 when none is known yet.
  RenderTimings timings() const;
  /// Of so many stars the last live picture has one, as StarDecimation chose.
  unsigned one_star_in() const;

  /// As StarPicker::pick().
  std::optional<std::uint32_t> pick(const Frame& picture, glm::vec2 at, glm::ivec2 size);

  /// Reads the shaders of shader_dir again; on an error keeps the old ones and returns the message, else an empty
  /// string.
  std::string reload_shaders();
  /// The same with those of another folder, which is the one to read them from after an error too.
  std::string use_shaders(const std::string& shader_dir);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::render
