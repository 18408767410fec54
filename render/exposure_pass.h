#pragma once

#include "render/gl_objects.h"
#include "render/light_levels.h"
#include "render/shader_library.h"

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

  /// Adapts `exposure` to `image`, `seconds` after the last call; infinite: immediately.
  void follow(const ColorTarget& image, float seconds, const Exposure& exposure) const;
  /// Resets to 0 stops.
  void reset(const Exposure& exposure) const;

 private:
  Program program_;
};

}  // namespace pericenter::render
