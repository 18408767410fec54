#pragma once

#include "render/picture.h"
#include "render/shader_library.h"

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
  void forget();
  /// Draws into the bound framebuffer; the frame's uniforms are bound.
  void draw(const TrailSettings& settings) const;
};

}  // namespace pericenter::render
