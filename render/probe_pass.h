#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/box_mesh.h"
#include "render/frame.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Interactions of one star, as drawn.
struct ProbeDrawing {
  glm::vec3 star{0};
  std::vector<Box> accepted;      ///< cells used as multipoles
  std::vector<Box> opened;        ///< opened cells, drawn faintly
  std::vector<glm::vec3> bodies;  ///< bodies that act directly, connected by lines
};

/// Dims the frame and draws the interactions of a star over it.
class ProbePass {
 public:
  explicit ProbePass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader does not compile.
  void build(const ShaderLibrary& library) { programs_ = Programs(library); }
  void set(const ProbeDrawing& drawing);
  /// Draws into the bound framebuffer, which may be a tile of the frame; the frame uniforms must be bound.
  void draw(const BoxSettings& settings, const OverlayView& view) const;

 private:
  struct Programs {
    explicit Programs(const ShaderLibrary& library);
    BoxPrograms boxes;
    LazyProgram lines, dots, tint;
  };
  struct Dots;
  float line_opacity() const;
  void draw_boxes(bool flat, const OverlayView& view) const;
  void draw_lines(const OverlayView& view) const;
  void draw_dots(const Dots& dots) const;

  Programs programs_;
  BoxMesh accepted_, opened_;
  glm::vec3 star_{0};
  VertexArray places_ = make_vertex_array();
  Buffer places_buffer_;
  std::size_t bodies_ = 0;
};

}  // namespace pericenter::render
