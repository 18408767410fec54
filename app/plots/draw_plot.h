#pragma once

#include "app/plots/plot_canvas.h"

namespace pericenter::app {

/// Draws a plot in the current ImGui window at the cursor, and moves the cursor below it. Returns where its values are.
/// The plot is not a control: the caller may place one on PlotMapping::box.
PlotMapping draw_plot(const Plot& plot, const PlotView& view, const PlotStyle& style, const PlotSize& size);

}  // namespace pericenter::app
