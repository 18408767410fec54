#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Coarse versions of an image of light. One pixel of level k covers 2^k x 2^k pixels of the whole frame.
///
/// The coarsest level always has about ten rows, so that what is computed from the levels looks the same at every
/// resolution.
class LightLevels {
 public:
  explicit LightLevels(const ShaderLibrary& library);

  /// Allocates the levels of an image of `size` pixels, which is itself level `level` of a frame of `whole` pixels.
  void resize(glm::ivec2 size, glm::ivec2 whole, int level);
  /// Computes the levels from `light` (StarPass::light()). The light of `spread` is added to level `from` and those
  /// that follow; `from` is at least the level of the image. The frame uniforms must be bound.
  void shrink(GLuint light, std::span<const ColorTarget> spread, int from) const;

  /// Level `k` of the whole frame, first() to last().
  const ColorTarget& at(int k) const { return levels_[static_cast<std::size_t>(k - first_)]; }
  int first() const { return first_; }
  int last() const { return first_ + static_cast<int>(levels_.size()) - 1; }

  /// The coarsest level of a frame with `height` rows.
  static int coarsest(int height);

 private:
  void add_halved(const ColorTarget& plane) const;

  LazyProgram halve_, halve_and_add_, down_, down_and_add_;
  VertexArray no_attributes_ = make_vertex_array();
  std::vector<ColorTarget> levels_;
  int first_ = 1;
};

/// Covers `target` with the bound program; a vertex array must be bound.
void cover(const ColorTarget& target);

/// A target of the size of a level of `levels`.
ColorTarget same_size(const ColorTarget& level);

}  // namespace pericenter::render
