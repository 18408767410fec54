#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/image_tile.h"
#include "render/lazy_program.h"
#include "render/shader_library.h"
#include "render/sky.h"

namespace pericenter::render {

/// Draws the decorative sky behind what is in the framebuffer.
class SkyPass {
 public:
  explicit SkyPass(const ShaderLibrary& library);

  /// Into the bound framebuffer, which has the size of the tile. Bright parts of the image hide the sky.
  void draw(const Camera& camera, const ImageTile& tile);

 private:
  void place(const Camera& camera, glm::ivec2 size);

  LazyProgram program_;
  VertexArray attributes_ = make_vertex_array();
  std::vector<SkySource> sources_;
  Buffer spots_;
  GLsizei count_ = 0;
  glm::mat4 placed_view_{0};  ///< projection and direction for which spots_ was made
  glm::ivec2 placed_size_{0};
};

}  // namespace pericenter::render
