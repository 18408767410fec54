#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/glm.hpp>
#include <span>

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

static_assert(sizeof(Box) == 28);
inline constexpr std::size_t kBoxLevels = 32;  ///< array sizes in shaders/box.glsl

/// The view that overlays are drawn over: a frame, or a tile of one. All members except `drawn` describe the whole
/// frame, so that tiles match; the bound frame uniforms belong to the tile.
struct OverlayView {
  glm::mat4 clip_from_world{1};
  glm::ivec2 size{0};
  glm::ivec2 drawn{0};  ///< pixels of the bound framebuffer
  Background background = Background::dark;
  float focus = 1;  ///< distance of the camera from its target

  /// Width of thin lines in pixels, scaled with the frame height.
  float thin_line() const;
  /// Pixels per unit length at clip w = 1.
  float scale() const;

  friend bool operator==(const OverlayView&, const OverlayView&) = default;
};

/// Drawing parameters of a set of boxes.
struct BoxStyle {
  std::array<float, kBoxLevels> opacity{};  ///< opacity per level
  float legible = 1;                        ///< width in pixels below which a box fades
  float line_width = 1;
  float wall = 1e9f;  ///< width in pixels beyond which faces fade, so that large boxes do not look like fog
  float size = 1;     ///< scale factor of the drawn boxes
  bool flat = false;

  /// Opacity of the edges of a box of `level` that is `pixels` wide at clip w = `depth`, as in shaders/box.glsl.
  float edge_opacity(std::size_t level, float pixels, float depth, float focus) const;
  /// Opacity of its faces.
  float face_opacity(std::size_t level, float pixels, float depth, float focus) const {
    return edge_opacity(level, pixels, depth, focus) * std::min(1.0f, wall / pixels);
  }
};

/// Shader programs for boxes.
class BoxPrograms {
 public:
  explicit BoxPrograms(const ShaderLibrary& library);

  const LazyProgram& edges() const { return edges_; }
  const LazyProgram& faces() const { return faces_; }

 private:
  LazyProgram edges_, faces_;
};

/// Boxes on the GPU, drawn as edges or faces with blending in the order of upload.
class BoxMesh {
 public:
  BoxMesh();

  void upload(std::span<const Box> boxes);
  std::size_t count() const { return count_; }
  /// Draws into the bound framebuffer; the frame uniforms must be bound.
  void draw_edges(const BoxPrograms& programs, const OverlayView& view, const BoxStyle& style) const;
  void draw_faces(const BoxPrograms& programs, const OverlayView& view, const BoxStyle& style) const;

 private:
  void draw(const LazyProgram& program, const OverlayView& view, const BoxStyle& style, int quads) const;

  VertexArray attributes_ = make_vertex_array();
  Buffer buffer_, indices_;
  std::size_t capacity_ = 0, count_ = 0;
};

/// Colours of thin marks over an image, and of rims around them.
glm::vec3 foreground_color(Background background);
glm::vec3 background_color(Background background);
/// Sets alpha blending; with `adds`, additive blending on a dark background.
void set_blending(Background background, bool adds);

}  // namespace pericenter::render
