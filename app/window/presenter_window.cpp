#include "app/window/presenter_window.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <glad/gl.h>
#include <imgui.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <utility>

#include "app/ui/imgui_versions.h"

namespace pericenter::app {
namespace {

constexpr int kWidth = 900, kHeight = 700;
constexpr double kSeconds = 1;              // longest time between two frames
constexpr double kScrollingSeconds = 0.05;  // while the mouse is in the window

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  std::array<char, 8> words{};
  ::localtime_r(&now, &parts);
  std::strftime(words.data(), words.size(), "%H:%M", &parts);
  return words.data();
}

/// Makes the context of OpenGL and of Dear ImGui of a window current, and restores those of before.
class Current {
 public:
  Current(GLFWwindow* window, ImGuiContext* gui) {
    glfwMakeContextCurrent(window);
    ImGui::SetCurrentContext(gui);
  }
  ~Current() {
    glfwMakeContextCurrent(window_);
    ImGui::SetCurrentContext(gui_);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  GLFWwindow* window_ = glfwGetCurrentContext();
  ImGuiContext* gui_ = ImGui::GetCurrentContext();
};

}  // namespace

PresenterWindow::PresenterWindow(Window& main, float scale) : main_(main) {
  const auto scaled = [scale](int size) { return static_cast<int>(std::max(scale, 1.0f) * static_cast<float>(size)); };
  window_ = glfwCreateWindow(scaled(kWidth), scaled(kHeight), "Pericenter: presenter view", nullptr, nullptr);
  if (!window_) return;
  main_.take_keys_from(window_);
  ImGuiContext* before = ImGui::GetCurrentContext();
  gui_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(before);
  const Current current(window_, gui_);
  glfwSwapInterval(0);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui_ImplGlfw_InitForOpenGL(window_, false);
  imgui::init_opengl();
}

PresenterWindow::~PresenterWindow() {
  if (!window_) return;
  {
    const Current current(window_, gui_);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
  }
  ImGui::DestroyContext(gui_);
  glfwDestroyWindow(window_);
}

bool PresenterWindow::closing() const {
  return !window_ || glfwWindowShouldClose(window_);
}

void PresenterWindow::update(const LessonState& lesson, float scale, Theme theme) {
  constexpr double kMinute = 60;
  const double now = window_time();
  if (lesson.lesson != lesson_) {
    lesson_ = lesson.lesson;
    began_ = now;
  }
  PresenterContent content = presenter_content(lesson, time_of_day(), static_cast<int>((now - began_) / kMinute));
  const double most = glfwGetWindowAttrib(window_, GLFW_HOVERED) ? kScrollingSeconds : kSeconds;
  if (content == shown_ && now - drawn_ < most) return;
  drawn_ = now;
  shown_ = std::move(content);
  draw(shown_, scale, theme);
}

void PresenterWindow::draw(const PresenterContent& content, float scale, Theme theme) {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  if (width < 1 || height < 1) return;
  const Current current(window_, gui_);
  if (scale != scale_ || theme != theme_) {
    const float size = scale * 16;
    fonts_ = upload_style(scale, theme, {size * 2, size * 1.5f, size * 1.1f});
    scale_ = scale;
    theme_ = theme;
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::GetIO().MouseWheel += static_cast<float>(main_.take_wheel());
  ImGui::NewFrame();
  draw_presenter_view(content, fonts_, theme);
  ImGui::Render();
  glViewport(0, 0, width, height);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window_);
}

}  // namespace pericenter::app
