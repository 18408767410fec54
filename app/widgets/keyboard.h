#pragma once

#include "app/ui/ui_state.h"

// The keyboard in panel, timeline and drawer: Tab and Shift+Tab visit every control in the order in which it is drawn.
namespace pericenter::app {

/// Before the controls of a frame: Tab enters the panel or moves to the next control, Enter and Space operate a
/// control, a click into the image leaves.
void begin_keyboard(Desk& desk);
/// After the controls of a frame.
void end_keyboard(Desk& desk);

/// After a control: it can be reached with Tab, and has a ring around it while it has the focus. widgets::describe()
/// calls this.
void visit_control(Desk& desk);

/// -1 for ←, 1 for → pressed on the last item while it has the focus, otherwise 0.
int arrow_steps(const Desk& desk);
/// Whether the mouse holds the last item, unlike a key.
bool is_dragged();

}  // namespace pericenter::app
