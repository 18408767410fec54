#pragma once

#include <glm/glm.hpp>

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Where the dust is, seen from the camera; shaders/dust.glsl.
struct DustView {
  glm::mat4 clip_from_world{1};  ///< projection of the whole frame
  float aspect = 1;              ///< width of the frame over its height
  float near = 0, far = 1;       ///< depths between which the dust is
  float height = 1;              ///< height of the frame at depth 1
  bool live = false;             ///< see Frame::live
  unsigned every = 1;            ///< one star in so many is drawn
  float absorption = 1;          ///< ImageSettings::dust
};

/// Optical depth of the dust between the camera and every place in view, and its density there.
///
/// The cold bodies of discs carry dust: its column density is theirs. Their number is counted in cells of a grid over
/// the view (finer for more bodies), then summed along the line of sight. Dust is decorative: no gas is simulated.
class DustPass {
 public:
  explicit DustPass(const ShaderLibrary& library);

  /// Computes the grid of these stars. Of very many stars it counts one in a few groups, which changes only the noise;
  /// without a GPU, live frames do so from fewer stars on, and their grid is never finer.
  void fill(const Stars& stars, const DustView& view);
  /// Binds the grid for shaders/dust.glsl.
  void bind() const;
  /// Factor for light that is spread, over the view, because kernels of light fill lanes; shaders/dust_lanes.comp.
  GLuint lanes() const { return lanes_.name(); }
  glm::ivec2 lanes_size() const { return {grid_.width, grid_.height}; }

 private:
  struct Grid {
    int width = 0, height = 0, depth = 0;

    friend bool operator==(const Grid&, const Grid&) = default;
  };
  Grid grid_for(std::size_t stars, const DustView& view) const;
  void resize(const Grid& grid);
  void count(const Stars& stars, std::size_t most) const;

  bool software_;
  ProgramVariants count_;
  LazyProgram sum_, sharpen_;
  Grid grid_;
  Buffer cells_, uniforms_;
  Texture depth_, columns_, lanes_;
};

}  // namespace pericenter::render
