#pragma once

#include <cstddef>
#include <span>

#include "app/panels/widgets.h"
#include "app/ui/send_requests.h"
#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {

/// Draws the user interface over the image: side bar, status line and dialogs. Call it between ImGui::NewFrame() and
/// ImGui::Render(). It needs no window.
void draw_ui(const UiFrame& frame, const Fonts& fonts, UiState& ui);

/// A collapsible part of the side bar; the rows are in panel_table.inc.
struct Panel {
  widgets::Control heading;
  bool open_by_default;
  bool (*is_available)(const UiFrame& frame);
  void (*draw)(const UiFrame& frame, UiState& ui);
};
/// Top to bottom.
std::span<const Panel> panels();

// Above the panels, and always visible.
void draw_transport_panel(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// The drawer with the plots; sets the size that it takes from the image.
void draw_drawer(const UiFrame& frame, UiState& ui);
/// Reports non-finite bodies and offers ways to roll back; nothing while all bodies are finite.
void draw_instability_panel(const UiFrame& frame, UiState& ui);

// Parts of panels that the simple side bar shows too.
/// Scene, number of bodies, and the button that applies it.
void draw_scene_choice(const UiFrame& frame, UiState& ui);
/// Algorithm and opening angle.
void draw_algorithm_choice(const UiFrame& frame, UiState& ui);
void draw_color_choice(UiState& ui);
/// Opening angle θ, or the force error that takes its place.
void draw_opening_row(const UiFrame& frame, UiState& ui);

/// Part of the solver panel: accuracy, softening and time step.
void draw_theta_and_timestep_controls(const UiFrame& frame, UiState& ui);

/// Part of the accuracy panel: cost and error of opening angles, with the current setting as a point that can be
/// dragged.
void draw_cost_card(const UiFrame& frame, UiState& ui);
/// Symbol of a solver on that card, centred at `at`.
void draw_solver_symbol(std::size_t number, ImVec2 at, float radius, Theme theme);

/// Bottom line of the window: the current notice, or how far the result can be trusted.
void draw_status_line(const UiFrame& frame, UiState& ui);
/// The current notice while the side bar is hidden.
void draw_hidden_status(const UiFrame& frame, UiState& ui);
/// Part of the status line, at most `room` pixels wide: level and values of the accuracy; A and B in a comparison.
void draw_health_strip(const UiFrame& frame, float room, UiState& ui);
/// The shape of the level alone, in the line of a notice; it ends at `right`.
void draw_health_shape(const UiFrame& frame, float right, UiState& ui);
/// The line over the image that says why the result cannot be trusted; nothing while it can, or after it was dismissed.
void draw_health_alert(const UiFrame& frame, UiState& ui);
/// The timeline between image and status line. It takes ui.timeline_height pixels from the image.
void draw_timeline_bar(const UiFrame& frame, UiState& ui);
/// The timeline over the image while the side bar is hidden: shown while the cursor is near the bottom, or a recorded
/// moment is shown.
void draw_timeline_overlay(const UiFrame& frame, UiState& ui);
/// Name and caption of the scene over the image, what is seen at its key moment, and the card with what to do next.
void draw_scene_guide(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// Moves the divider between the two halves of a comparison; nothing without one.
void draw_divider(UiState& ui);
/// A red dot and the length of the video while it is recorded.
void draw_recording_mark(const UiState& ui);
/// The cards of a lesson: its title, the question or the answer of a slide, the teacher's note.
void draw_lesson_cards(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// The list of lessons while it is open. Takes over the keys that move in it.
void draw_lesson_list(const Fonts& fonts, UiState& ui);
void draw_shortcuts_window(UiState& ui);
/// The file dialog, on top of everything else.
void draw_file_dialog(const Fonts& fonts, UiState& ui);

}  // namespace pericenter::app
