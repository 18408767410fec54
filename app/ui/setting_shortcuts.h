#pragma once

// Keys that change a setting by one step. Each shows the new value, or why there is none, in a notice.

namespace pericenter::app {

struct UiFrame;
struct Desk;

/// A larger (`direction` 1) or smaller (-1) opening angle; with the error criterion, twice or half the force error.
void step_theta(int direction, const UiFrame& frame, Desk& desk);
/// The next algorithm of the table that can run on this backend, with the settings that it supports.
void choose_next_solver(const UiFrame& frame, Desk& desk);
/// The next colour of the stars.
void choose_next_color(const UiFrame& frame, Desk& desk);

}  // namespace pericenter::app
