#pragma once

#include "render/box_mesh.h"
#include "render/frame.h"
#include "render/shader_library.h"
#include "render/star_readback.h"

namespace pericenter::render {

/// Draws the point masses of a frame as dots over it, at the moment and place of its stars.
class MassPass {
 public:
  explicit MassPass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader does not compile.
  void build(const ShaderLibrary& library);
  /// Draws into the bound framebuffer, which may be a tile of the frame; the frame uniforms must be bound.
  void draw(const Stars& stars, const OverlayView& view);

 private:
  struct Dots;
  void draw_dots(const Dots& dots) const;

  StarCopier copier_;
  LazyProgram program_;
  VertexArray places_ = make_vertex_array();
  Buffer copies_;
  std::size_t room_ = 0;  ///< places in that buffer
};

}  // namespace pericenter::render
