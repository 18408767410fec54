#pragma once

#include "render/gl_objects.h"

namespace pericenter::render {

/// Uniform buffer with the colours of color_map.h as light, for shaders that include colors.glsl.
class ColorTables {
 public:
  ColorTables();
  void bind() const;

 private:
  Buffer buffer_;
};

}  // namespace pericenter::render
