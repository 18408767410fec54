#pragma once

namespace pericenter::app {

/// Whether the window's connection to a Wayland compositor is lost, for example because the compositor crashed: GLFW
/// then only reports that the window is being closed. False with X11, which has X11ConnectionGuard.
bool wayland_connection_lost();

}  // namespace pericenter::app
