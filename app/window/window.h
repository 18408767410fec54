#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/ui/actions.h"

struct GLFWwindow;

namespace pericenter::app {

/// Why no window can be opened: there is no display. Thrown before anything was shown.
struct NoDisplay {
  std::string reason;
};

/// The display has no OpenGL 4.5; what() states what was found and what to try.
class NoOpenGl : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A size in pixels.
struct Extent {
  int width = 0, height = 0;
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// Receives the input that the window handles itself; Dear ImGui gets the rest.
struct WindowInput {
  std::function<void(const Command&)> command;
  std::function<bool()> typing;                                    ///< a text field has the keyboard focus
  std::function<bool()> in_panel;                                  ///< the panel has the keyboard: is_panel_key()
  std::function<void(const std::vector<std::string>&)> drop = {};  ///< files were dropped onto the window
  std::function<void(const std::string&)> pressed = {};            ///< name of a key, of app/ui/key_names.h
  std::function<void(int)> key_down = {};                          ///< GLFW's number of a key
};

/// A window with a current OpenGL 4.5 core context, and its key bindings. One at a time, on the main thread.
class Window {
 public:
  /// Throws NoDisplay and NoOpenGl. Installs callbacks; create Dear ImGui's backend afterwards, which chains to them.
  Window(Extent size, WindowInput input);
  ~Window();

  GLFWwindow* handle() const;
  Extent framebuffer() const;  ///< 0 x 0 while minimised
  bool closing() const;
  void close();
  void hide();
  void swap();
  /// Handles pending events.
  void poll();
  /// Waits for an event, at most `seconds`, and handles it.
  void wait(double seconds);
  /// True if there was input, a resize or an expose event since the last call.
  bool take_activity();
  /// Keys pressed in another window do what they do in this one; its mouse wheel is kept for take_wheel().
  void take_keys_from(GLFWwindow* other);
  double take_wheel();
  void toggle_full_screen();
  bool full_screen() const;
  /// Full screen on a monitor, counted from 1. False if there is none of this number.
  bool fill_monitor(int number);
  /// Moves another window to a monitor that this one is not on. False if there is only one.
  bool place_elsewhere(GLFWwindow* other) const;
  double refresh_rate() const;  ///< refresh rate of the monitor, Hz
  /// User interface scale for the monitor, 0.75 to 3.
  float suggested_scale() const;
  // Lines of the system report.
  std::string system() const;    ///< window system and version of GLFW
  std::string monitors() const;  ///< number, name and size of each: "1: DELL U2720Q, 3840 × 2160; 2: ..."
  std::string monitor() const;   ///< size, refresh rate and scale of the monitor, size of the window

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Seconds since the first window was created.
double window_time();

/// User interface scale from the desktop's content scale and the monitor's reported width. Both are often wrong:
/// desktops report a scale of 1 on dense screens, projectors report sizes like 160 mm x 90 mm.
float scale_of_monitor(float content_scale, int width_pixels, int width_mm);

}  // namespace pericenter::app
