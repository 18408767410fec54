#pragma once

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Prepares levels of light for shaders that enlarge them twice: see shaders/corners.frag and upsample.glsl.
class CornerPass {
 public:
  explicit CornerPass(const ShaderLibrary& library);

  /// A target for the corners of a level of this size.
  static ColorTarget target(const ColorTarget& level);
  /// Computes the corners of `share` of a level and, unless 0, the rest of `other`, which has its size.
  void draw(const ColorTarget& level, float share, GLuint other, const ColorTarget& corners) const;

 private:
  LazyProgram single_, mixed_;
  VertexArray no_attributes_ = make_vertex_array();
};

}  // namespace pericenter::render
