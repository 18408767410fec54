#include "app/window/wayland_connection.h"

#include <dlfcn.h>
#include <poll.h>

namespace pericenter::app {

bool wayland_connection_lost() {
  // From the libraries that are loaded, so that the build needs no headers of Wayland.
  using GetDisplay = void* (*)();
  using GetFile = int (*)(void*);
  const auto display = reinterpret_cast<GetDisplay>(dlsym(RTLD_DEFAULT, "glfwGetWaylandDisplay"));
  void* client = display ? dlopen("libwayland-client.so.0", RTLD_LAZY | RTLD_NOLOAD) : nullptr;
  if (!client) return false;
  const auto file = reinterpret_cast<GetFile>(dlsym(client, "wl_display_get_fd"));
  dlclose(client);  // GLFW keeps it loaded
  void* connection = display();
  if (!file || !connection) return false;
  pollfd state{file(connection), POLLIN, 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace pericenter::app
