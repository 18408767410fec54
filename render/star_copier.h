#pragma once

#include "render/frame.h"
#include "render/gl_objects.h"
#include "render/shader_library.h"

namespace pericenter::render {

/// Every stride-th star, from the first.
struct EveryNth {
  std::size_t stride = 1;
  std::size_t count = 0;
};
/// As many of `stars` as fit into `most`, not 0, evenly spread.
EveryNth evenly(std::size_t stars, std::size_t most);

/// Copies stars from their buffer into another without leaving the GPU.
class StarCopier {
 public:
  explicit StarCopier(const ShaderLibrary& library);

  /// To `target`, whose 16-byte rows from `row` on are written. The caller sets the memory barrier that suits what
  /// reads them.
  void copy(const Stars& stars, const EveryNth& which, GLuint target, std::size_t row) const;

 private:
  Program program_;
};

}  // namespace pericenter::render
