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
inline constexpr std::size_t kBoxLevels = 32;  ///< as many as shaders/box.glsl has opacities for

/// What overlays are drawn over: a picture, or a tile of one. All but `drawn` is that of the whole picture, so that all
/// tiles show the same; the frame's uniforms, which place what is drawn, are those of the tile.
struct OverlayView {
  glm::mat4 clip_from_world{1};
  glm::ivec2 size{0};
  glm::ivec2 drawn{0};  ///< pixels of the bound framebuffer
  Background background = Background::dark;
  float focus = 1;  ///< distance of the camera from its target

  /// Width of lines in pixels: a hair at any height of the picture.
  float hair() const;
  /// Pixels of a length of 1 at a clip w of 1.
  float scale() const;

  friend bool operator==(const OverlayView&, const OverlayView&) = default;
};

/// How a set of boxes is drawn.
struct BoxLook {
  std::array<float, kBoxLevels> opacity{};  ///< of each level
  float legible = 1;                        ///< width in pixels below which a box fades
  float line_width = 1;
  float wall = 1e9f;  ///< width in pixels beyond which a box's faces are fainter, or they would be a fog
  float size = 1;     ///< of the boxes as they are drawn
  bool flat = false;

  /// Opacity of the edges of a box of `level` that is `pixels` wide at a clip w of `depth`, as in shaders/box.glsl.
  float edge_opacity(std::size_t level, float pixels, float depth, float focus) const;
  /// Of its faces, likewise.
  float face_opacity(std::size_t level, float pixels, float depth, float focus) const {
    return edge_opacity(level, pixels, depth, focus) * std::min(1.0f, wall / pixels);
  }
};

/// The programs that draw boxes.
class BoxPrograms {
 public:
  explicit BoxPrograms(const ShaderLibrary& library);

  const Program& edges() const { return edges_; }
  const Program& faces() const { return faces_; }

 private:
  Program edges_, faces_;
};

/// Boxes on the GPU, drawn as edges or as faces with blending, coarse levels over fine ones if they come last.
class BoxMesh {
 public:
  BoxMesh();

  void upload(std::span<const Box> boxes);
  std::size_t count() const { return count_; }
  /// Into the bound framebuffer; the frame's uniforms are bound.
  void draw_edges(const BoxPrograms& programs, const OverlayView& view, const BoxLook& look) const;
  void draw_faces(const BoxPrograms& programs, const OverlayView& view, const BoxLook& look) const;

 private:
  void draw(const Program& program, const OverlayView& view, const BoxLook& look, int quads) const;

  VertexArray attributes_ = make_vertex_array();
  Buffer buffer_, indices_ = make_buffer();
  std::size_t capacity_ = 0, count_ = 0;
};

/// Blends what follows over what is there: light adds up on a dark ground if `adds`.
void set_blending(Background background, bool adds);

}  // namespace pericenter::render
