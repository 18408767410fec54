#include <filesystem>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/ui/ui_style.h"
#include "app/ui/requests.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

std::string name_of(const std::string& path) {
  return fs::path(path).filename().string();
}

void recent_list(UiState& ui) {
  FilesState& files = ui.files;
  if (!widgets::begin_combo(ui, "Recent", "choose ...", "The last ten files that were opened or saved.")) return;
  // Not in every frame: on a slow disk that would be felt.
  if (ImGui::IsWindowAppearing() || files.missing.size() != files.recent.size()) {
    std::error_code error;
    files.missing.clear();
    for (const std::string& path : files.recent) files.missing.push_back(!fs::exists(path, error));
  }
  if (files.recent.empty()) widgets::choice(ui, "none yet", false, "", "Files that were opened or saved appear here.");
  for (std::size_t k = 0; k < files.recent.size(); ++k) {
    const std::string& path = files.recent[k];
    const std::string why = files.missing[k] ? "There is no " + path + " any more." : "";
    if (widgets::choice(ui, (name_of(path) + "###" + path).c_str(), false, path, why)) open_files({path}, ui);
  }
  widgets::end_combo();
}

/// What was loaded, and the other way to look at it.
void loaded_rows(const SessionState& state, UiState& ui) {
  const FilesState& files = ui.files;
  if (state.file.empty()) return;
  widgets::readout(ui, "Loaded", name_of(state.file), state.file);
  if (!files.note.empty())
    widgets::paragraph(ui, "Note", files.note, palette(ui.view.theme).dim, "What was found in the file.");
  if (files.series.size() < 2) return;
  if (!state.recorded) {
    const std::string label = text("Play all %zu of its series###Play series", files.series.size());
    if (widgets::button(ui, label.c_str(), {-FLT_MIN, 0},
                        "Shows the whole series as a recording, with a slider for the time. Nothing is computed, so it "
                        "is as exact as the files."))
      play_series(files.opened, ui);
  } else if (widgets::button(ui, ("Only " + name_of(files.opened) + "###Only this file").c_str(), {-FLT_MIN, 0},
                             "Loads this one snapshot and computes on from it.")) {
    open_alone(files.opened, ui);
  }
}

void save_rows(UiState& ui) {
  FilesState& files = ui.files;
  const float button = 4.4f * ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemInnerSpacing.x;
  constexpr const char* kTip =
      "Where the snapshot goes: a name, a path, a folder, or nothing for a new name beside your pictures.";
  widgets::row(ui, "Save as", kTip);
  ImGui::SetNextItemWidth(-button - gap);
  widgets::text_field(ui, "Save as", files.save_as, "a new name", kTip);
  ImGui::SameLine(0, gap);
  if (files.saving) {
    if (widgets::button(ui, "Stop###Stop saving", {button, 0}, "Give it up; nothing of it stays on the disk (Esc)."))
      ui.commands.push_back({Action::cancel_save});
  } else if (widgets::button(ui, "Save", {button, 0},
                             "Save all bodies and settings as GADGET HDF5 (Ctrl S). Loaded again, the run goes on with "
                             "the same bits. The simulation runs on meanwhile, a little slower.")) {
    ui.commands.push_back({Action::save_snapshot});
  }
  if (files.saving) {
    ImGui::ProgressBar(static_cast<float>(*files.saving), {-FLT_MIN, 0});
    widgets::note(ui, "Saving", "How much of the snapshot is on the disk.");
  } else if (!files.saved.empty()) {
    widgets::paragraph(ui, "Snapshot", files.saved, palette(ui.view.theme).dim, "The snapshot that was saved last.");
  }
}

}  // namespace

void draw_files_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Files", false,
                        "Bodies from files, and into them: snapshots of this program, GADGET, AREPO, SWIFT and TIPSY, "
                        "tables, lists of asteroids."))
    return;
  if (widgets::button(ui, "Open ...", {-FLT_MIN, 0},
                      "Choose a file of bodies (Ctrl O). Files can also be dropped onto the window."))
    ui.commands.push_back({Action::open_file});
  recent_list(ui);
  loaded_rows(frame.simulation, ui);
  save_rows(ui);
}

}  // namespace pericenter::app
