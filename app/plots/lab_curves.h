#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/plot.h"

namespace pericenter::app {

/// A quantity of the samples of a run and how it is drawn.
template <class Sample>
struct Quantity {
  std::string name;
  PlotColor color;
  LineStyle line;
  std::function<double(const Sample&)> value;
};

/// One of the runs that plots show together.
struct PlottedRun {
  std::string prefix = {};              ///< prefix of the names of curves: "A "
  std::optional<PlotColor> color = {};  ///< replaces the colours of the quantities
  double time_factor = 1;               ///< display unit of the time axis
};

/// Samples [first, last) during which the time only increases or only decreases.
struct MonotonicRun {
  std::size_t first, last;
  bool backwards;
};

/// The last two legs of a run, in the order of its course. Both contain the sample at which it turned around.
template <class Sample>
std::vector<MonotonicRun> last_monotonic_runs(const std::vector<Sample>& samples) {
  std::vector<MonotonicRun> legs;
  std::size_t last = samples.size();
  while (last > 1 && legs.size() < 2) {
    std::size_t first = last - 1;
    bool backwards = false, known = false;
    for (; first > 0; --first) {
      const double change = samples[first].time - samples[first - 1].time;
      if (known && change != 0 && (change < 0) != backwards) break;
      if (change != 0) backwards = change < 0, known = true;
    }
    legs.insert(legs.begin(), {first, last, backwards});
    last = first > 0 ? first + 1 : 0;
  }
  if (samples.size() == 1) legs.push_back({0, 1, false});
  return legs;
}

/// Appends a quantity of a run to a plot: a curve over time for each leg.
template <class Sample>
void add_curves(const std::vector<Sample>& samples, const Quantity<Sample>& quantity, const PlottedRun& run,
                Plot& plot) {
  for (const MonotonicRun& leg : last_monotonic_runs(samples)) {
    Curve curve{.name = run.prefix + quantity.name + (leg.backwards ? ", backwards" : ""),
                .color = run.color.value_or(quantity.color),
                .line = leg.backwards ? LineStyle::dotted : quantity.line};
    for (std::size_t k = leg.first; k < leg.last; ++k) {
      curve.x.push_back(samples[k].time * run.time_factor);
      curve.y.push_back(quantity.value(samples[k]));
    }
    if (leg.backwards) std::ranges::reverse(curve.x), std::ranges::reverse(curve.y);
    plot.curves.push_back(std::move(curve));
  }
}

}  // namespace pericenter::app
