#include "app/window/window.h"

#include <glad/gl.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "app/base/decoded_image.h"
#include "app/base/format.h"
#include "app/ui/key_names.h"
#include "app/window/display_connection.h"

// Defined in window/icon.S.
extern "C" const unsigned char pericenter_icon_begin[], pericenter_icon_end[];

namespace pericenter::app {
namespace {

constexpr int kMinWidth = 640, kMinHeight = 360;
constexpr const char* kTitle = "Pericenter";
constexpr const char* kSoftwareHint =
    "Update the graphics driver, or use software rendering, which is slower (package libgl1-mesa-dri):\n"
    "  LIBGL_ALWAYS_SOFTWARE=1 pericenter\n"
    "Images and video can be rendered without a window:\n  pericenter --headless --screenshot a.png";

std::string glfw_problem() {
  const char* description = nullptr;
  return glfwGetError(&description) != GLFW_NO_ERROR && description ? description : "no reason given";
}

/// Initialises GLFW and terminates it.
class Glfw {
 public:
  Glfw() {
    // Constants of GLFW 3.4: the header may be older than the library.
    constexpr int kPlatform = 0x00050003, kAnyPlatform = 0x00060000, kX11 = 0x00060004;
    int major = 0, minor = 0, revision = 0;
    glfwGetVersion(&major, &minor, &revision);
    if (major > 3 || minor >= 4) {
      // CUDA interop is more reliable with GLX than with EGL on Wayland, where a hidden window also blocks in swap.
      glfwInitHint(kPlatform, kX11);
      if (glfwInit()) return;
      glfwInitHint(kPlatform, kAnyPlatform);
    }
    if (!glfwInit()) throw NoDisplay{glfw_problem()};
  }
  ~Glfw() { glfwTerminate(); }
  Glfw(const Glfw&) = delete;
  Glfw& operator=(const Glfw&) = delete;
};

struct DestroyWindow {
  void operator()(GLFWwindow* window) const { glfwDestroyWindow(window); }
};
using WindowHandle = std::unique_ptr<GLFWwindow, DestroyWindow>;

/// The OpenGL version of a context with default settings, for the error message.
std::string available_opengl() {
  glfwDefaultWindowHints();
  glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
  const WindowHandle window(glfwCreateWindow(64, 64, kTitle, nullptr, nullptr));
  if (!window) return "no OpenGL at all (" + glfw_problem() + ")";
  glfwMakeContextCurrent(window.get());
  // Not through glad, whose functions are not loaded for an old version.
  using GetString = const unsigned char* (*)(unsigned);
  const auto get_string = reinterpret_cast<GetString>(glfwGetProcAddress("glGetString"));
  const auto* version = get_string ? get_string(GL_VERSION) : nullptr;
  const auto* renderer = get_string ? get_string(GL_RENDERER) : nullptr;
  if (!version || !renderer) return "an OpenGL context without a version";
  return "OpenGL " + std::string(reinterpret_cast<const char*>(version)) + " on " +
         reinterpret_cast<const char*>(renderer);
}

[[noreturn]] void throw_no_opengl(const std::string& found) {
  throw NoOpenGl("Pericenter needs OpenGL 4.5; found " + found + ".\n" + kSoftwareHint);
}

/// Gives the window the icon of the program, 64x64 pixels. Window systems without icons of windows (Wayland) ignore it.
void set_window_icon(GLFWwindow* window) {
  DecodedImage icon = decode_image(pericenter_icon_begin, pericenter_icon_end);
  if (icon.rgba.empty()) return;
  const GLFWimage image{icon.width, icon.height, icon.rgba.data()};
  glfwSetWindowIcon(window, 1, &image);
}

WindowHandle open_window(Extent size) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  // The names by which a desktop finds the menu entry, and with it the icon.
  glfwWindowHintString(GLFW_X11_CLASS_NAME, kTitle);
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "pericenter");
#ifdef GLFW_WAYLAND_APP_ID
  glfwWindowHintString(GLFW_WAYLAND_APP_ID, "org.pericenter.Pericenter");
#endif
  const int width = std::max(size.width, kMinWidth), height = std::max(size.height, kMinHeight);
  WindowHandle window(glfwCreateWindow(width, height, kTitle, nullptr, nullptr));
  if (!window) throw_no_opengl(available_opengl());
  glfwMakeContextCurrent(window.get());
  const int version = gladLoadGL(glfwGetProcAddress);
  if (version < GLAD_MAKE_VERSION(4, 5)) throw_no_opengl(available_opengl());
  glfwSetWindowSizeLimits(window.get(), kMinWidth, kMinHeight, GLFW_DONT_CARE, GLFW_DONT_CARE);
  set_window_icon(window.get());
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
    if (self.input.key_down) self.input.key_down(key);
    const char* name = glfwGetKeyName(key, scancode);
    const KeyPress press{key, name ? name : "", mods, self.repeat};
    if (self.input.pressed) self.input.pressed(key_name(press));
    if (self.input.in_panel() && is_panel_key(press)) return;
    if (const auto command = command_of_key(press, self.input.typing())) self.input.command(*command);
  }

  static void on_character(GLFWwindow* window, unsigned codepoint) {
    Impl& self = of(window);
    if (self.input.pressed && !self.repeat && !self.input.typing()) self.input.pressed(character_name(codepoint));
    if (const auto command = command_of_character(codepoint, self.repeat, self.input.typing()))
      self.input.command(*command);
  }

  static void on_drop(GLFWwindow* window, int count, const char** paths) {
    Impl& self = of(window);
    self.active = true;
    if (self.input.drop) self.input.drop({paths, paths + count});
  }

  void fill(GLFWmonitor* monitor) {
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return;
    auto& before = before_full_screen;
    glfwGetWindowPos(window.get(), &before.x, &before.y);
    glfwGetWindowSize(window.get(), &before.size.width, &before.size.height);
    glfwSetWindowMonitor(window.get(), monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    glfwSwapInterval(1);
  }

  Glfw glfw;
  WindowHandle window;
  WindowInput input;
  bool active = true;
  double wheel = 0;     // turned in another window
  bool repeat = false;  // the next character event is a key repeat
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

void Window::take_keys_from(GLFWwindow* other) {
  glfwSetWindowUserPointer(other, impl_.get());
  glfwSetKeyCallback(other, Impl::on_key);
  glfwSetCharCallback(other, Impl::on_character);
  glfwSetScrollCallback(other, [](GLFWwindow* w, double, double y) { Impl::of(w).wheel += y; });
}

double Window::take_wheel() {
  return std::exchange(impl_->wheel, 0);
}

void Window::toggle_full_screen() {
  GLFWwindow* window = handle();
  const auto& before = impl_->before_full_screen;
  if (glfwGetWindowMonitor(window))
    glfwSetWindowMonitor(window, nullptr, before.x, before.y, before.size.width, before.size.height, GLFW_DONT_CARE);
  else
    impl_->fill(monitor_of(window));
}

bool Window::fill_monitor(int number) {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  if (number < 1 || number > count) return false;
  impl_->fill(monitors[number - 1]);
  return true;
}

bool Window::place_elsewhere(GLFWwindow* other) const {
  int count = 0, x = 0, y = 0, width = 0, height = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  GLFWmonitor** const free = std::find_if(
      monitors, monitors + count, [own = monitor_of(handle())](const GLFWmonitor* each) { return each != own; });
  if (free == monitors + count) return false;
  glfwGetMonitorWorkarea(*free, &x, &y, &width, &height);
  glfwSetWindowPos(other, x + width / 10, y + height / 10);
  glfwSetWindowSize(other, width - width / 5, height - height / 5);
  return true;
}

bool Window::full_screen() const {
  return glfwGetWindowMonitor(handle()) != nullptr;
}

double Window::refresh_rate() const {
  GLFWmonitor* monitor = monitor_of(handle());
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  constexpr double kDefault = 60;
  return mode && mode->refreshRate > 0 ? mode->refreshRate : kDefault;
}

float Window::suggested_scale() const {
  if (on_wayland()) return 1;  // sizes are in units that the compositor scales
  float content_scale = 1;
  glfwGetWindowContentScale(handle(), &content_scale, nullptr);
  GLFWmonitor* monitor = monitor_of(handle());
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return scale_of_monitor(content_scale, 0, 0);
  int width_mm = 0, height_mm = 0;
  glfwGetMonitorPhysicalSize(monitor, &width_mm, &height_mm);
  return scale_of_monitor(content_scale, mode->width, width_mm);
}

std::string Window::system() const {
  const char* through = std::getenv("WAYLAND_DISPLAY") ? "X11 through Xwayland" : "X11";
  return std::string(on_wayland() ? "Wayland" : through) + ", GLFW " + glfwGetVersionString();
}

std::string Window::monitors() const {
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  std::string all;
  for (int k = 0; k < count; ++k) {
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[k]);
    const char* name = glfwGetMonitorName(monitors[k]);
    all += (all.empty() ? "" : "; ") + std::to_string(k + 1) + ": " + (name ? name : "without a name");
    if (mode) all += text(", %d × %d", mode->width, mode->height);
  }
  return all.empty() ? "none" : all;
}

std::string Window::monitor() const {
  GLFWmonitor* monitor = monitor_of(handle());
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  float content_scale = 1;
  glfwGetWindowContentScale(handle(), &content_scale, nullptr);
  std::string shown = "none";
  if (mode) {
    int width_mm = 0, height_mm = 0;
    glfwGetMonitorPhysicalSize(monitor, &width_mm, &height_mm);
    shown = text("%d × %d, %d Hz, %d × %d mm", mode->width, mode->height, mode->refreshRate, width_mm, height_mm);
  }
  const Extent size = framebuffer();
  return shown + text(", scale %.2f; window %d × %d, scale of the controls %.2f", content_scale, size.width,
                      size.height, suggested_scale());
}

double window_time() {
  return glfwGetTime();
}

float scale_of_monitor(float content_scale, int width_pixels, int width_mm) {
  constexpr float kMin = 0.75f, kMax = 3, kMaxBySize = 2, kDefaultDotsPerMm = 96 / 25.4f;
  // Width in mm of a tablet and of a large desk monitor; sizes outside this range are ignored.
  constexpr int kMinWidthMm = 200, kMaxWidthMm = 1000;
  float scale = std::isfinite(content_scale) ? content_scale : 1;
  if (width_mm >= kMinWidthMm && width_mm <= kMaxWidthMm) {
    const float dots_per_mm = static_cast<float>(width_pixels) / static_cast<float>(width_mm);
    scale = std::max(scale, std::min(std::round(dots_per_mm / kDefaultDotsPerMm * 4) / 4, kMaxBySize));
  }
  return std::clamp(scale, kMin, kMax);
}

}  // namespace pericenter::app
