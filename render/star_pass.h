#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "render/color_map.h"
#include "render/dust_pass.h"
#include "render/gl_objects.h"
#include "render/renderer.h"
#include "render/shader_library.h"
#include "render/smoothing_pass.h"

namespace pericenter::render {

/// How the light of a body is distributed over pixels; FOOTPRINT of shaders/accumulate.comp.
enum class Footprint {
  pixel,              ///< one pixel per body
  bilinear,           ///< four pixels per body
  crowded,            ///< same image as bilinear; faster when thousands of bodies share a pixel
  pixel_or_sprite,    ///< a soft sprite when the radius exceeds a pixel
  bilinear_or_sprite  ///< likewise
};
inline constexpr int kFootprints = 5;

/// Footprint and size of the bodies in one frame.
struct StarShape {
  Footprint footprint = Footprint::pixel;
  float radius = 1;         ///< sprite radius at the camera target, pixels; scales with depth
  float min = 0, max = 64;  ///< limits of the radius of each body, pixels
};

/// Input for the choice of a footprint.
struct StarView {
  std::size_t count = 0;
  float closeness = 1;  ///< fitted distance over current distance
  float height = 0;     ///< height of the frame, pixels
  bool software = false;
  bool halved = false;  ///< a pixel of the frame becomes four of the screen
};

/// Chooses soft sprites for few bodies or a close camera, within a budget of pixels.
StarShape star_shape(const StarView& view, const ImageSettings& settings);

/// Fixed-point value of the total light of one body: all bodies on one pixel stay below 2^32.
float fixed_point_units(std::size_t count);

/// Accumulates the light of all bodies in an integer image, so the result does not depend on their order.
class StarPass {
 public:
  explicit StarPass(const ShaderLibrary& library);

  /// Maximum number of pixels of the image on this driver.
  std::int64_t max_pixels() const { return max_pixels_; }
  /// Allocates width x height pixels, and more for coarse images.
  void resize(int width, int height, std::size_t coarse_pixels = 0);
  /// Where the light of faint stars goes; shaders/accumulate.comp.
  struct Spread {
    GLuint levels = 0;                                  ///< CrowdPass::levels()
    glm::vec4 place{1};                                 ///< CrowdPass::place_of()
    float widest = 0;                                   ///< level
    float in_dust = 0;                                  ///< more neighbours per squared optical depth of the dust
    glm::ivec2 first_level{1, 0};                       ///< level of the first plane, level of the image
    std::span<const SmoothingPass::Plane> planes = {};  ///< empty: this light is not drawn
    bool one_pixel = false;                             ///< light goes to one pixel of four, for a quarter of the time
  };
  struct Drawing {
    Footprint footprint = Footprint::pixel;
    ColorMode color = ColorMode::stars;
    unsigned every = 1;                   ///< draws one in `every` groups of stars, each star with the light of `every`
    const DustPass* left_dust = nullptr;  ///< dust on the left side; nullptr: nothing absorbs light
    const DustPass* dust = nullptr;       ///< dust for `stars`
    const Spread* spread = nullptr;       ///< nullptr: all light is sharp
    std::function<void(Half)> look = {};  ///< sets the frame uniforms for a side; empty: they are the same
  };
  /// Redraws the image; the frame uniforms must be bound.
  void draw(const Stars& stars, const Drawing& drawing) { draw({}, stars, 0, drawing); }
  /// The same with other stars on the left of pixel column `divider`. Marked stars are also added to the fourth
  /// channel. The number of visible bodies is that of `stars` if any of their columns is in the image.
  void draw(const Stars& left, const Stars& stars, int divider, const Drawing& drawing);

  /// Buffer texture of the accumulated light, as in shaders/accumulation.glsl.
  GLuint light() const { return light_texture_.name(); }

 private:
  struct Columns {
    int first, end;
    bool counted;  ///< its bodies count as visible
    const DustPass* dust;
  };
  void clear() const;
  void add(Half half, const Stars& stars, const Columns& columns, const Drawing& drawing);
  static void bind(GLuint program, const Spread& spread);
  static void dispatch(const LazyProgram& program, const Stars& stars, unsigned every);

  bool software_;
  ProgramVariants programs_;
  LazyProgram clear_program_;
  ColorTables colors_;
  std::int64_t max_pixels_ = 0;
  Buffer light_;
  Texture light_texture_;
  GLsizeiptr bytes_ = 0;
  int width_ = 0;
};

}  // namespace pericenter::render
