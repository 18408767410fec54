#include "app/window/x11_connection_guard.h"

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <utility>

#include "app/settings/options.h"

namespace pericenter::app {
namespace {

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
