#pragma once

#include <memory>

namespace pericenter::render {

/// A framebuffer of 8-bit RGBA without a window, for pictures of a HeadlessContext. Throws std::runtime_error when the
/// driver refuses the size.
class OffscreenTarget {
 public:
  OffscreenTarget(int width, int height);
  ~OffscreenTarget();
  OffscreenTarget(const OffscreenTarget&) = delete;
  OffscreenTarget& operator=(const OffscreenTarget&) = delete;

  unsigned framebuffer() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pericenter::render
