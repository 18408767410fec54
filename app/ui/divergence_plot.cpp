#include "app/ui/divergence_plot.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "app/plots/lab_plots.h"
#include "sim/core/display_units.h"

namespace pericenter::app {
namespace {

/// The measurements since time last changed its direction, ascending in time.
std::vector<Divergence> latest_direction(std::span<const Divergence> history) {
  std::size_t first = history.empty() ? 0 : history.size() - 1;
  const bool backwards = history.size() > 1 && history[first].time < history[first - 1].time;
  while (first > 0 && (history[first].time < history[first - 1].time) == backwards) --first;
  std::vector<Divergence> result(history.begin() + static_cast<std::ptrdiff_t>(first), history.end());
  if (backwards) std::ranges::reverse(result);
  return result;
}

}  // namespace

Plot divergence_plot(std::span<const Divergence> history, const SessionState& state) {
  const double kpc = state.units.length_kpc, length = kpc > 0 ? kpc : 1;
  const std::vector<Divergence> shown = latest_direction(history);
  const bool apart = std::ranges::any_of(shown, [](const Divergence& one) { return one.p99 > 0; });
  Plot plot{.title = "Distance between A and B",
            .x = {.name = "time", .unit = time_unit(state.units).name},
            .y = {.name = "|Δx|", .unit = kpc > 0 ? "kpc" : "", .logarithmic = apart}};
  if (!apart) plot.y.range = PlotRange{0, 1};
  Curve median{.name = "median", .color = kPlotBlue},
      p99{.name = "99 %", .color = kPlotOrange, .line = LineStyle::dashed};
  for (const Divergence& one : shown) {
    for (const auto& [curve, distance] : {std::pair{&median, one.median}, std::pair{&p99, one.p99}}) {
      curve->x.push_back(plotted_time(one.time, state.units));
      curve->y.push_back(distance * length);
    }
  }
  plot.curves = {std::move(median), std::move(p99)};
  return plot;
}

}  // namespace pericenter::app
