#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Resolves the accumulated light to an HDR image, and spreads part of it into bloom over a chain of coarser levels.
///
/// One pixel of level k covers 2^k x 2^k pixels of the whole frame. The coarsest level always has about ten rows, so
/// bloom looks the same at every resolution.
class BloomPass {
 public:
  explicit BloomPass(const ShaderLibrary& library);

  /// Allocates an image of `size` pixels, which is level `level` of a frame of `whole` pixels.
  void resize(glm::ivec2 size, glm::ivec2 whole, int level);
  /// Resolves `light` (StarPass::light()) to `size` pixels of `target`; the frame uniforms must be bound.
  void resolve(GLuint light, const ColorTarget& target, glm::ivec2 size) const;
  /// Computes bloom() from image().
  void spread();

  const ColorTarget& image() const { return levels_.front(); }
  GLuint bloom() const { return mixed_.front().texture.name(); }
  /// Pixels of the whole frame per bloom pixel, along each axis.
  float bloom_pixels() const { return static_cast<float>(1 << (level_ + first_mixed())); }
  /// A level with about 90 rows, for the exposure.
  GLuint metered() const;

  /// The coarsest level of a frame with `height` rows.
  static int coarsest(int height);

 private:
  void shrink();
  void mix();

  /// Bloom starts at the first coarser level of a whole frame, and at level 0 of a coarse image.
  std::size_t first_mixed() const { return level_ == 0 ? 1 : 0; }

  Program resolve_, down_, up_;
  VertexArray no_attributes_ = make_vertex_array();
  std::vector<ColorTarget> levels_;  // full, half, quarter resolution, ...
  std::vector<ColorTarget> mixed_;   // levels from first_mixed() on, each mixed with all coarser ones
  int level_ = 0, coarsest_ = 0;
};

}  // namespace pericenter::render
