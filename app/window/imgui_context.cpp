#include "app/window/imgui_context.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/ui/imgui_versions.h"
#include "app/window/settings_dir.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMaxBytes = 1 << 16;  // a hundred times the usual size
constexpr const char* kLookType = "Pericenter";

/// Tables are not stored here: ImGui would allocate any number of columns that a file asks for.
bool is_layout_line(const std::string& line) {
  const bool is_text =
      std::none_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 32; });
  if (!is_text || line.empty()) return is_text;
  if (line.front() != '[') return line.find('=') != line.npos;
  return line.back() == ']' && (line.starts_with("[Window][") || line.starts_with("[Pericenter]["));
}

/// Unknown lines are ignored, and numbers limited: the user may have edited the file.
void read_look_line(std::string_view line, StoredLook& look) {
  const std::size_t sign = std::min(line.find('='), line.size());
  const std::string_view key = line.substr(0, sign);
  const std::string value(line.substr(std::min(sign + 1, line.size())));
  if (key == "Theme") look.theme = value == "light" ? Theme::light : Theme::dark;
  if (key == "ReducedMotion") look.reduced_motion = value == "1";
  if (key == "Open" || key == "Closed") look.side_bar.open[value] = key == "Open";
  const float ems = std::strtof(value.c_str(), nullptr);
  if (key == "Simple") look.side_bar.simple = value == "1";
  if (key == "PauseAtKeyMoments") look.side_bar.pauses_at_key_moments = value == "1";
  if (key == "FollowsStory") look.side_bar.follows_story = value == "1";
  if (!std::isfinite(ems)) return;
  if (key == "PanelEms") look.side_bar.ems = std::clamp(ems, SideBar::kMinEms, SideBar::kMaxEms);
  if (key == "DrawerWidth") look.side_bar.drawer_width = std::clamp(ems, 0.0f, SideBar::kMaxEms);
  if (key == "DrawerHeight") look.side_bar.drawer_height = std::clamp(ems, 0.0f, SideBar::kMaxEms);
}

}  // namespace

std::string problem_with_layout(const std::string& text) {
  if (text.size() > kMaxBytes) return app::text("it is larger than %zu KiB", kMaxBytes >> 10);
  std::istringstream lines(text);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number)
    if (!is_layout_line(line)) return app::text("line %zu is invalid", number);
  return {};
}

std::string LayoutStore::load() {
  std::error_code error;
  if (path_.empty() || !std::filesystem::exists(path_, error)) return {};
  const std::optional<std::string> text = first_bytes(path_, kMaxBytes + 1);
  const std::string problem = text ? problem_with_layout(*text) : "it cannot be read";
  if (!problem.empty()) {
    const std::string path = path_;
    return "The layout in " + path + " is damaged: " + problem + ". " + set_aside(path_);
  }
  stored_ = *text;
  ImGui::LoadIniSettingsFromMemory(stored_.data(), stored_.size());
  return {};
}

void LayoutStore::save() {
  std::size_t size = 0;
  const char* text = ImGui::SaveIniSettingsToMemory(&size);
  ImGui::GetIO().WantSaveIniSettings = false;
  std::string now(text, size);
  if (path_.empty() || now == stored_) return;
  const std::string path = std::exchange(path_, {});
  write_file(path, now);
  path_ = path;
  stored_ = std::move(now);
}

void store_look(StoredLook& look) {
  ImGuiSettingsHandler handler;
  handler.TypeName = kLookType;
  handler.TypeHash = ImHashStr(kLookType);
  handler.UserData = &look;
  handler.ReadOpenFn = [](ImGuiContext*, ImGuiSettingsHandler* self, const char*) {
    // A layout without the line "Simple" is from a version that always showed all settings.
    static_cast<StoredLook*>(self->UserData)->side_bar.simple = false;
    return self->UserData;
  };
  handler.ReadLineFn = [](ImGuiContext*, ImGuiSettingsHandler*, void* entry, const char* line) {
    read_look_line(line, *static_cast<StoredLook*>(entry));
  };
  handler.WriteAllFn = [](ImGuiContext*, ImGuiSettingsHandler* self, ImGuiTextBuffer* out) {
    const StoredLook& stored = *static_cast<const StoredLook*>(self->UserData);
    out->appendf("[%s][Look]\nTheme=%s\nPanelEms=%.2f\n", kLookType, stored.theme == Theme::light ? "light" : "dark",
                 static_cast<double>(stored.side_bar.ems));
    out->appendf("ReducedMotion=%d\n", stored.reduced_motion ? 1 : 0);
    out->appendf("DrawerWidth=%.2f\nDrawerHeight=%.2f\n", static_cast<double>(stored.side_bar.drawer_width),
                 static_cast<double>(stored.side_bar.drawer_height));
    out->appendf("Simple=%d\nPauseAtKeyMoments=%d\nFollowsStory=%d\n", stored.side_bar.simple ? 1 : 0,
                 stored.side_bar.pauses_at_key_moments ? 1 : 0, stored.side_bar.follows_story ? 1 : 0);
    for (const auto& [section, open] : stored.side_bar.open)
      out->appendf("%s=%s\n", open ? "Open" : "Closed", section.c_str());
    out->append("\n");
  };
  ImGui::GetCurrentContext()->SettingsHandlers.push_back(handler);
}

void ShortPresses::begin_frame() {
  const std::vector<int> pressed = std::exchange(pressed_, {});
#if IMGUI_VERSION_NUM < 18700
  auto& down = ImGui::GetIO().KeysDown;
  for (const int key : std::exchange(held_, {})) down[key] = false;
  for (const int key : pressed) {
    if (key < 0 || key >= IM_ARRAYSIZE(down) || down[key]) continue;
    down[key] = true;
    held_.push_back(key);
  }
#endif
}

GuiContext::GuiContext(GLFWwindow* window) : layout_(layout_path()) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  imgui::init_opengl();
  store_look(look_);
  problem_ = layout_.load();
  if (settings_dir().empty())
    problem_ =
        "Layout, cameras and recent files will not be saved: the settings folder cannot be created. Set HOME or "
        "XDG_CONFIG_HOME to a writable folder.";
}

GuiContext::~GuiContext() {
  save_layout();
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

void GuiContext::set_style(float scale, Theme theme, const ProjectorSizes& sizes) {
  if (scale == scale_ && theme == look_.theme && sizes == fonts_.sizes) return;
  scale_ = scale;
  look_.theme = theme;
  fonts_ = upload_style(scale, theme, sizes);
  ImGui::MarkIniSettingsDirty();
}

void GuiContext::store_reduced_motion(bool reduced) {
  if (std::exchange(look_.reduced_motion, reduced) != reduced) ImGui::MarkIniSettingsDirty();
}

void GuiContext::save_layout() {
  try {
    layout_.save();
  } catch (const FileError& error) {
    problem_ = error.what() + std::string(" The layout will not be saved.");
  }
}

void GuiContext::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  short_presses_.begin_frame();
  ImGui::NewFrame();
  if (ImGui::GetIO().WantSaveIniSettings) save_layout();
}

void GuiContext::render(const SideBar& side_bar) {
  look_.side_bar = side_bar;
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace pericenter::app
