#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <vector>

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/image.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// How wide the light of bodies is spread: over the distance to enough neighbours of the same kind, in the image.
///
/// The bodies of each kind (old disc, young disc, bulge, others) are counted in cells of the image and of coarser ones.
/// A map has for each kind the level whose kernel contains enough of them; kernels of any width follow from it without
/// steps.
class CrowdPass {
 public:
  explicit CrowdPass(const ShaderLibrary& library);

  /// Clears the counts for an image; `tile` must show all of it. `stars`: number of bodies in it.
  void clear(const ImageTile& tile, std::size_t stars);
  /// Counts bodies in the pixel columns [columns.x, columns.y). Of very many bodies it counts one in a few groups. The
  /// frame uniforms must be bound.
  void add(const Stars& stars, glm::ivec2 columns) const;
  /// Computes the map. `widest`: no light is spread over a higher level. `every`: one in `every` bodies is drawn.
  void finish(float widest, unsigned every);

  /// Levels of the four kinds of shaders/vertex_layout.glsl, 0 to `widest`; below 0: sharp.
  GLuint levels() const { return map_.texture.name(); }
  /// Factor and shift from pixels of a tile to places in levels().
  glm::vec4 place_of(const ImageTile& tile) const;

 private:
  void resize(const ImageTile& tile);

  bool software_;
  ProgramVariants count_;
  LazyProgram first_, down_, level_, finest_level_;
  VertexArray no_attributes_ = make_vertex_array();
  Buffer cells_;
  Texture counts_;
  std::vector<ColorTarget> crowds_;  // bodies per cell, on level finest_ and coarser ones
  ColorTarget map_, coarser_;        // levels; what those above the finest add
  std::size_t stars_ = 0, counted_every_ = 1;
  int finest_ = 2, tile_level_ = 0;
};

/// Bodies over whose kernel the light of one is spread, among `stars`. The kernel becomes narrower when there are more,
/// as little as noise and lost detail together are least (Silverman 1986: as the power 2/3 in two dimensions).
float neighbours(std::size_t stars);

}  // namespace pericenter::render
