#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/box_mesh.h"
#include "render/frame.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// The walk of one star, as it is drawn.
struct ProbeDrawing {
  glm::vec3 star{0};
  std::vector<Box> accepted;      ///< cells that acted as a whole
  std::vector<Box> opened;        ///< faint
  std::vector<glm::vec3> bodies;  ///< that acted one by one: lines to them
};

/// Draws what acted on a star, over a picture that it dims.
class ProbePass {
 public:
  explicit ProbePass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader is wrong.
  void build(const ShaderLibrary& library) { programs_ = Programs(library); }
  void set(const ProbeDrawing& drawing);
  /// Draws into the bound framebuffer, which may be a tile of the picture; the frame's uniforms are bound.
  void draw(const BoxSettings& settings, const OverlayView& view) const;

 private:
  struct Programs {
    explicit Programs(const ShaderLibrary& library);
    BoxPrograms boxes;
    Program lines, dots, veil;
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
