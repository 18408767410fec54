#include "app/window/x11_connection_guard.h"

#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <utility>

#include "app/cli/options.h"

namespace pericenter::app {
namespace {

// One for the whole process, as Xlib's handler is, which is told nothing of who set it.
std::function<void()> when_lost;

/// XSetIOErrorHandler of the Xlib that GLFW has loaded; null where it has not. Neither its headers nor its library are
/// needed to build the program.
void* xlib_setter() {
  void* xlib = dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (!xlib) return nullptr;
  void* setter = dlsym(xlib, "XSetIOErrorHandler");
  dlclose(xlib);  // it stays for as long as GLFW needs it
  return setter;
}

}  // namespace

int X11ConnectionGuard::end(void*) {
  try {
    if (const auto lost = std::exchange(when_lost, {})) lost();
  } catch (const std::exception&) {  // there is nobody left whom it could reach
  }
  std::_Exit(kDisplayLost);
}

X11ConnectionGuard::X11ConnectionGuard(std::function<void()> lost) : set_(reinterpret_cast<SetHandler>(xlib_setter())) {
  if (!set_) return;
  when_lost = std::move(lost);
  before_ = set_(end);
}

X11ConnectionGuard::~X11ConnectionGuard() {
  if (!set_) return;
  set_(before_);
  when_lost = {};
}

}  // namespace pericenter::app
