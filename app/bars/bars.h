#pragma once

#include "app/ui/send_requests.h"
#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"
#include "app/widgets/widgets.h"

// What lies around and over the image: bars, cards, the lists and dialogs that open over everything else.

namespace pericenter::app {

/// Run, pause and speed, above the panels of the side bar.
void draw_transport_bar(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// "62 % of the chosen speed", and a button with the number of bodies that would be fast enough; nothing while the
/// machine reaches the speed.
void draw_slowness(const UiFrame& frame, UiState& ui);
/// Reports non-finite bodies and offers ways to roll back; nothing while all bodies are finite.
void draw_instability_alert(const UiFrame& frame, UiState& ui);
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
/// The timeline between image and status line. It takes ui.layout.timeline_height pixels from the image.
void draw_timeline_bar(const UiFrame& frame, UiState& ui);
/// The timeline over the image while the side bar is hidden: shown while the cursor is near the bottom, or a recorded
/// moment is shown.
void draw_timeline_overlay(const UiFrame& frame, UiState& ui);
/// Name and caption of the scene over the image, what is seen at its key moment, and the card with what to do next.
void draw_scene_guide(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// The cards of a lesson: its title, the question or the answer of a slide, the teacher's note.
void draw_lesson_cards(const UiFrame& frame, const Fonts& fonts, UiState& ui);
/// The list of lessons while it is open. Takes over the keys that move in it.
void draw_lesson_list(const Fonts& fonts, UiState& ui);
void draw_shortcuts_window(UiState& ui);
/// The file dialog, on top of everything else.
void draw_file_dialog(const Fonts& fonts, UiState& ui);

}  // namespace pericenter::app
