#pragma once

#include <string>

#include "app/plots/plot_canvas.h"
#include "app/ui/ui_state.h"

// The time axis that the plots in the drawer share.
namespace pericenter::app {

/// The visible times, the cursor and the moment that the image shows.
PlotView time_view(const UiFrame& frame, const UiState& ui);

/// Lets the mouse on a plot zoom, move and fit the time axis, show values, and seek. Call it after the plot is drawn.
void control_time_axis(const std::string& id, const Plot& plot, const PlotMapping& map, const UiFrame& frame,
                       UiState& ui);

/// Once per frame: seeks to the place of a click that was not the first of a double click.
void finish_click(const UiFrame& frame, UiState& ui);

}  // namespace pericenter::app
