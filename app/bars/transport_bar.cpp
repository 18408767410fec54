#include <cmath>
#include <string>

#include "app/bars/bars.h"
#include "app/base/format.h"
#include "app/ui/hidden_results.h"

namespace pericenter::app {
namespace {

constexpr const char* kPredictFirst =
    "Predict first: press the number of a choice, or → to continue without recording a choice.";

void headline(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  const SessionState& state = frame.simulation;
  const bool loaded = state.scene_serial != 0;
  // It was refused or cancelled.
  const bool lacks_scene = !loaded && !state.busy && (state.message_is_error || !state.message.empty());
  const std::string bodies = loaded ? with_thousands(state.bodies) + " bodies" : "";
  const std::string rate =
      (frame.every > 1 ? shown_text(frame.every) + ", " : "") + text("%.0f fps", frame.frames_per_second);
  ImGui::PushFont(fonts.headline);
  const std::string time = loaded && hides_results(ui) ? "?"
                           : loaded                    ? time_text(state.time, state.units)
                           : lacks_scene               ? "No scene"
                                                       : "Loading …";
  ImGui::TextUnformatted(time.c_str());
  const float top = ImGui::GetItemRectMin().y;
  ImGui::PopFont();
  widgets::describe(ui, {"clock", time,
                         lacks_scene         ? "No scene is loaded. Choose one."
                         : !loaded           ? "The first scene is not loaded yet."
                         : hides_results(ui) ? kHiddenResult
                                             : "Simulated time."});

  const ImVec2 size = ImGui::CalcTextSize(bodies.c_str()), rate_size = ImGui::CalcTextSize(rate.c_str());
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddText({right - size.x, top - size.y * 0.1f}, ImGui::GetColorU32(palette(ui.view.theme).text), bodies.c_str());
  draw->AddText({right - rate_size.x, top + size.y * 0.95f}, ImGui::GetColorU32(palette(ui.view.theme).dim),
                rate.c_str());
  ImGui::Dummy({0, size.y * 0.2f});  // the two lines on the right are higher than the one on the left
}

/// Replaces Step and Reset while the simulation is busy. Cancel is where Step was: a second click on Reset must not
/// cancel what the first one started.
void progress(const SessionState& state, const ImVec2& size, UiState& ui) {
  widgets::button(ui, {"cancel", "Cancel", "Cancel. The previous run continues."}, size, {Action::cancel});
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::ProgressBar(static_cast<float>(state.progress), size, "");
  const double percent = 100 * state.progress;
  const char* what = state.computing_forces ? "forces" : state.playback ? "reading" : "bodies";
  const std::string number = text(percent < 10 ? "%.1f %%" : "%.0f %%", percent);
  std::string label = state.awaits_device ? "starting" : what + (' ' + number);
  if (ImGui::CalcTextSize(label.c_str()).x > size.x) label = number;
  const ImVec2 low = ImGui::GetItemRectMin(), width = ImGui::CalcTextSize(label.c_str());
  ImGui::GetWindowDrawList()->AddText({low.x + (size.x - width.x) / 2, low.y + (size.y - width.y) / 2},
                                      ImGui::GetColorU32(ImGuiCol_Text), label.c_str());
  widgets::describe(
      ui,
      {"progress", "",
       state.awaits_device ? "The simulation begins after the first frame, and on an NVIDIA GPU when CUDA has started, "
                             "which takes some tenths of a second."
       : state.computing_forces ? "Computing the initial forces. On the CPU, a direct sum of a million bodies takes "
                                  "minutes; a tree takes a second."
       : state.playback         ? "Reading the next snapshots of the playback."
                        : "Creating or reading bodies. The current scene stays paused while the new one loads."});
}

/// At the right end of the row, `size` pixels wide and high.
void undo_button(const Timeline& timeline, float size, UiState& ui) {
  const std::string tip = timeline.undo.empty()
                              ? "Undo a change of settings, a reset or a change of scene (Ctrl+Z). Nothing to undo."
                              : "Undo: " + timeline.undo + " (Ctrl+Z).";
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - size, 0);
  widgets::button(ui, {"undo", "↶", tip}, {size, size}, {Action::undo}, !timeline.undo.empty());
}

void buttons(const SessionState& state, UiState& ui) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, em = ImGui::GetFontSize(), height = 2 * em;
  const float width = ImGui::GetContentRegionAvail().x - height - gap;
  const float small = std::floor((width - 2 * gap) * 0.28f), large = width - 2 * (small + gap);
  const bool waits = ui.lesson.waits_for_prediction();
  widgets::main_button(ui,
                       {"play", ui.edited.running.value() ? "▮▮  Pause" : "▶  Play",
                        waits ? kPredictFirst : "Run or pause the simulation (Space)."},
                       {large, height}, {Action::toggle_play}, !waits);
  ImGui::SameLine(0, gap);
  if (state.busy) {
    progress(state, {small, height}, ui);
    return undo_button(state.timeline, height, ui);
  }
  widgets::button(ui, {"step", "Step", waits ? kPredictFirst : "Advance by one step and pause ( . )."}, {small, height},
                  {Action::single_step}, !waits);
  ImGui::SameLine(0, gap);
  widgets::button(ui,
                  {"reset", "Reset",
                   state.playback ? "Go back to the first snapshot (R)."
                                  : "Restart the scene with the same bodies and the same seed (R)."},
                  {small, height}, {Action::reset});
  undo_button(state.timeline, height, ui);
}

}  // namespace

void draw_transport_bar(const UiFrame& frame, const Fonts& fonts, UiState& ui) {
  headline(frame, fonts, ui);
  buttons(frame.simulation, ui);
  draw_slowness(frame, ui);
  draw_instability_alert(frame, ui);
}

}  // namespace pericenter::app
