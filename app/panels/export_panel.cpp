#include <algorithm>
#include <array>
#include <string>

#include "app/base/format.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {
namespace {

constexpr std::array<const char*, 3> kStillNames = {"as in the window", "3840 × 2160", "7680 × 4320"};
constexpr std::array<const char*, 3> kStillTips = {
    "A saved picture has as many pixels as the window shows it with. Quick.",
    "4K, for a slide or a poster of A4: takes a second or a few, in which the window waits. Time and forces do not "
    "depend on it.",
    "8K, for a large poster: takes some seconds, more without a GPU, in which the window waits. Time and forces do not "
    "depend on it."};
constexpr std::array<const char*, 3> kFormatNames = {"MP4", "GIF", "PNG pictures"};
constexpr std::array<const char*, 3> kFormatTips = {
    "A film in H.264, which every player and browser shows. Needs the program ffmpeg, which takes a core or more while "
    "it records.",
    "For pages that take no film: 256 colours a frame, at most 50 frames a second, and large files; choose a small "
    "size. Needs the program ffmpeg.",
    "A folder of numbered pictures without any loss, for editing. Needs no ffmpeg; slower, and many megabytes."};
constexpr std::array<const char*, 3> kFilmNames = {"as in the window", "1920 × 1080", "640 × 360"};
constexpr std::array<const char*, 3> kFilmTips = {
    "The film has as many pixels as the window shows the picture with when it begins.",
    "Full HD, whatever the window's size: each picture is drawn once more for the film, which takes time.",
    "Small, for a GIF or a message. Each picture is drawn once more for the film."};

const ImVec4 kRed{0.93f, 0.23f, 0.22f, 1};

std::string film_so_far(const OutputState& output) {
  return with_thousands(output.recorded_frames) +
         text(" frames, %.1f s", static_cast<double>(output.recorded_frames) / output.recorded_rate);
}

void picture_rows(UiState& ui) {
  widgets::enum_combo(ui, "Picture size", ui.output.still, kStillNames, kStillTips);
  if (widgets::button(ui, "Save a picture", {-FLT_MIN, 0},
                      "Save the picture without the panel (F12) into the folder of your pictures, with all settings in "
                      "the file. Shift F12 saves the window as it is. Changes nothing in the simulation."))
    ui.commands.push_back({Action::screenshot});
}

void film_rows(UiState& ui) {
  OutputState& output = ui.output;
  ImGui::BeginDisabled(output.recording);
  widgets::enum_combo(ui, "Film", output.format, kFormatNames, kFormatTips);
  widgets::enum_combo(ui, "Film size", output.film, kFilmNames, kFilmTips);
  widgets::slider(
      ui, "Frames/s", output.frames_per_second, {10, 120, "%d"},
      "How fast the film plays. It has one frame for each picture of the simulation, so more frames a second "
      "make it faster and smoother; forces do not depend on it.");
  ImGui::EndDisabled();
  ImGui::PushStyleColor(ImGuiCol_Text, output.recording ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : kRed);
  const bool pressed = ImGui::Button(output.recording ? "■  Stop###Record" : "●  Record###Record", {-FLT_MIN, 0});
  ImGui::PopStyleColor();
  widgets::note(
      ui, "Record",
      "Begin or end a film (F9). The simulation then waits for each frame, so that the film is smooth however "
      "slow the machine is; while it is paused nothing is recorded. Forces do not depend on it.");
  if (pressed) ui.commands.push_back({Action::toggle_recording});
  if (output.recording)
    widgets::readout(ui, "Recorded", film_so_far(output), "What the film has so far, and how long that plays.");
}

/// With line breaks instead of blanks where a line gets wider than `width`; ImGui alone would break 0.5 after its
/// point.
std::string wrapped(std::string_view words, float width) {
  std::string lines, line;
  while (!words.empty()) {
    const std::string word(words.substr(0, words.find(' ')));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const std::string longer = line.empty() ? word : line + " " + word;
    const bool fits = ImGui::CalcTextSize(longer.c_str()).x <= width;
    if (!fits && !line.empty()) lines += line + "\n";
    line = fits ? longer : word;
  }
  return lines + line;
}

/// The scene string, and the buttons that copy it and take another.
void scene_string_rows(const UiFrame& frame, UiState& ui) {
  widgets::heading("Scene as text");
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, half = (ImGui::GetContentRegionAvail().x - gap) / 2;
  if (widgets::button(
          ui, "Copy scene", {half, 0},
          "Copy the line below (Ctrl C): the scene, how it is computed and how you see it, for a message or "
          "a lesson. Who pastes it sees the same. Changes nothing here."))
    ui.commands.push_back({Action::copy_scene});
  ImGui::SameLine(0, gap);
  if (widgets::button(
          ui, "Paste scene", {half, 0},
          "Take such a line from the clipboard (Ctrl V): its scene begins, with its speed and its accuracy. "
          "If something in it is wrong, what runs now goes on."))
    ui.commands.push_back({Action::paste_scene});
  widgets::paragraph(
      ui, "Scene string", wrapped(frame.scene_string, ImGui::GetContentRegionAvail().x), palette(ui.view.theme).dim,
      "All that is needed to see this again, also in every saved picture and snapshot. What is not in it "
      "is as the scene or the program has it by itself.");
}

}  // namespace

void draw_output_section(const UiFrame& frame, UiState& ui) {
  if (!widgets::section(ui, "Pictures and films", false, "Save what you see.")) return;
  widgets::checkbox(ui, "With scale bar, clock and legend", ui.output.annotated,
                    "Draw on saved pictures and films what explains them, as in the window. No cost.");
  picture_rows(ui);
  ImGui::Spacing();
  film_rows(ui);
  if (!ui.output.last_path.empty())
    widgets::paragraph(ui, "Saved last", ui.output.last_path, palette(ui.view.theme).dim,
                       "The file that was saved last.");
  scene_string_rows(frame, ui);
}

void draw_recording_mark(const UiState& ui) {
  if (!ui.output.recording) return;
  const std::string words = film_so_far(ui.output);
  const float em = ImGui::GetFontSize(), width = ImGui::GetIO().DisplaySize.x - ui.panel_width;
  const ImVec2 size = ImGui::CalcTextSize(words.c_str());
  const ImVec2 low{ui.panel_width + 0.5f * (width - size.x) - 1.4f * em, 0.7f * em};
  const ImVec2 high{low.x + size.x + 2.6f * em, low.y + 1.6f * em};
  const float middle = 0.5f * (low.y + high.y);
  ImDrawList& draw = *ImGui::GetForegroundDrawList();
  draw.AddRectFilled(low, high, IM_COL32(10, 12, 18, 190), 0.8f * em);
  draw.AddCircleFilled({low.x + 0.95f * em, middle}, 0.36f * em, ImGui::GetColorU32(kRed), 24);
  draw.AddText({low.x + 1.7f * em, middle - 0.5f * size.y}, IM_COL32(240, 242, 246, 255), words.c_str());
}

}  // namespace pericenter::app
