#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <string>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "app/base/home_folder.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr float kWidthEms = 50, kHeightEms = 34;
constexpr float kMaxShare = 0.92f;  // share of the window

using widgets::pressed;

std::string date_and_time(std::time_t time) {
  std::array<char, 32> text = {};
  std::tm parts = {};
  if (localtime_r(&time, &parts)) std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts);
  return text.data();
}

void open(const std::string& path, UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  std::error_code error;
  if (fs::is_directory(path, error)) return go_to(path, browser);
  browser.path_problem = problem_with_file(path);
  if (!browser.path_problem.empty()) return;
  browser.open = false;
  open_files({path}, ui.files, ui);
}

/// A folder, or two stars for a file that may hold bodies.
void draw_icon(const FolderEntry& entry, ImVec2 at, const UiState& ui) {
  const float em = ImGui::GetFontSize();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 accent = ImGui::GetColorU32(palette(ui.view.theme).accent),
              dim = ImGui::GetColorU32(palette(ui.view.theme).dim);
  if (entry.is_folder) {
    draw->AddRectFilled({at.x, at.y + 0.2f * em}, {at.x + 0.42f * em, at.y + 0.5f * em}, accent, 0.08f * em);
    draw->AddRectFilled({at.x, at.y + 0.32f * em}, {at.x + 0.95f * em, at.y + 0.92f * em}, accent, 0.1f * em);
  } else if (may_hold_bodies(entry.name)) {
    draw->AddCircleFilled({at.x + 0.34f * em, at.y + 0.68f * em}, 0.17f * em, dim, 12);
    draw->AddCircleFilled({at.x + 0.68f * em, at.y + 0.36f * em}, 0.11f * em, dim, 12);
  }
}

void path_row(UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  if (widgets::button(ui, {"parent-folder", "↑", "Go to the parent folder (Backspace)."}, {2 * em, 0})) go_up(browser);
  ImGui::SameLine(0, gap);
  if (widgets::button(ui, {"home-folder", "Home", "Go to your home folder."}, {0, 0})) go_to(home_folder(), browser);
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(-FLT_MIN);
  const std::string before = browser.path;
  const bool entered = widgets::text_field(
      ui, {"path", "", "Current folder. Type or paste a path and press Enter; ~/ is your home folder."}, browser.path,
      "folder or file", ImGuiInputTextFlags_EnterReturnsTrue);
  if (browser.path != before) browser.path_problem.clear();
  // A held key would open the first file of the folder that it has just opened.
  if (entered && widgets::enter_pressed()) open(full_path(browser.path, browser.folder), ui);
  if (!browser.path_problem.empty())
    widgets::paragraph(ui, {"path-problem", browser.path_problem, "Correct the path, or select a file below."},
                       palette(ui.view.theme).error);
}

/// Has the keyboard focus when the dialog opens. Returns whether Enter was pressed.
bool search_row(UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  if (std::exchange(browser.focus, false)) ImGui::SetKeyboardFocusHere();
  const std::string before = browser.search;
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool entered =
      widgets::text_field(ui, {"file-search", "", "Show only names with this text. ↑ and ↓ select, Enter opens."},
                          browser.search, "search in this folder", ImGuiInputTextFlags_EnterReturnsTrue);
  const bool active = ImGui::IsItemActive();
  if (browser.search != before) browser.chosen = 0;
  if (active && before.empty() && pressed(ImGuiKey_Backspace)) go_up(browser);
  return entered && widgets::enter_pressed();
}

void right_aligned(const std::string& text) {
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x);
  ImGui::TextUnformatted(text.c_str());
}

/// Returns whether the row was clicked.
bool file_row(const FolderEntry& entry, bool chosen, UiState& ui) {
  const float em = ImGui::GetFontSize();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::Selectable(("##" + entry.name).c_str(), chosen,
                                         ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick);
  if (!ImGui::IsItemVisible()) return clicked;
  widgets::describe(ui, {"file/" + entry.name, "",
                         entry.is_folder ? "Double-click to open the folder."
                                         : "Double-click to open the file. A numbered file plays the whole series."});
  draw_icon(entry, at, ui);
  ImGui::SameLine(1.5f * em);
  ImGui::TextUnformatted(entry.name.c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, chosen ? palette(ui.view.theme).text : palette(ui.view.theme).dim);
  ImGui::TableNextColumn();
  if (!entry.is_folder) right_aligned(bytes_text(entry.bytes));
  ImGui::TableNextColumn();
  right_aligned(date_and_time(entry.changed));
  ImGui::PopStyleColor();
  return clicked;
}

void move_choice(int rows, FileBrowser& browser) {
  if (pressed(ImGuiKey_DownArrow, true)) ++browser.chosen;
  if (pressed(ImGuiKey_UpArrow, true)) --browser.chosen;
  browser.chosen = std::clamp(browser.chosen, 0, std::max(rows - 1, 0));
}

/// Returns the row that was double-clicked; -1: none.
int file_list(const std::vector<const FolderEntry*>& rows, float height, UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  const float em = ImGui::GetFontSize();
  const int before = browser.chosen;
  move_choice(static_cast<int>(rows.size()), browser);
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_PadOuterX | ImGuiTableFlags_NoSavedSettings;
  ImGui::PushStyleColor(ImGuiCol_Header, mixed(palette(ui.view.theme).well, palette(ui.view.theme).accent, 0.35f));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, palette(ui.view.theme).well);
  const bool visible = ImGui::BeginTable("files", 3, kFlags, {0, height});
  ImGui::PopStyleColor();
  if (!visible) return ImGui::PopStyleColor(), -1;
  ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, 6 * em);
  ImGui::TableSetupColumn("Changed", ImGuiTableColumnFlags_WidthFixed, 10 * em);
  int opened = -1;
  for (int k = 0; k < static_cast<int>(rows.size()); ++k) {
    const bool chosen = k == browser.chosen;
    if (file_row(*rows[k], chosen, ui)) {
      browser.chosen = k;
      if (ImGui::IsMouseDoubleClicked(0)) opened = k;
    }
    if (chosen && browser.chosen != before) ImGui::SetScrollHereY();
  }
  ImGui::EndTable();
  ImGui::PopStyleColor();
  return opened;
}

void empty_message(UiState& ui) {
  const FileBrowser& browser = ui.files.browser;
  const std::string message = !browser.problem.empty()  ? browser.problem
                              : browser.entries.empty() ? "This folder is empty."
                                                        : "No file matches the search.";
  widgets::paragraph(ui, {"no-files", message, "Try another folder, or All files."});
}

/// Returns whether Open was pressed.
bool button_row(bool can_open, UiState& ui) {
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x, width = 6 * em;
  widgets::checkbox(ui, {"all-files", "All files", "Also show hidden files and files without a known extension."},
                    ui.files.browser.all);
  ImGui::SameLine(0, em);
  widgets::checkbox(ui,
                    {"skip-invalid-rows", "Skip invalid rows",
                     "Skip bodies with invalid values, such as NaN, and report their number. Otherwise such a file is "
                     "rejected."},
                    ui.files.read.skip_bad);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 2 * width - gap);
  if (widgets::button(ui, {"close-dialog", "Cancel", "Close without opening a file (Esc)."}, {width, 0}))
    ui.files.browser.open = false;
  ImGui::SameLine(0, gap);
  const bool opened =
      widgets::main_button(ui, {"open-selected", "Open", "Open the selected file (Enter)."}, {width, 0}, can_open);
  return opened;
}

void draw_contents(const Fonts& fonts, UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  ImGui::PushFont(fonts.headline);
  ImGui::TextUnformatted("Open particle data");
  ImGui::PopFont();
  ImGui::Spacing();
  path_row(ui);
  const bool entered = search_row(ui);
  const auto rows = shown(browser);
  const float below = ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().ItemSpacing.y;
  const float height = ImGui::GetContentRegionAvail().y - below;
  int opened = -1;
  if (rows.empty()) {
    const float top = ImGui::GetCursorPosY();
    empty_message(ui);
    ImGui::SetCursorPosY(top + height + ImGui::GetStyle().ItemSpacing.y);
  } else {
    opened = file_list(rows, height, ui);
  }
  ImGui::Spacing();
  if ((button_row(!rows.empty(), ui) || entered) && !rows.empty()) opened = browser.chosen;
  if (opened >= 0) open((fs::path(browser.folder) / rows[static_cast<std::size_t>(opened)]->name).string(), ui);
}

}  // namespace

void draw_file_dialog(const Fonts& fonts, UiState& ui) {
  constexpr const char* kName = "Open file";
  FileBrowser& browser = ui.files.browser;
  if (browser.open && !ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize(), padding = std::round(1.2f * em);
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(
      {std::min(kWidthEms * em, kMaxShare * display.x), std::min(kHeightEms * em, kMaxShare * display.y)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.6f * em);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  const bool visible = ImGui::BeginPopupModal(kName, nullptr, kFlags);
  ImGui::PopStyleVar(2);
  if (!visible) return;
  // While a text field has the keyboard focus, the window does not handle Esc; if it took the focus just now, it does.
  if (pressed(ImGuiKey_Escape) && ImGui::GetIO().WantTextInput) {
    browser.open = false;
    std::erase(ui.commands, Command{Action::close_dialogs});
  }
  if (browser.open) draw_contents(fonts, ui);
  if (!browser.open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace pericenter::app
