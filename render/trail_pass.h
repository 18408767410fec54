#pragma once

#include <array>

#include "render/color_tables.h"
#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"
#include "render/star_copier.h"

namespace pericenter::render {

/// Remembers where some of the stars have been, and draws their ways as fading lines.
class TrailPass {
 public:
  explicit TrailPass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader is wrong.
  void build(const ShaderLibrary& library);
  /// Takes up where the stars are at `time` of the simulation. One that goes back, or another number of stars, begins
  /// anew.
  void record(const Stars& stars, double time, const TrailSettings& settings);
  void forget() { points_ = 0; }
  /// Draws into the bound framebuffer; the frame's uniforms are bound.
  void draw(const TrailSettings& settings, Background background) const;

 private:
  static constexpr std::size_t kPoints = 65;  // as in trail.vert

  void begin(const Stars& stars, const TrailSettings& settings);

  Program program_;
  StarCopier copier_;
  ColorTables colors_;
  VertexArray no_attributes_ = make_vertex_array();
  std::size_t max_rows_ = 0;
  // A ring of moments, each with a row of stars. The one at head_ follows the stars until it is far enough from the one
  // before it.
  Buffer places_;
  Texture texture_;
  EveryNth which_;
  std::size_t star_count_ = 0;
  int bodies_ = 0;  // that were asked for
  std::array<double, kPoints> times_{};
  std::size_t head_ = 0, points_ = 0;
};

}  // namespace pericenter::render
