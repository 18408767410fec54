#pragma once

#include <array>
#include <span>

#include "render/gl_objects.h"
#include "render/renderer.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Draws the cells of the tree as lines over the finished picture.
class BoxPass {
 public:
  explicit BoxPass(const ShaderLibrary& library);

  /// Throws std::runtime_error and changes nothing when a shader is wrong.
  void build(const ShaderLibrary& library);
  void set_boxes(std::span<const Box> boxes);
  /// Draws into the bound framebuffer; the frame's uniforms are bound. `unit` is the length of 1 at the camera's target
  /// in pixels.
  void draw(const BoxSettings& settings, float unit) const;

 private:
  Program cubes_, squares_;
  VertexArray attributes_ = make_vertex_array();
  Buffer buffer_;
  std::array<float, 32> level_width_{};  ///< of the cells of each level, on average
  std::array<std::size_t, 32> level_count_{};
  std::size_t capacity_ = 0;
  std::size_t count_ = 0;
};

}  // namespace pericenter::render
