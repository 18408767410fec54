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

  /// Index of the star that is nearest to `at`, in pixels of a picture of `size` from its lower left, and of those in
  /// the same place the one nearest to the camera; nullopt when none that is shown lies within some pixels. Waits for
  /// the GPU.
  std::optional<std::uint32_t> pick(const Frame& picture, glm::vec2 at, glm::ivec2 size);

 private:
  void search(const Program& program, const Stars& stars) const;

  std::array<Program, 2> programs_;  ///< for the smallest key, then for the star that has it
  Buffer found_ = make_buffer();
};

}  // namespace pericenter::render
