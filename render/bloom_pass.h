#pragma once

#include <vector>

#include "render/gl_objects.h"
#include "render/lazy_program.h"
#include "render/light_levels.h"
#include "render/shader_library.h"
#include "render/smoothing_pass.h"

namespace pericenter::render {

/// Spreads part of the light into bloom over the coarser levels of an image.
class BloomPass {
 public:
  explicit BloomPass(const ShaderLibrary& library);

  /// Computes bloom() from the levels, as `smoothing` left them.
  void spread(const LightLevels& levels, const SmoothingPass& smoothing);

  GLuint bloom() const { return mixed_.front().texture.name(); }
  /// Pixels of the whole frame per bloom pixel, along each axis.
  float pixels() const { return static_cast<float>(1 << first_); }

 private:
  void resize(const LightLevels& levels);

  LazyProgram plain_, smoothed_;  // mix of levels without and with smoothing
  VertexArray no_attributes_ = make_vertex_array();
  std::vector<ColorTarget> mixed_;  // levels from first_ on, each mixed with all coarser ones
  int first_ = 1;
};

}  // namespace pericenter::render
