#include <filesystem>
#include <string>

#include "app/base/format.h"
#include "app/panels/file_units.h"
#include "app/panels/panels.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

std::string name_of(const std::string& path) {
  return fs::path(path).filename().string();
}

void recent_combo(FilesState& files, Desk& desk) {
  if (!widgets::begin_combo(desk, {"recent", "Recent", "The last ten files that were opened or saved."}, "choose ..."))
    return;
  // Checked once per opening: access to a slow disk in every frame would stall the window.
  if (ImGui::IsWindowAppearing() || files.missing.size() != files.recent.size()) {
    std::error_code error;
    files.missing.clear();
    for (const std::string& path : files.recent) files.missing.push_back(!fs::exists(path, error));
  }
  if (files.recent.empty())
    widgets::choice(desk, {"none", "none yet", ""}, false, "Files that were opened or saved appear here.");
  for (std::size_t k = 0; k < files.recent.size(); ++k) {
    const std::string& path = files.recent[k];
    const std::string problem = files.missing[k] ? path + " no longer exists." : "";
    if (widgets::choice(desk, {path, name_of(path), path}, false, problem)) open_files({path}, files, desk);
  }
  widgets::end_combo(desk);
}

/// The loaded file, and a button for its series or for the file alone.
void loaded_rows(const SessionState& state, FilesState& files, Desk& desk) {
  if (state.file.empty()) return;
  widgets::readout(desk, {"loaded-file", "Loaded", state.file}, name_of(state.file));
  if (!files.note.empty()) widgets::paragraph(desk, {"load-note", files.note, "Notes about the content of the file."});
  if (files.series.size() < 2) return;
  if (!state.playback) {
    if (widgets::button(desk,
                        {"play-series", text("Play the series of %zu files", files.series.size()),
                         "Play back the whole series, with a slider for the time. Nothing is computed, so the motion "
                         "is as accurate as the files."},
                        {-FLT_MIN, 0}))
      play_series(files.opened, files, desk);
  } else if (widgets::button(
                 desk,
                 {"load-single", "Load only " + name_of(files.opened), "Load this snapshot and simulate from it."},
                 {-FLT_MIN, 0})) {
    open_alone(files.opened, files, desk);
  }
}

void save_rows(FilesState& files, Desk& desk) {
  const float button = 3.5f * ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  constexpr widgets::Control kSaveAs = {
      "save-as", "Save as",
      "Name, path or folder of the snapshot. Empty: a new name in the Pictures folder. Enter saves."};
  widgets::row(desk, kSaveAs);
  ImGui::SetNextItemWidth(-button - gap);
  if (widgets::text_field(desk, kSaveAs, files.save_as, "new name", ImGuiInputTextFlags_EnterReturnsTrue) &&
      widgets::enter_pressed() && !files.saving)
    desk.commands.push_back({Action::save_snapshot});
  ImGui::SameLine(0, gap);
  if (files.saving) {
    widgets::button(desk, {"stop-saving", "Stop", "Stop saving and delete the partial file (Esc)."}, {button, 0},
                    {Action::cancel_save});
    ImGui::ProgressBar(static_cast<float>(*files.saving), {-FLT_MIN, 0});
    widgets::describe(desk, {"save-progress", "", "Fraction of the snapshot that is written."});
    return;
  }
  widgets::button(
      desk,
      {"save-snapshot", "Save",
       "Save all bodies and settings as GADGET HDF5 (Ctrl+S). Restarting from it reproduces the run bit for bit. "
       "The simulation continues meanwhile, slightly slower."},
      {button, 0}, {Action::save_snapshot});
  if (!files.saved.empty()) widgets::paragraph(desk, {"saved-snapshot", files.saved, "The last saved snapshot."});
}

}  // namespace

void draw_files_panel(const UiFrame& frame, FilesState& files, Desk& desk) {
  widgets::button(
      desk,
      {"open-file", "Open particle data ...", "Choose a file (Ctrl+O). Files can also be dropped onto the window."},
      {-FLT_MIN, 0}, {Action::open_file});
  recent_combo(files, desk);
  loaded_rows(frame.simulation, files, desk);
  file_units_rows(frame.simulation, files, desk);
  save_rows(files, desk);
}

}  // namespace pericenter::app
