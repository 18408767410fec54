#pragma once

#include <vector>

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Spreads part of the accumulated light into a soft glow and brings the whole to the screen.
class ToneMapPass {
 public:
  explicit ToneMapPass(const ShaderLibrary& library);

  void resize(int width, int height);
  /// Covers `framebuffer`. `light` is the texture of the accumulated light; the frame's uniforms are bound.
  void draw(GLuint light, GLuint framebuffer, int width, int height);

 private:
  void draw_glow();

  struct Programs {
    Program first, down, up, tone_map;
  };
  Programs programs_;
  VertexArray no_attributes_ = make_vertex_array();
  std::vector<ColorTarget> levels_;  // a quarter of the picture's size, an eighth, ...
  std::vector<ColorTarget> mixed_;   // the same with all coarser ones mixed in; the coarsest has none
};

}  // namespace pericenter::render
