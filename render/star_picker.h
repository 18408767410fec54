#pragma once

#include <array>
#include <cstdint>
#include <glm/glm.hpp>
#include <optional>

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Finds the star under the cursor.
class StarPicker {
 public:
  explicit StarPicker(const ShaderLibrary& library);

  /// Index of the visible star nearest to `at`, in pixels from the lower left of a frame of `size`; of several at the
  /// same distance, the one nearest to the camera; nullopt if none is within a few pixels. In a split frame a star of
  /// the half at `at`. Waits for the GPU.
  std::optional<std::uint32_t> pick(const Frame& frame, glm::vec2 at, glm::ivec2 size);

 private:
  void search(const LazyProgram& program, const Stars& stars) const;

  ProgramVariants programs_;  ///< first finds the smallest key, then its star
  Buffer found_;
};

}  // namespace pericenter::render
