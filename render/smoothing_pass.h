#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "render/corner_pass.h"
#include "render/flow_pass.h"
#include "render/gl_objects.h"
#include "render/halo_pass.h"
#include "render/image.h"
#include "render/light_levels.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Fewer bodies do not sample a galaxy: they are drawn unsmoothed, like planets.
inline constexpr std::size_t kSamples = 1000;

/// The light of faint stars, spread over the distance to their neighbours, so that a disc of few bodies looks like a
/// disc.
///
/// StarPass adds the light of each body to the coarse image whose pixels have the size of its kernel (CrowdPass). This
/// pass smooths the coarse images along the tails and arms in them, enlarges them, smoothly, and adds them up. The
/// light is conserved, to some 1 % where directions vary.
class SmoothingPass {
 public:
  explicit SmoothingPass(const ShaderLibrary& library);

  /// A coarse image in the accumulated light.
  struct Plane {
    int first = 0;  ///< number of its first pixel in StarPass::light()
    glm::ivec2 size{0};
  };

  /// Plans the coarse images of an image that `tile` shows completely, up to level `last` of the whole frame; 0: none.
  void arrange(const ImageTile& tile, int last);
  /// From level first_level() on, each one level coarser than the one before.
  std::span<const Plane> planes() const { return planes_; }
  int first_level() const { return first_; }
  /// Pixels of all planes.
  std::size_t plane_pixels() const;

  /// Resolves the planes; `light`: StarPass::light(). `halo` is added to level HaloPass::kLevel, or nullptr. The frame
  /// uniforms must be bound.
  void resolve(GLuint light, const HaloPass* halo);
  /// The resolved planes.
  std::span<const ColorTarget> targets() const { return arrived_; }
  /// What the directions of tails and arms follow from, besides the planes.
  struct Surroundings {
    const LightLevels& levels;  ///< light of all levels with that of the planes, see LightLevels::shrink()
    int height = 1;             ///< rows of the whole frame
    int divider = 0;            ///< its first column of the right half; 0: one image
    bool live = false;          ///< live frame without a GPU: the finest of them would take a twentieth of it
  };
  /// Smooths the planes along tails and arms, unless there are too few of them to tell.
  void stretch(const Surroundings& around);
  /// Lanes of dust in a part of the image, in columns of the whole frame: first and end.
  struct Lanes {
    GLuint texture = 0;     ///< DustPass::lanes()
    glm::ivec2 cells{1};    ///< its size
    glm::ivec2 columns{0};  ///< the part
    glm::ivec2 filled{0};   ///< what the texture covers
    int height = 1;         ///< rows of the whole frame
  };
  /// Adds them up, and sharpens the lanes, which are smoothed along tails and arms as well; `lanes` are either empty or
  /// cover the image.
  void collect(std::span<const Lanes> lanes);

  /// Texture of the light of a level of the whole frame and all coarser ones, 0 if none is spread there.
  GLuint sum(int level) const;
  /// The level that is added to the sharp image.
  GLuint finest() const { return sum(first_); }
  /// Pixels of the whole frame per pixel of it.
  float pixels() const { return static_cast<float>(1 << first_); }

 private:
  const ColorTarget& sum_of(std::size_t plane) const;
  void add_up(std::size_t first, std::span<const Lanes> lanes);
  void soften(std::size_t plane);
  GLuint smooth_lanes(const Lanes& lanes, ColorTarget& target) const;
  void sharpen(std::span<const Lanes> lanes);

  FlowPass flow_;
  CornerPass corner_pass_;
  bool has_flow_ = false;
  LazyProgram resolve_, soften_, up_, up_and_sharpen_;
  VertexArray no_attributes_ = make_vertex_array();
  std::vector<Plane> planes_;
  std::vector<ColorTarget> arrived_, sums_;  // the coarsest has no sum of its own
  std::vector<ColorTarget> corners_;         // of the sums, from the second on
  std::size_t summed_ = 0;                   // first plane whose sum has not changed since
  std::vector<ColorTarget> stretched_;       // targets for planes, and for the lanes of the two halves
  std::array<ColorTarget, 2> smooth_lanes_;
  int first_ = 1, tile_level_ = 0;
};

/// The level of the widest kernel in an image of this height: as wide a part of the image for every resolution.
float widest_level(int height);

}  // namespace pericenter::render
