#pragma once

#include "render/bloom_pass.h"
#include "render/color_tables.h"
#include "render/exposure_pass.h"
#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/program_variants.h"
#include "render/shader_library.h"
#include "render/smoothing_pass.h"

namespace pericenter::render {

/// Tone mapping from HDR to the screen.
class ToneMapPass {
 public:
  explicit ToneMapPass(const ShaderLibrary& library);

  /// What is computed from the light of the whole frame.
  struct Light {
    const BloomPass& bloom;
    const SmoothingPass& smoothing;
    const Exposure& exposure;
  };
  /// Draws `image` to the viewport of the bound framebuffer; the frame uniforms must be bound. `marks`: whether its
  /// fourth channel is shown.
  void draw(const ColorTarget& image, const Light& light, const ImageSettings& settings, bool marks);

 private:
  ProgramVariants programs_;
  ColorTables colors_;
  VertexArray no_attributes_ = make_vertex_array();
};

}  // namespace pericenter::render
