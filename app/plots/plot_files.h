#pragma once

#include <string>

#include "app/plots/plot_canvas.h"

namespace pericenter::app {

/// The visible part of a plot as an SVG image of 960 x 540 pixels with title and legend. It needs no other file; text
/// is in a sans-serif font of the viewer.
std::string svg_text(const Plot& plot, const PlotView& view, const PlotStyle& style, std::string_view language = {});

/// The values of the curves and bands in the visible range of x as a table (RFC 4180): the first column is x, one row
/// per x, and one column per curve and band, which is empty where it has no value. The header has names and units.
/// Numbers have twelve significant digits and do not depend on the locale.
std::string csv_text(const Plot& plot, PlotRange x);

}  // namespace pericenter::app
