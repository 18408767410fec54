#include "app/ui.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace pericenter::app {

std::string settings_path() {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::filesystem::path(text ? text : "");
  };
  std::filesystem::path folder = value("XDG_CONFIG_HOME");
  if (!folder.is_absolute()) folder = value("HOME").is_absolute() ? value("HOME") / ".config" : std::filesystem::path();
  if (folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(folder / "pericenter", error);
  return error ? std::string() : (folder / "pericenter" / "imgui.ini").string();
}

Ui::Ui(GLFWwindow* window, float scale) : ini_path_(settings_path()) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = ini_path_.empty() ? nullptr : ini_path_.c_str();
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init("#version 430");
  set_scale(scale);
}

Ui::~Ui() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Ui::set_scale(float scale) {
  if (scale == scale_) return;
  scale_ = scale;
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  fonts_ = apply_style(scale);
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Ui::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void Ui::render() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace pericenter::app
