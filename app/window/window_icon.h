#pragma once

struct GLFWwindow;

namespace pericenter::app {

/// Gives the window the icon of the program, 64x64 pixels. Window systems without icons of windows (Wayland) ignore it.
void set_window_icon(GLFWwindow* window);

}  // namespace pericenter::app
