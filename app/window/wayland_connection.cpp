#include "app/window/wayland_connection.h"

#include <dlfcn.h>
#include <poll.h>

namespace pericenter::app {
namespace {

/// The connection, a wl_display; null with X11. GLFW has the function only with Wayland, and the build needs no headers
/// of Wayland.
void* wayland_display() {
  using GetDisplay = void* (*)();
  const auto display = reinterpret_cast<GetDisplay>(dlsym(RTLD_DEFAULT, "glfwGetWaylandDisplay"));
  return display ? display() : nullptr;
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

}  // namespace pericenter::app
