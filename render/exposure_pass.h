#pragma once

#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// An exposure that lives on the GPU: one float, in stops.
class Exposure {
 public:
  Exposure();
  GLuint buffer() const { return buffer_.name(); }

 private:
  Buffer buffer_ = make_buffer();
};

/// Chooses the exposure from what is in the picture.
class ExposurePass {
 public:
  explicit ExposurePass(const ShaderLibrary& library);

  /// Brings `exposure` towards what suits the texture `picture`. `seconds` have passed since the last time; infinite:
  /// at once.
  void follow(GLuint picture, float seconds, const Exposure& exposure) const;
  /// Back to 0 stops.
  void reset(const Exposure& exposure) const;

 private:
  Program program_;
};

}  // namespace pericenter::render
