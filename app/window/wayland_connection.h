#pragma once

namespace pericenter::app {

/// Whether the window belongs to a Wayland compositor itself, not through Xwayland. False without a window.
bool on_wayland();

/// Whether the connection to the compositor is lost, for example because it crashed: GLFW then only reports that the
/// window is being closed. False with X11, which has X11ConnectionGuard.
bool wayland_connection_lost();

}  // namespace pericenter::app
