#include "app/window/window_icon.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>

#include <memory>

// Defined in window/icon.S.
extern "C" const unsigned char pericenter_icon_begin[], pericenter_icon_end[];

namespace pericenter::app {

void set_window_icon(GLFWwindow* window) {
  constexpr int kRgba = 4;
  int width = 0, height = 0;
  const std::unique_ptr<unsigned char, decltype(&stbi_image_free)> pixels(
      stbi_load_from_memory(pericenter_icon_begin, static_cast<int>(pericenter_icon_end - pericenter_icon_begin),
                            &width, &height, nullptr, kRgba),
      stbi_image_free);
  if (!pixels) return;
  const GLFWimage image{width, height, pixels.get()};
  glfwSetWindowIcon(window, 1, &image);
}

}  // namespace pericenter::app
