#include "app/window/window.h"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/window/application.h"

namespace pericenter::app {
namespace {

constexpr int kMinWidth = 640, kMinHeight = 360;
constexpr const char* kTitle = "Pericenter";
constexpr const char* kSoftwareHint =
    "Try software rendering, which is slower but has it:\n  LIBGL_ALWAYS_SOFTWARE=1 pericenter\n"
    "(package libgl1-mesa-dri), or update the graphics driver. Pictures and films need no window:\n"
    "  pericenter --headless --screenshot a.png";

std::string glfw_problem() {
  const char* description = nullptr;
  return glfwGetError(&description) != GLFW_NO_ERROR && description ? description : "no reason given";
}

/// GLFW lives as long as this.
class Glfw {
 public:
  Glfw() {
#if GLFW_VERSION_MAJOR > 3 || GLFW_VERSION_MINOR >= 4
    // CUDA shares buffers with GLX more reliably than with Wayland's EGL, where a hidden window also blocks in swap.
    if (glfwPlatformSupported(GLFW_PLATFORM_X11)) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
    if (glfwInit()) return;
    glfwInitHint(GLFW_PLATFORM, GLFW_ANY_PLATFORM);
#endif
    if (!glfwInit()) throw NoDisplay{glfw_problem()};
  }
  ~Glfw() {
    glfwTerminate();
  }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
};

struct DestroyWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using WindowHandle = std::unique_ptr<GLFWwindow, DestroyWindow>;

/// What the display offers when asked for nothing in particular, for the message.
std::string what_is_there() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  const WindowHandle window(glfwCreateWindow(64, 64, kTitle, nullptr, nullptr));
  if (!window) return "no OpenGL at all (" + glfw_problem() + ")";
  glfwMakeContextCurrent(window.get());
  // Not through glad: its functions are not loaded, and with an old version must not be.
  using GetString = const unsigned char* (*)(unsigned);
  const auto get_string = reinterpret_cast<GetString>(glfwGetProcAddress("glGetString"));
  const auto* version = get_string ? get_string(GL_VERSION) : nullptr;
  const auto* renderer = get_string ? get_string(GL_RENDERER) : nullptr;
  if (!version || !renderer) return "an OpenGL that does not say its version";
  return "OpenGL " + std::string(reinterpret_cast<const char*>(version)) + " on " +
         reinterpret_cast<const char*>(renderer);
}

[[noreturn]] void throw_no_opengl(const std::string& found) {
  throw NoOpenGl("Pericenter needs OpenGL 4.5; found " + found + ".\n" + kSoftwareHint);
}

WindowHandle open_window(Extent size) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  const int width = std::max(size.width, kMinWidth), height = std::max(size.height, kMinHeight);
  WindowHandle window(glfwCreateWindow(width, height, kTitle, nullptr, nullptr));
  if (!window) throw_no_opengl(what_is_there());
  glfwMakeContextCurrent(window.get());
  const int version = gladLoadGL(glfwGetProcAddress);
  if (version < GLAD_MAKE_VERSION(4, 5)) throw_no_opengl(what_is_there());
  glfwSetWindowSizeLimits(window.get(), kMinWidth, kMinHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSwapInterval(1);
  return window;
}

GLFWmonitor* monitor_of(GLFWwindow* window) {
  if (GLFWmonitor* monitor = glfwGetWindowMonitor(window)) return monitor;
  int x = 0, y = 0, width = 0, height = 0, count = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    int left = 0, top = 0;
    glfwGetMonitorPos(monitors[k], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[k]);
    const int middle_x = x + width / 2 - left, middle_y = y + height / 2 - top;
    if (mode && middle_x >= 0 && middle_x < mode->width && middle_y >= 0 && middle_y < mode->height) return monitors[k];
  }
  return glfwGetPrimaryMonitor();
}

}  // namespace

struct Window::Impl {
  Impl(Extent size, WindowInput window_input) : window(open_window(size)), input(std::move(window_input)) {
    glfwSetWindowUserPointer(window.get(), this);
    glfwSetKeyCallback(window.get(), on_key);
    glfwSetCharCallback(window.get(), on_character);
    glfwSetDropCallback(window.get(), on_drop);
    glfwSetCursorPosCallback(window.get(), [](GLFWwindow* w, double, double) { of(w).active = true; });
    glfwSetMouseButtonCallback(window.get(), [](GLFWwindow* w, int, int, int) { of(w).active = true; });
    glfwSetScrollCallback(window.get(), [](GLFWwindow* w, double, double) { of(w).active = true; });
    glfwSetFramebufferSizeCallback(window.get(), [](GLFWwindow* w, int, int) { of(w).active = true; });
    glfwSetWindowRefreshCallback(window.get(), [](GLFWwindow* w) { of(w).active = true; });
    glfwSetWindowFocusCallback(window.get(), [](GLFWwindow* w, int) { of(w).active = true; });
    glfwSetCursorEnterCallback(window.get(), [](GLFWwindow* w, int) { of(w).active = true; });
  }

  static Impl& of(GLFWwindow* window) { return *static_cast<Impl*>(glfwGetWindowUserPointer(window)); }

  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    Impl& self = of(window);
    self.active = true;
    self.repeat = action == GLFW_REPEAT;
    if (action == GLFW_RELEASE) return;
    const char* name = glfwGetKeyName(key, scancode);
    if (const auto command = command_of_key({key, name ? name : "", mods, self.repeat}, self.input.typing()))
      self.input.command(*command);
  }

  static void on_character(GLFWwindow* window, unsigned codepoint) {
    Impl& self = of(window);
    if (const auto command = command_of_character(codepoint, self.repeat, self.input.typing()))
      self.input.command(*command);
  }

  static void on_drop(GLFWwindow* window, int count, const char** paths) {
    Impl& self = of(window);
    self.active = true;
    if (self.input.drop) self.input.drop({paths, paths + count});
  }

  Glfw glfw;
  WindowHandle window;
  WindowInput input;
  bool active = true;
  bool repeat = false;  // of the key whose character comes next
  struct {
    int x = 0, y = 0;
    Extent size;
  } before_full_screen;
};

Window::Window(Extent size, WindowInput input) : impl_(std::make_unique<Impl>(size, std::move(input))) {}
Window::~Window() = default;

GLFWwindow* Window::handle() const {
  return impl_->window.get();
}

Extent Window::framebuffer() const {
  Extent size;
  glfwGetFramebufferSize(handle(), &size.width, &size.height);
  return size;
}

bool Window::closing() const {
  return glfwWindowShouldClose(handle());
}
void Window::hide() {
  glfwHideWindow(handle());
  glfwPollEvents();
}

void Window::close() {
  glfwSetWindowShouldClose(handle(), GLFW_TRUE);
}
void Window::swap() {
  glfwSwapBuffers(handle());
}
void Window::poll() {
  glfwPollEvents();
}
void Window::wait(double seconds) {
  glfwWaitEventsTimeout(seconds);
}
bool Window::take_activity() {
  return std::exchange(impl_->active, false);
}

void Window::toggle_full_screen() {
  GLFWwindow* window = handle();
  auto& before = impl_->before_full_screen;
  if (glfwGetWindowMonitor(window)) {
    glfwSetWindowMonitor(window, nullptr, before.x, before.y, before.size.width, before.size.height, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = monitor_of(window);
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return;
  glfwGetWindowPos(window, &before.x, &before.y);
  glfwGetWindowSize(window, &before.size.width, &before.size.height);
  glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
  glfwSwapInterval(1);
}

double Window::refresh_rate() const {
  GLFWmonitor* monitor = monitor_of(handle());
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  constexpr double kUsual = 60;
  return mode && mode->refreshRate > 0 ? mode->refreshRate : kUsual;
}

float Window::suggested_scale() const {
  float content_scale = 1;
  glfwGetWindowContentScale(handle(), &content_scale, nullptr);
  GLFWmonitor* monitor = monitor_of(handle());
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return scale_of_monitor(content_scale, 0, 0);
  int width_mm = 0, height_mm = 0;
  glfwGetMonitorPhysicalSize(monitor, &width_mm, &height_mm);
  return scale_of_monitor(content_scale, mode->width, width_mm);
}

double window_time() {
  return glfwGetTime();
}

float scale_of_monitor(float content_scale, int width_pixels, int width_mm) {
  constexpr float kMin = 0.75f, kMax = 3, kMaxMeasured = 2, kUsualDotsPerMm = 96 / 25.4f;
  constexpr int kNarrowest = 200,
                kWidest = 1000;  // mm: a tablet, a large desk monitor; what is outside is not believed
  float scale = std::isfinite(content_scale) ? content_scale : 1;
  if (width_mm >= kNarrowest && width_mm <= kWidest) {
    const float dots_per_mm = static_cast<float>(width_pixels) / static_cast<float>(width_mm);
    scale = std::max(scale, std::min(std::round(dots_per_mm / kUsualDotsPerMm * 4) / 4, kMaxMeasured));
  }
  return std::clamp(scale, kMin, kMax);
}

}  // namespace pericenter::app
