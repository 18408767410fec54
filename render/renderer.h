#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "render/camera.h"

namespace pericenter::render {

enum class ColorMode { component, galaxy, speed };
enum class StarStyle { automatic, splat, sprites };

/// How the stars look; everything here may change from frame to frame.
struct PictureSettings {
  ColorMode color = ColorMode::component;
  StarStyle style = StarStyle::automatic;
  bool show_halo = false;
  float exposure = 0;     ///< stops: +1 is twice the light
  float star_size = 1;    ///< of sprites, relative
  float glow = 0.5f;      ///< share of the light that spreads softly, 0 to 1
  float speed_scale = 1;  ///< the speed that ColorMode::speed shows at the hot end
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
  bool flat = false;  ///< squares instead of cubes (2D)
};

/// What lies in a GL buffer, by name; the renderer does not know who wrote it. 16 bytes a vertex, as in
/// shaders/vertex_layout.glsl.
struct Stars {
  unsigned buffer = 0;
  std::size_t count = 0;
};

/// Draws stars and tree boxes into a framebuffer of the current OpenGL 4.5 context.
///
/// Stars go through an integer accumulation image (order does not matter, so the picture is reproducible), an HDR image
/// and a tone map. Every GL object belongs to this class and dies with it, while the context is still current.
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

  /// Draws a whole picture, background included, to `framebuffer` of width x height pixels.
  void draw(const Stars& stars, const OrbitCamera& camera, const PictureSettings& picture, const BoxSettings& boxes,
            unsigned framebuffer, int width, int height);

  /// Reads the shaders of shader_dir again; on an error keeps the old ones and returns the message, else an empty
  /// string.
  std::string reload_shaders();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::render
