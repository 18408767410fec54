#pragma once

#include <array>

#include "render/color_map.h"
#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"
#include "render/star_readback.h"

namespace pericenter::render {

/// Records the paths of some stars and draws them as fading lines.
class TrailPass {
 public:
  explicit TrailPass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader does not compile.
  void build(const ShaderLibrary& library);
  /// Adds the positions at simulation time `time`. Restarts when time runs backwards or the number of stars changes.
  void record(const Stars& stars, double time, const TrailSettings& settings);
  void clear() { points_ = 0; }
  /// Draws into the bound framebuffer; the frame uniforms must be bound.
  void draw(const TrailSettings& settings, Background background) const;

 private:
  static constexpr std::size_t kPoints = 65;  // same as in trail.vert

  void begin(const Stars& stars, const TrailSettings& settings);

  LazyProgram program_;
  StarCopier copier_;
  ColorTables colors_;
  VertexArray no_attributes_ = make_vertex_array();
  std::size_t max_rows_ = 0;
  // Ring buffer of positions at past times. The entry at head_ follows the stars until it is far enough from the
  // previous one.
  Buffer places_;
  Texture texture_;
  EveryNth which_;
  std::size_t star_count_ = 0;
  int bodies_ = 0;  // requested
  std::array<double, kPoints> times_{};
  std::size_t head_ = 0, points_ = 0;
};

}  // namespace pericenter::render
