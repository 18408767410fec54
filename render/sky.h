#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/image.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// A star or a small galaxy of the decorative sky: infinitely far away, so that it has a direction and no position.
struct SkySource {
  glm::vec3 direction{0, 0, 1};  ///< unit vector
  glm::vec3 axis{1, 0, 0};       ///< unit vector of the long axis, perpendicular to `direction`
  float size = 0;                ///< radians: sigma of a star's Gaussian, or scale length of a galaxy along `axis`
  float ratio = 1;               ///< short axis over long axis
  glm::vec3 color{0};            ///< display colour at the centre; kBrightestSky at most
  bool galaxy = false;           ///< exponential profile; otherwise a Gaussian
};

/// Upper limit of a channel of the sky on the screen, whatever the exposure: far below simulated stars.
inline constexpr float kBrightestSky = 0.35f;

/// A sky in all directions; equal seeds give equal skies. Stars and galaxies have uniform density in space: the number
/// of stars brighter than magnitude m grows as 10^(0.6 m), that of galaxies larger than an angle as its -3rd power
/// (Hubble 1926, doi:10.1086/143018).
std::vector<SkySource> sky_sources(std::uint32_t seed);

/// A source in an image. Same layout as the attributes of shaders/sky.vert.
struct SkySpot {
  glm::vec2 center;       ///< pixels from the lower left corner of the image
  glm::vec2 axis;         ///< long axis, pixels
  glm::vec3 color;        ///< colour at the centre
  float across = 0;       ///< length of the short axis, pixels
  float exponential = 0;  ///< 1: profile of a galaxy, 0: of a star
};

/// The sources in an image of `size` pixels. Only direction, field of view and rise of the camera matter.
std::vector<SkySpot> sky_spots(std::span<const SkySource> sources, const Camera& camera, glm::ivec2 size);

/// Whether a frame has a sky: not in two dimensions, on a light background, or where colours, boxes, the probe or marks
/// encode a result.
bool shows_sky(const Frame& frame);

/// Draws the decorative sky behind what is in the framebuffer.
class SkyPass {
 public:
  explicit SkyPass(const ShaderLibrary& library);

  /// Into the bound framebuffer, which has the size of the tile. Bright parts of the image hide the sky.
  void draw(const Camera& camera, const ImageTile& tile);

 private:
  void place(const Camera& camera, glm::ivec2 size);

  LazyProgram program_;
  VertexArray attributes_ = make_vertex_array();
  std::vector<SkySource> sources_;
  Buffer spots_;
  GLsizei count_ = 0;
  glm::mat4 placed_view_{0};  ///< projection and direction for which spots_ was made
  glm::ivec2 placed_size_{0};
};

}  // namespace pericenter::render
