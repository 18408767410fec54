#pragma once

#include "app/ui/requests.h"
#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {

/// Draws everything that stands over or beside the picture: panel, status line, key sheet. Between ImGui::NewFrame()
/// and ImGui::Render(); needs no window, so that tests can run it.
void draw_ui(const UiFrame& frame, const Fonts& fonts, UiState& ui);

// The parts of the panel, from top to bottom; all but the first scroll. Each reads the snapshot and pushes requests.
void draw_transport(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// Of a recording: where it is, and whereto it shall go. Nothing where bodies are computed.
void draw_timeline(const UiFrame& frame, UiState& ui);
/// What a recording is, and the way out of it.
void draw_recording_rows(const UiFrame& frame, UiState& ui);
/// What can be done about bodies that are not finite; nothing while all are.
void draw_instability_panel(const UiFrame& frame, UiState& ui);
/// A row of the panel where a step is long for the fastest body; amber where it is longer than the scene suggests.
void draw_step_caution(const SessionState& state, UiState& ui);
void draw_numbers(const UiFrame& frame, UiState& ui);
void draw_scene_section(const UiFrame& frame, UiState& ui);
void draw_encounter_section(const UiFrame& frame, UiState& ui);
void draw_files_section(const UiFrame& frame, UiState& ui);
void draw_solver_section(const UiFrame& frame, UiState& ui);
void draw_ladder_section(const UiFrame& frame, UiState& ui);
void draw_view_section(const UiFrame& frame, UiState& ui);
void draw_color_section(const UiFrame& frame, UiState& ui);
void draw_tree_section(const UiFrame& frame, UiState& ui);
void draw_camera_section(const UiFrame& frame, UiState& ui);
void draw_output_section(const UiFrame& frame, UiState& ui);
void draw_timings_section(UiState& ui);

/// The line at the bottom: messages, and what the program runs on.
void draw_status_line(const UiFrame& frame, UiState& ui);
/// While a film is being made: a red dot and its length, over the picture.
void draw_recording_mark(const UiState& ui);
/// What is left of it when the panel is hidden: messages. Time and bodies stand in the picture, see draw_annotations().
void draw_hidden_status(const UiFrame& frame, UiState& ui);
void draw_key_sheet(UiState& ui);
/// In which a file is chosen; over everything else.
void draw_file_dialog(const Fonts& fonts, UiState& ui);

}  // namespace pericenter::app
