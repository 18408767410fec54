#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/color_map.h"
#include "render/corner_pass.h"
#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/light_levels.h"
#include "render/shader_library.h"
#include "render/smoothing_pass.h"

namespace pericenter::render {

/// Spreads part of the light into bloom over the coarser levels of an image.
class BloomPass {
 public:
  explicit BloomPass(const ShaderLibrary& library);

  /// Computes bloom() from the levels, as `smoothing` left them.
  void spread(const LightLevels& levels, const SmoothingPass& smoothing);

  GLuint bloom() const { return mixed_.front().texture.name(); }
  /// Pixels of the whole frame per bloom pixel, along each axis.
  float pixels() const { return static_cast<float>(1 << first_); }

 private:
  void resize(const LightLevels& levels);

  LazyProgram program_;
  CornerPass corner_pass_;
  VertexArray no_attributes_ = make_vertex_array();
  std::vector<ColorTarget> mixed_;    // levels from first_ on, each mixed with all coarser ones
  std::vector<ColorTarget> corners_;  // of levels from first_ + 1 on
  int first_ = 1;
};

/// An exposure value in GPU memory: one float, in stops.
class Exposure {
 public:
  Exposure();
  GLuint buffer() const { return buffer_.name(); }

 private:
  Buffer buffer_;
};

/// Automatic exposure.
class ExposurePass {
 public:
  explicit ExposurePass(const ShaderLibrary& library);

  /// What the exposure is computed from.
  struct Metered {
    GLuint light = 0;  ///< StarPass::light()
    const LightLevels& levels;
    const SmoothingPass& smoothing;
    std::size_t bodies = 0;
    float bloom = 0;     ///< share of the light
    bool grain = false;  ///< the grain of single bodies raises the exposure
  };
  /// Adapts `exposure` to an image, `seconds` after the last call; infinite: immediately. The frame uniforms must be
  /// bound.
  void follow(const Metered& image, float seconds, const Exposure& exposure) const;
  /// Resets to 0 stops.
  void reset(const Exposure& exposure) const;

 private:
  LazyProgram program_;
};

/// Tone mapping from HDR to the screen.
class ToneMapPass {
 public:
  explicit ToneMapPass(const ShaderLibrary& library);

  /// Light of the image, and what is computed from that of the whole frame.
  struct Light {
    GLuint sharp = 0;  ///< StarPass::light()
    const BloomPass& bloom;
    const SmoothingPass& smoothing;
    const Exposure& exposure;
  };
  /// Draws an image to the viewport of the bound framebuffer; the frame uniforms must be bound. `marks`: whether the
  /// fourth channel of the light is shown.
  void draw(const Light& light, const ImageSettings& settings, bool marks);

 private:
  ProgramVariants programs_;
  ColorTables colors_;
  VertexArray no_attributes_ = make_vertex_array();
};

/// The smoothed light of an image, before bloom, exposure and tone curve.
class LinearPass {
 public:
  explicit LinearPass(const ShaderLibrary& library);

  /// `light`: StarPass::light(); the frame uniforms must be bound.
  void draw(GLuint light, const SmoothingPass& smoothing, const ColorTarget& target) const;

 private:
  LazyProgram program_;
  VertexArray no_attributes_ = make_vertex_array();
};

/// Copies an image, as glBlitNamedFramebuffer does, whose programs llvmpipe compiles in each process (25 to 70 ms); it
/// caches this one.
class CopyPass {
 public:
  explicit CopyPass(const ShaderLibrary& library);

  /// Stretches `texture`, with its own filter, over a rectangle of a framebuffer; `first` is its lower left pixel.
  void draw(GLuint texture, GLuint framebuffer, glm::ivec2 first, glm::ivec2 size) const;

 private:
  LazyProgram program_;
  VertexArray no_attributes_ = make_vertex_array();
};

}  // namespace pericenter::render
