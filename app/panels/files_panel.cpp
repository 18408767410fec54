#include <filesystem>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

std::string name_of(const std::string& path) {
  return fs::path(path).filename().string();
}

void recent_combo(UiState& ui) {
  FilesState& files = ui.files;
  if (!widgets::begin_combo(ui, {"recent", "Recent", "The last ten files that were opened or saved."}, "choose ..."))
    return;
  // Checked once per opening: access to a slow disk in every frame would stall the window.
  if (ImGui::IsWindowAppearing() || files.missing.size() != files.recent.size()) {
    std::error_code error;
    files.missing.clear();
    for (const std::string& path : files.recent) files.missing.push_back(!fs::exists(path, error));
  }
  if (files.recent.empty())
    widgets::choice(ui, {"none", "none yet", ""}, false, "Files that were opened or saved appear here.");
  for (std::size_t k = 0; k < files.recent.size(); ++k) {
    const std::string& path = files.recent[k];
    const std::string problem = files.missing[k] ? path + " no longer exists." : "";
    if (widgets::choice(ui, {path, name_of(path), path}, false, problem)) open_files({path}, ui);
  }
  widgets::end_combo(ui);
}

/// The loaded file, and a button for its series or for the file alone.
void loaded_rows(const SessionState& state, UiState& ui) {
  const FilesState& files = ui.files;
  if (state.file.empty()) return;
  widgets::readout(ui, {"loaded-file", "Loaded", state.file}, name_of(state.file));
  if (!files.note.empty()) widgets::paragraph(ui, {"load-note", files.note, "Notes about the content of the file."});
  if (files.series.size() < 2) return;
  if (!state.playback) {
    if (widgets::button(ui,
                        {"play-series", text("Play the series of %zu files", files.series.size()),
                         "Play back the whole series, with a slider for the time. Nothing is computed, so the motion "
                         "is as accurate as the files."},
                        {-FLT_MIN, 0}))
      play_series(files.opened, ui);
  } else if (widgets::button(
                 ui, {"load-single", "Load only " + name_of(files.opened), "Load this snapshot and simulate from it."},
                 {-FLT_MIN, 0})) {
    open_alone(files.opened, ui);
  }
}

void save_rows(UiState& ui) {
  FilesState& files = ui.files;
  const float button = 3.5f * ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  constexpr widgets::Control kSaveAs = {
      "save-as", "Save as",
      "Name, path or folder of the snapshot. Empty: a new name in the Pictures folder. Enter saves."};
  widgets::row(ui, kSaveAs);
  ImGui::SetNextItemWidth(-button - gap);
  if (widgets::text_field(ui, kSaveAs, files.save_as, "new name", ImGuiInputTextFlags_EnterReturnsTrue) &&
      widgets::enter_pressed() && !files.saving)
    ui.commands.push_back({Action::save_snapshot});
  ImGui::SameLine(0, gap);
  if (files.saving) {
    widgets::button(ui, {"stop-saving", "Stop", "Stop saving and delete the partial file (Esc)."}, {button, 0},
                    {Action::cancel_save});
    ImGui::ProgressBar(static_cast<float>(*files.saving), {-FLT_MIN, 0});
    widgets::describe(ui, {"save-progress", "", "Fraction of the snapshot that is written."});
    return;
  }
  widgets::button(
      ui,
      {"save-snapshot", "Save",
       "Save all bodies and settings as GADGET HDF5 (Ctrl+S). Restarting from it reproduces the run bit for bit. "
       "The simulation continues meanwhile, slightly slower."},
      {button, 0}, {Action::save_snapshot});
  if (!files.saved.empty()) widgets::paragraph(ui, {"saved-snapshot", files.saved, "The last saved snapshot."});
}

}  // namespace

void draw_files_panel(const UiFrame& frame, UiState& ui) {
  widgets::button(
      ui, {"open-file", "Open particle data ...", "Choose a file (Ctrl+O). Files can also be dropped onto the window."},
      {-FLT_MIN, 0}, {Action::open_file});
  recent_combo(ui);
  loaded_rows(frame.simulation, ui);
  save_rows(ui);
}

}  // namespace pericenter::app
