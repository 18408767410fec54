#pragma once

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/lazy_program.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Every stride-th star, starting with the first.
struct EveryNth {
  std::size_t stride = 1;
  std::size_t count = 0;
};
/// Selects at most `max_count` (> 0) of `stars`, evenly spaced.
EveryNth every_nth(std::size_t stars, std::size_t max_count);

/// Copies stars between buffers on the GPU.
class StarCopier {
 public:
  explicit StarCopier(const ShaderLibrary& library);

  /// Writes 16-byte rows to `target`, starting at `row`. The caller issues the memory barrier for the reader.
  void copy(const Stars& stars, const EveryNth& which, GLuint target, std::size_t row) const;

 private:
  LazyProgram program_;
};

}  // namespace pericenter::render
