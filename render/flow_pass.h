#pragma once

#include <glm/glm.hpp>

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Directions of the tails, arms and lanes in an image, and light that is smoothed along them.
///
/// The direction in which the logarithm of the light changes least follows from the mean of the products of its slopes
/// (coherence-enhancing filters: Weickert 1999, doi:10.1023/A:1008009714131). Smoothed along it, narrower kernels leave
/// as little noise as wide round ones, which make tails wider.
class FlowPass {
 public:
  explicit FlowPass(const ShaderLibrary& library);

  /// The level of the light in which directions are found, in an image of this height.
  static int level_of(int height);
  /// Finds the directions. `here`: light of level level_of() and finer ones; `coarser`: that of coarser ones, one level
  /// higher. Over column `divider` of `here`, between two halves, nothing is compared.
  void find(const ColorTarget& here, GLuint coarser, float divider);

  /// What an image of light covers, in texels of `here`.
  struct Place {
    glm::vec2 texel{1};  ///< size of its texels
    float first_column = 0;
  };
  /// Smooths light into `target`, which is as large, by up to `deviation` texels of `here` (standard deviation).
  void smooth(GLuint light, const Place& place, float deviation, const ColorTarget& target) const;

 private:
  LazyProgram light_, gradient_, flow_, along_;
  VertexArray no_attributes_ = make_vertex_array();
  ColorTarget logarithm_, tensors_, directions_;
};

}  // namespace pericenter::render
