#pragma once

#include "render/bloom_pass.h"
#include "render/color_tables.h"
#include "render/exposure_pass.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Tone mapping from HDR to the screen.
class ToneMapPass {
 public:
  explicit ToneMapPass(const ShaderLibrary& library);

  /// Draws `image` and its bloom to the viewport of the bound framebuffer; the frame uniforms must be bound.
  void draw(const ColorTarget& image, const BloomPass& bloom, const Exposure& exposure) const;

 private:
  Program program_;
  ColorTables colors_;
  VertexArray no_attributes_ = make_vertex_array();
};

}  // namespace pericenter::render
