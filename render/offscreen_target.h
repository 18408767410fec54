#pragma once

#include <memory>

namespace pericenter::render {

/// An 8-bit RGBA framebuffer without a window. Throws std::runtime_error when the driver does not support the size.
class OffscreenTarget {
 public:
  OffscreenTarget(int width, int height);
  ~OffscreenTarget();

  unsigned framebuffer() const;
  unsigned texture() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::render
