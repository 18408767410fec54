#pragma once

#include <span>
#include <string_view>

namespace pericenter::render {

/// A GLSL source embedded at build time.
struct ShaderSource {
  std::string_view name;  ///< file name, like "tone_map.frag"
  std::string_view text;
};

/// All embedded shaders.
std::span<const ShaderSource> shader_sources();

}  // namespace pericenter::render
