#pragma once

#include "render/bloom_pass.h"
#include "render/exposure_pass.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Brings light to the screen.
class ToneMapPass {
 public:
  explicit ToneMapPass(const ShaderLibrary& library);

  /// Covers the bound framebuffer and its viewport with `picture` and the light that `glow` spread; the frame's
  /// uniforms are bound.
  void draw(const ColorTarget& picture, const BloomPass& bloom, const Exposure& exposure) const;

 private:
  Program program_;
  VertexArray no_attributes_ = make_vertex_array();
};

}  // namespace pericenter::render
