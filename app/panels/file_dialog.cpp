#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/ui/requests.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr float kWidthEms = 50, kHeightEms = 34;
constexpr float kMaxWindowShare = 0.92f;

bool pressed(ImGuiKey key, bool repeat = false) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(key, repeat);
#else
  return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), repeat);
#endif
}

std::string day_and_time(std::time_t moment) {
  std::array<char, 32> words = {};
  std::tm parts = {};
  if (localtime_r(&moment, &parts)) std::strftime(words.data(), words.size(), "%Y-%m-%d %H:%M", &parts);
  return words.data();
}

void open(const std::string& path, UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  std::error_code error;
  if (fs::is_directory(path, error)) return go_to(path, browser);
  browser.open = false;
  open_files({path}, ui);
}

/// A folder's tab and body, or two stars.
void icon(const FolderEntry& entry, ImVec2 at, const UiState& ui) {
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

void place_row(UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  if (widgets::button(ui, "↑###Up", {2 * em, 0}, "To the folder that this one is in (Backspace).")) go_up(browser);
  ImGui::SameLine(0, gap);
  if (widgets::button(ui, "Home", {0, 0}, "To your own folder.")) go_to(home_folder(), browser);
  ImGui::SameLine(0, gap);
  ImGui::SetNextItemWidth(-FLT_MIN);
  if (widgets::text_field(ui, "Path", browser.path, "folder or file",
                          "The folder that is shown. Type or paste a path and press Enter; ~/ is your own folder.",
                          ImGuiInputTextFlags_EnterReturnsTrue))
    open(full_path(browser.path, browser.folder), ui);
}

/// The keyboard is here, so that typing searches at once. Returns whether Enter was pressed.
bool search_row(UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  if (std::exchange(browser.focus, false)) ImGui::SetKeyboardFocusHere();
  const std::string before = browser.search;
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool entered = widgets::text_field(ui, "Search", browser.search, "search in this folder",
                                           "Shows only names with this in them. ↑ and ↓ choose, Enter opens.",
                                           ImGuiInputTextFlags_EnterReturnsTrue);
  const bool active = ImGui::IsItemActive();
  if (browser.search != before) browser.chosen = 0;
  if (active && before.empty() && pressed(ImGuiKey_Backspace)) go_up(browser);
  return entered;
}

void right_aligned(const std::string& words) {
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                       ImGui::CalcTextSize(words.c_str()).x);
  ImGui::TextUnformatted(words.c_str());
}

/// Returns whether the row was pressed.
bool row(const FolderEntry& entry, bool chosen, UiState& ui) {
  const float em = ImGui::GetFontSize();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed_now = ImGui::Selectable(
      ("##" + entry.name).c_str(), chosen, ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick);
  if (!ImGui::IsItemVisible()) return pressed_now;  // one of thousands
  widgets::note(ui, entry.name.c_str(),
                entry.is_folder ? "A folder: double click shows what is in it."
                                : "Double click opens it. A numbered file of a series plays "
                                  "the whole series.");
  icon(entry, at, ui);
  ImGui::SameLine(1.5f * em);
  ImGui::TextUnformatted(entry.name.c_str());
  ImGui::PushStyleColor(ImGuiCol_Text, chosen ? palette(ui.view.theme).text : palette(ui.view.theme).dim);
  ImGui::TableNextColumn();
  if (!entry.is_folder) right_aligned(bytes_text(entry.bytes));
  ImGui::TableNextColumn();
  right_aligned(day_and_time(entry.changed));
  ImGui::PopStyleColor();
  return pressed_now;
}

void move_choice(int rows, FileBrowser& browser) {
  if (pressed(ImGuiKey_DownArrow, true)) ++browser.chosen;
  if (pressed(ImGuiKey_UpArrow, true)) --browser.chosen;
  browser.chosen = std::clamp(browser.chosen, 0, std::max(rows - 1, 0));
}

/// Returns the row that was double clicked; -1 without.
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
    if (row(*rows[k], chosen, ui)) {
      browser.chosen = k;
      if (ImGui::IsMouseDoubleClicked(0)) opened = k;
    }
    if (chosen && browser.chosen != before) ImGui::SetScrollHereY();
  }
  ImGui::EndTable();
  ImGui::PopStyleColor();
  return opened;
}

void empty_words(UiState& ui) {
  const FileBrowser& browser = ui.files.browser;
  const std::string words = !browser.problem.empty()  ? browser.problem
                            : browser.entries.empty() ? "This folder is empty."
                                                      : "Nothing here has such a name.";
  widgets::paragraph(ui, "Empty", words, palette(ui.view.theme).dim, "Another folder, or all files, may show more.");
}

/// Returns whether Open was pressed.
bool last_row(bool can_open, UiState& ui) {
  const float em = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x, wide = 6 * em;
  widgets::checkbox(ui, "All files", ui.files.browser.all,
                    "Also those whose names say that they hold no bodies: pictures, programs, hidden files.");
  ImGui::SameLine(0, em);
  widgets::checkbox(ui, "Skip bad bodies", ui.files.skip_bad,
                    "Leaves out bodies whose numbers cannot be used, such as NaN, and tells how many. Without this, "
                    "such a file is refused. None is ever invented.");
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 2 * wide - gap);
  if (widgets::button(ui, "Cancel###Close browser", {wide, 0}, "Opens nothing; what runs goes on (Esc)."))
    ui.files.browser.open = false;
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(!can_open);
  const bool open_it = widgets::main_button(ui, "Open###Open chosen", {wide, 0}, "Opens what is chosen (Enter).");
  ImGui::EndDisabled();
  return open_it;
}

void draw_contents(const Fonts& fonts, UiState& ui) {
  FileBrowser& browser = ui.files.browser;
  ImGui::PushFont(fonts.headline);
  ImGui::TextUnformatted("Open a file of bodies");
  ImGui::PopFont();
  ImGui::Spacing();
  place_row(ui);
  const bool entered = search_row(ui);
  const auto rows = shown(browser);
  const float below = ImGui::GetFrameHeightWithSpacing() + ImGui::GetStyle().ItemSpacing.y;
  const float height = ImGui::GetContentRegionAvail().y - below;
  int opened = -1;
  if (rows.empty()) {
    const float top = ImGui::GetCursorPosY();
    empty_words(ui);
    ImGui::SetCursorPosY(top + height + ImGui::GetStyle().ItemSpacing.y);
  } else {
    opened = file_list(rows, height, ui);
  }
  ImGui::Spacing();
  if ((last_row(!rows.empty(), ui) || entered) && !rows.empty()) opened = browser.chosen;
  if (opened >= 0) open((fs::path(browser.folder) / rows[static_cast<std::size_t>(opened)]->name).string(), ui);
}

}  // namespace

void draw_file_dialog(const Fonts& fonts, UiState& ui) {
  constexpr const char* kName = "Open file";
  FileBrowser& browser = ui.files.browser;
  if (browser.open && !ImGui::IsPopupOpen(kName)) ImGui::OpenPopup(kName);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float em = ImGui::GetFontSize(), padding = 1.2f * em;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(
      {std::min(kWidthEms * em, kMaxWindowShare * display.x), std::min(kHeightEms * em, kMaxWindowShare * display.y)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, padding});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.6f * em);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  const bool visible = ImGui::BeginPopupModal(kName, nullptr, kFlags);
  ImGui::PopStyleVar(2);
  if (!visible) return;
  // The window leaves Esc to a field that is being typed into, which is where the keyboard is.
  if (pressed(ImGuiKey_Escape) && ImGui::GetIO().WantTextInput) browser.open = false;
  if (browser.open) draw_contents(fonts, ui);
  if (!browser.open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace pericenter::app
