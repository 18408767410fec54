#pragma once

#include "render/gl_objects.h"
#include "render/lazy_program.h"
#include "render/light_levels.h"
#include "render/shader_library.h"
#include "render/smoothing_pass.h"

namespace pericenter::render {

/// An exposure value in GPU memory: one float, in stops.
class Exposure {
 public:
  Exposure();
  GLuint buffer() const { return buffer_.name(); }

 private:
  Buffer buffer_ = make_buffer();
};

/// Automatic exposure.
class ExposurePass {
 public:
  explicit ExposurePass(const ShaderLibrary& library);

  /// What the exposure is computed from.
  struct Metered {
    const LightLevels& levels;
    const SmoothingPass& smoothing;
    std::size_t bodies = 0;
    float bloom = 0;     ///< share of the light
    bool grain = false;  ///< the grain of single bodies raises the exposure
  };
  /// Adapts `exposure` to an image, `seconds` after the last call; infinite: immediately.
  void follow(const Metered& image, float seconds, const Exposure& exposure) const;
  /// Resets to 0 stops.
  void reset(const Exposure& exposure) const;

 private:
  LazyProgram program_;
};

}  // namespace pericenter::render
