#pragma once

#include <functional>

namespace pericenter::app {

/// Whether the window belongs to a Wayland compositor itself, not through Xwayland. False without a window.
bool on_wayland();

/// Whether the connection to the compositor is lost, for example because it crashed: GLFW then only reports that the
/// window is being closed. False with X11, which has X11ConnectionGuard.
bool wayland_connection_lost();

/// Calls `lost` when the connection to the X server breaks, then ends the program with kDisplayLost: Xlib cannot
/// continue after such an error. Create it after GLFW has opened the display; without X11 it does nothing. At most one
/// instance at a time.
class X11ConnectionGuard {
 public:
  explicit X11ConnectionGuard(std::function<void()> lost);
  ~X11ConnectionGuard();
  X11ConnectionGuard(const X11ConnectionGuard&) = delete;
  X11ConnectionGuard& operator=(const X11ConnectionGuard&) = delete;

 private:
  using Handler = int (*)(void* display);
  using SetHandler = Handler (*)(Handler);

  static int exit_program(void* display);

  SetHandler set_ = nullptr;
  Handler previous_ = nullptr;
};

}  // namespace pericenter::app
