#include "app/window/display_connection.h"

#include <dlfcn.h>
#include <poll.h>

#include <cstdlib>
#include <exception>
#include <utility>

#include "app/settings/options.h"

namespace pericenter::app {
namespace {

/// The connection, a wl_display; null with X11. GLFW has the function only with Wayland, and the build needs no headers
/// of Wayland.
void* wayland_display() {
  using GetDisplay = void* (*)();
  const auto display = reinterpret_cast<GetDisplay>(dlsym(RTLD_DEFAULT, "glfwGetWaylandDisplay"));
  return display ? display() : nullptr;
}

// One per process, because Xlib's handler has no user pointer.
std::function<void()> on_lost;

/// XSetIOErrorHandler of the Xlib that GLFW has loaded; null if it has not loaded one. The build needs neither the
/// headers nor the library.
void* xlib_setter() {
  void* xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (!xlib) return nullptr;
  void* setter = dlsym(xlib, "XSetIOErrorHandler");
  dlclose(xlib);  // GLFW keeps it loaded
  return setter;
}

}  // namespace

bool on_wayland() {
  return wayland_display() != nullptr;
}

bool wayland_connection_lost() {
  using GetFile = int (*)(void*);
  void* connection = wayland_display();
  void* client = connection ? dlopen("libwayland-client.so.0", RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  if (!client) return false;
  const auto file = reinterpret_cast<GetFile>(dlsym(client, "wl_display_get_fd"));
  dlclose(client);  // GLFW keeps it loaded
  if (!file) return false;
  pollfd state{file(connection), POLLIN, 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

int X11ConnectionGuard::exit_program(void*) {
  try {
    if (const auto lost = std::exchange(on_lost, {})) lost();
  } catch (const std::exception&) {  // the program ends anyway
  }
  std::_Exit(kDisplayLost);
}

X11ConnectionGuard::X11ConnectionGuard(std::function<void()> lost) : set_(reinterpret_cast<SetHandler>(xlib_setter())) {
  if (!set_) return;
  on_lost = std::move(lost);
  previous_ = set_(exit_program);
}

X11ConnectionGuard::~X11ConnectionGuard() {
  if (!set_) return;
  set_(previous_);
  on_lost = {};
}

}  // namespace pericenter::app
