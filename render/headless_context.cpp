#include "render/headless_context.h"

#include <glad/gl.h>

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "render/gl_info.h"

namespace pericenter::render {
namespace {

/// Attributes with notification of resets, which lost_context() needs; a second attempt omits it, as not all drivers
/// have it.
constexpr std::array<EGLint, 11> kCore45{EGL_CONTEXT_MAJOR_VERSION,
                                         4,
                                         EGL_CONTEXT_MINOR_VERSION,
                                         5,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                         EGL_CONTEXT_OPENGL_DEBUG,
                                         EGL_TRUE,
                                         EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                         EGL_LOSE_CONTEXT_ON_RESET,
                                         EGL_NONE};
constexpr std::size_t kWithoutNotification = 8;  ///< attributes
constexpr std::array<EGLint, 1> kAnyVersion{EGL_NONE};

template <typename Function>
Function egl_function(const char* name) {
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

/// A display to try: name for messages, platform and native display.
struct Candidate {
  std::string name;
  EGLenum platform;
  void* native;
};

/// All devices, software devices last, then surfaceless Mesa.
std::vector<Candidate> candidates() {
  std::vector<Candidate> found;
  const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  const auto query_string = egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  std::array<EGLDeviceEXT, 32> devices{};
  EGLint count = 0;
  if (query_devices != nullptr && query_devices(devices.size(), devices.data(), &count) == EGL_TRUE) {
    for (EGLint i = 0; i < count; ++i) {
      found.push_back({"EGL device " + std::to_string(i), EGL_PLATFORM_DEVICE_EXT, devices[i]});
    }
  }
  std::stable_partition(found.begin(), found.end(), [&](const Candidate& candidate) {
    const char* text = query_string == nullptr ? nullptr : query_string(candidate.native, EGL_EXTENSIONS);
    return text == nullptr || std::string_view(text).find("EGL_MESA_device_software") == std::string_view::npos;
  });
  found.push_back({"EGL surfaceless", EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY});
  return found;
}

}  // namespace

struct HeadlessContext::Impl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;

  ~Impl() { close(); }

  void close() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    eglTerminate(display);
    display = EGL_NO_DISPLAY;
    context = EGL_NO_CONTEXT;
  }

  bool make_current(const EGLint* attributes) {
    context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    return context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE &&
           gladLoadGL(reinterpret_cast<GLADloadfunc>(eglGetProcAddress)) != 0;
  }

  /// Returns an empty string on success, otherwise the reason.
  std::string open(const Candidate& candidate) {
    const auto get_display = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (get_display == nullptr) return "is not supported by this EGL";
    display = get_display(candidate.platform, candidate.native, nullptr);
    if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) != EGL_TRUE) {
      display = EGL_NO_DISPLAY;
      return "cannot be initialised";
    }
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return "does not support OpenGL";
    auto attributes = kCore45;
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (make_current(attributes.data()) && GLAD_GL_VERSION_4_5 != 0) return {};
      if (context != EGL_NO_CONTEXT) break;
      attributes[kWithoutNotification] = EGL_NONE;
    }
    if (context == EGL_NO_CONTEXT && !make_current(kAnyVersion.data())) return "does not support OpenGL 4.5";
    const GlInfo info = gl_info();
    return "has OpenGL " + info.version + " (" + info.renderer + ")";
  }
};

HeadlessContext::HeadlessContext() : impl_(std::make_unique<Impl>()) {
  std::string tried;
  for (const Candidate& candidate : candidates()) {
    const std::string problem = impl_->open(candidate);
    if (problem.empty()) return;
    impl_->close();
    tried += "; " + candidate.name + ' ' + problem;
  }
  throw std::runtime_error("OpenGL 4.5 is required, but no context could be created without a display" + tried);
}

HeadlessContext::~HeadlessContext() = default;

}  // namespace pericenter::render
