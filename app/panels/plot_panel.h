#pragma once

#include <string>

#include "app/panels/panels.h"
#include "app/plots/plot_canvas.h"
#include "app/ui/ui_state.h"

// The time axis that the plots in the drawer share.
namespace pericenter::app {

/// A plot with heading and buttons in the drawer.
struct PlotPanel {
  std::string id;  ///< ID of the heading; the IDs of the controls start with it
  std::string title;
  std::string tip;
  std::string empty;  ///< shown without data
  bool open_by_default = true;
  float height = 8.5f;  ///< height of the curves, in units of the font size
};

/// Draws the heading with the buttons, and below it the plot if it has data. Returns where its values are; nullopt: it
/// is folded or empty.
std::optional<PlotMapping> draw_plot_panel(const PlotPanel& panel, const Plot& plot, const PlotView& view,
                                           const UiFrame& frame, UiState& ui);

/// Whether the heading is open.
bool is_open(const PlotPanel& panel, const UiState& ui);

/// Time per stage of the last steps, as a stack over the number of the step before now.
Plot timings_plot(const CostUi& cost);

/// The visible times, the cursor and the moment that the image shows.
PlotView time_view(const UiFrame& frame, const UiState& ui);

/// Lets the mouse on a plot zoom, move and fit the time axis, show values, and seek. Call it after the plot is drawn.
void control_time_axis(const std::string& id, const Plot& plot, const PlotMapping& map, const UiFrame& frame,
                       UiState& ui);

/// Once per frame: seeks to the place of a click that was not the first of a double click.
void finish_click(const UiFrame& frame, UiState& ui);

}  // namespace pericenter::app
