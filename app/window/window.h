#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/ui/actions.h"

struct GLFWwindow;

namespace pericenter::app {

/// There is a display, but no OpenGL 4.5 on it; what() says what was found and what to try.
class NoOpenGl : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A size in pixels.
struct Extent {
  int width = 0, height = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// Receives the input that the window itself understands; everything else goes to Dear ImGui.
struct WindowInput {
  std::function<void(const Command&)> command;
  std::function<bool()> typing;                                    ///< a text field has the keyboard
  std::function<void(const std::vector<std::string>&)> drop = {};  ///< files were dropped onto the window
};

/// The program's window with a current OpenGL 4.5 core context, and its keys. One at a time, on the main thread.
class Window {
 public:
  /// Throws NoDisplay (application.h) when there is no display at all, NoOpenGl when it has no OpenGL 4.5.
  /// Callbacks are installed here, before Dear ImGui's backend, which then passes on what it gets.
  Window(Extent size, WindowInput input);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const;
  Extent framebuffer() const;  ///< 0 x 0 while minimised
  bool closing() const;
  void close();
  void hide();
  void swap();
  /// Handles the events that have come.
  void poll();
  /// Waits for an event, `seconds` at most, and handles it.
  void wait(double seconds);
  /// True when something was pressed, moved, typed, resized or uncovered since the last call.
  bool take_activity();
  void toggle_full_screen();
  double refresh_rate() const;  ///< pictures a second that the monitor shows
  /// User interface scale that suits the monitor, 0.75 to 3.
  float suggested_scale() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Seconds since the first window was made.
double window_time();

/// The scale for a monitor whose content scale is what the desktop says, and whose size in millimetres is what the
/// monitor says. Both are often wrong: desktops report 1 on dense screens, projectors report sizes like 160 mm x 90 mm.
float scale_of_monitor(float content_scale, int width_pixels, int width_mm);

}  // namespace pericenter::app
