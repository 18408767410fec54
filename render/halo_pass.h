#pragma once

#include <glm/glm.hpp>

#include "render/color_map.h"
#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Light of the bodies of halos in coarse cells of the image, so that a halo is a fog and not a cloud of dots.
class HaloPass {
 public:
  static constexpr int kLevel = 4;  ///< a cell covers 2^kLevel x 2^kLevel pixels of the whole frame

  explicit HaloPass(const ShaderLibrary& library);

  /// Clears the cells of an image of `size` pixels, which is level `level` of the whole frame.
  void clear(glm::ivec2 size, int level);
  /// Adds the halo bodies whose pixel column is in [columns.x, columns.y). Of very many bodies it draws one in a few
  /// groups, with the light of all. The frame uniforms must be bound.
  void add(const Stars& stars, glm::ivec2 columns) const;
  /// Adds the fog to a target that has level kLevel; `light`: StarPass::light(). A vertex array must be bound.
  void draw(const ColorTarget& target, GLuint light) const;

 private:
  ProgramVariants accumulate_;
  LazyProgram resolve_;
  ColorTables colors_;
  Buffer cells_;
  Texture texture_;
  glm::ivec2 size_{0};  // cells
  int side_ = 1;        // pixels of the image per cell
};

}  // namespace pericenter::render
