#pragma once

#include <cstddef>
#include <cstdint>

#include "render/color_tables.h"
#include "render/gl_objects.h"
#include "render/renderer.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// How the light of bodies spreads over the accumulation image; FOOTPRINT of shaders/accumulate.comp.
enum class Footprint {
  pixel,              ///< one pixel a body
  bilinear,           ///< four
  crowded,            ///< the same image as bilinear, and quicker where thousands of bodies fall on a pixel
  pixel_or_sprite,    ///< a soft sprite where a body's radius is above a pixel
  bilinear_or_sprite  ///< the same
};
inline constexpr int kFootprints = 5;

/// Footprint of the bodies in one picture.
struct StarShape {
  Footprint footprint = Footprint::pixel;
  float radius = 1;            ///< of a sprite at the camera's target, pixels; others by their depth
  float least = 0, most = 64;  ///< limits of the radius of each body, pixels
};

/// What the choice of a footprint depends on.
struct StarView {
  std::size_t count = 0;
  float closeness = 1;  ///< how much nearer the camera is than where fit() puts it
  float height = 0;     ///< of the picture, pixels
  bool software = false;
};

/// Soft sprites for few bodies or a close camera, as long as this machine can afford them.
StarShape star_shape(const StarView& view, const ImageSettings& picture);

/// Fixed-point value of one body's whole light: all bodies together on one pixel stay below 2^32.
float fixed_point_units(std::size_t count);

/// Adds the light of all bodies to an integer image: no order matters, so the same bodies give the same bytes.
class StarPass {
 public:
  explicit StarPass(const ShaderLibrary& library);

  /// Most pixels that the image can have here.
  std::int64_t max_pixels() const { return max_pixels_; }
  /// Room for width x height pixels.
  void resize(int width, int height);
  /// Fills the image anew; the frame's uniforms are bound. Of `every` groups of stars it draws one, each star with the
  /// light of so many.
  void draw(const Stars& stars, Footprint footprint, unsigned every);

  /// Buffer texture with the accumulated light, as in shaders/accumulation.glsl.
  GLuint light() const { return light_texture_.name(); }

 private:
  void clear() const;

  Program programs_[kFootprints];
  Program clear_program_;
  ColorTables colors_;
  bool software_;
  std::int64_t max_pixels_ = 0;
  Buffer light_;
  Texture light_texture_;
  GLsizeiptr bytes_ = 0;
};

}  // namespace pericenter::render
