#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "render/picture.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// The walk of one star, as it is drawn.
struct ProbeDrawing {
  glm::vec3 star{0};
  std::vector<Box> accepted;      ///< cells that acted as a whole
  std::vector<Box> opened;        ///< faint
  std::vector<glm::vec3> bodies;  ///< that acted one by one: lines to them
};

/// Draws what acted on a star.
class ProbePass {
 public:
  explicit ProbePass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader is wrong.
  void build(const ShaderLibrary& library);
  void set(const ProbeDrawing& drawing);
  /// Draws into the bound framebuffer; the frame's uniforms are bound.
  void draw(const BoxSettings& settings) const;
};

}  // namespace pericenter::render
