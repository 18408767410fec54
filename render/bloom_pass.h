#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Brings the accumulated light to a picture of high dynamic range, and spreads that into a soft glow over a chain of
/// ever coarser levels.
///
/// Level k has a pixel for 2^k x 2^k pixels of the whole picture. As wide as the glow is, it looks the same at every
/// size: the coarsest level always has some ten rows.
class BloomPass {
 public:
  explicit BloomPass(const ShaderLibrary& library);

  /// Room for a picture of `size` pixels that is level `level` of one of `whole`.
  void resize(glm::ivec2 size, glm::ivec2 whole, int level);
  /// Light, a texture as of StarPass, to `size` pixels of `target`; the frame's uniforms are bound.
  void resolve(GLuint light, const ColorTarget& target, glm::ivec2 size) const;
  /// picture() to its coarser levels, and these to glow().
  void spread();

  const ColorTarget& picture() const { return levels_.front(); }
  GLuint bloom() const { return mixed_.front().texture.name(); }
  /// Pixels of the whole picture in one of the glow, along each axis.
  float glow_pixels() const { return static_cast<float>(1 << (level_ + first_mixed())); }
  /// A level of some 90 rows.
  GLuint metered() const;

  /// The coarsest level of a picture with `height` rows.
  static int coarsest(int height);

 private:
  void shrink();
  void mix();

  /// A whole picture's glow begins with its first coarser level; one that is coarse itself has a glow of its own size.
  std::size_t first_mixed() const { return level_ == 0 ? 1 : 0; }

  Program resolve_, down_, up_;
  VertexArray no_attributes_ = make_vertex_array();
  std::vector<ColorTarget> levels_;  // the picture, half of it, a quarter, ...
  std::vector<ColorTarget> mixed_;   // from first_mixed() on, with all coarser ones mixed in; the coarsest has none
  int level_ = 0, coarsest_ = 0;
};

}  // namespace pericenter::render
