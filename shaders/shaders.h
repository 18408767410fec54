#pragma once

#include <span>
#include <string_view>

namespace pericenter::render {

/// A GLSL source as it lay in shaders/ when the program was built.
struct ShaderSource {
  std::string_view name;  ///< file name, like "tone_map.frag"
  std::string_view text;
};

/// All of them.
std::span<const ShaderSource> shader_sources();

}  // namespace pericenter::render
