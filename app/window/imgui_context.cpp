#include "app/window/imgui_context.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "app/base/atomic_file.h"
#include "app/window/uploaded_style.h"

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

namespace {
std::string settings_file(const char* name) {
  const std::string settings = settings_path();
  return settings.empty() ? settings : std::filesystem::path(settings).replace_filename(name).string();
}
}  // namespace

std::string cameras_path() {
  return settings_file("cameras.csv");
}

std::string recent_files_path() {
  return settings_file("recent_files.txt");
}

void remember_theme(Theme& theme) {
  constexpr const char *kType = "Pericenter", *kLight = "Theme=light";
  ImGuiSettingsHandler handler;
  handler.TypeName = kType;
  handler.TypeHash = ImHashStr(kType);
  handler.UserData = &theme;
  handler.ReadOpenFn = [](ImGuiContext*, ImGuiSettingsHandler* self, const char*) { return self->UserData; };
  handler.ReadLineFn = [](ImGuiContext*, ImGuiSettingsHandler*, void* entry, const char* line) {
    if (std::strcmp(line, kLight) == 0) *static_cast<Theme*>(entry) = Theme::light;
  };
  handler.WriteAllFn = [](ImGuiContext*, ImGuiSettingsHandler* self, ImGuiTextBuffer* out) {
    const bool light = *static_cast<const Theme*>(self->UserData) == Theme::light;
    out->appendf("[%s][Look]\n%s\n\n", kType, light ? kLight : "Theme=dark");
  };
  ImGui::GetCurrentContext()->SettingsHandlers.push_back(handler);
}

Ui::Ui(GLFWwindow* window, float scale) : layout_(settings_path()) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  ImGui_ImplOpenGL3_Init("#version 430");
  remember_theme(theme_);
  problem_ = layout_.load();
  if (settings_path().empty())
    problem_ =
        "Layout, cameras and recent files are forgotten at the end: there is no folder for them. Set HOME or "
        "XDG_CONFIG_HOME to a folder of your own.";
  set_style(scale, theme_);
}

Ui::~Ui() {
  keep_layout();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void Ui::set_style(float scale, Theme theme) {
  if (scale == scale_ && theme == theme_) return;
  scale_ = scale;
  theme_ = theme;
  fonts_ = upload_style(scale, theme);
  ImGui::MarkIniSettingsDirty();
}

void Ui::keep_layout() {
  try {
    layout_.keep();
  } catch (const FileError& error) {
    problem_ = error.what() + std::string(" The layout is forgotten at the end.");
  }
}

void Ui::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  if (ImGui::GetIO().WantSaveIniSettings) keep_layout();
}

void Ui::render() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace pericenter::app
