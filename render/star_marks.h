#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <limits>
#include <span>

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Stars of a galaxy that were born between two radii; dark matter is not among them.
struct BirthRange {
  int galaxy = -1;  ///< index, see galaxy_of(); -1: all
  /// Disc scale lengths. Tags have 255 steps up to 8, where larger radii are, too.
  double low = 0, high = std::numeric_limits<double>::infinity();
};

/// What a round brush covers on its way over a frame, in pixels from the lower left.
struct Stroke {
  glm::vec2 from{0}, to{0};
  float radius = 0;
};

/// A set of stars that the renderer highlights: one bit per star, on the GPU. The stars keep their marks while star i
/// of the buffer stays the same body. Each change waits for the GPU.
class StarMarks {
 public:
  explicit StarMarks(const ShaderLibrary& library);
  /// Throws std::runtime_error and changes nothing when a shader does not compile.
  void build(const ShaderLibrary& library);

  void clear() { count_ = 0; }
  std::size_t count() const { return count_; }  ///< marked stars
  /// Value of Stars::marks: the buffer of the bits if it has marks and is for `stars` stars; otherwise 0.
  unsigned buffer(std::size_t stars) const { return count_ > 0 && stars == stars_ ? bits_.name() : 0; }

  /// Adds the visible stars under a stroke over a frame of `size` pixels; in a split frame those of the half in which
  /// it ends.
  void add(const Frame& frame, const Stroke& stroke, glm::ivec2 size);
  /// Adds stars by home galaxy and birth radius.
  void add(const Stars& stars, const BirthRange& range);
  /// Marks these of `stars` stars and no others. Indices beyond are ignored.
  void set(std::span<const std::uint32_t> indices, std::size_t stars);

 private:
  void start(std::size_t stars);
  void run(const LazyProgram& program, const Stars& stars);

  ProgramVariants programs_;
  Buffer bits_;
  Buffer counter_;
  std::size_t stars_ = 0, count_ = 0;
};

}  // namespace pericenter::render
