#pragma once

#include <functional>

namespace pericenter::app {

/// Calls `lost` when the X server goes away, and ends the program with kDisplayLost after it: Xlib, in the midst of
/// which that happens, cannot be gone on with. Made once GLFW has opened its display; where that is none of X11 there
/// is nothing to watch. One at a time.
class X11ConnectionGuard {
 public:
  explicit X11ConnectionGuard(std::function<void()> lost);
  ~X11ConnectionGuard();
  X11ConnectionGuard(const X11ConnectionGuard&) = delete;
  X11ConnectionGuard& operator=(const X11ConnectionGuard&) = delete;

 private:
  using Handler = int (*)(void* display);
  using SetHandler = Handler (*)(Handler);

  static int end(void* display);

  SetHandler set_ = nullptr;
  Handler before_ = nullptr;
};

}  // namespace pericenter::app
