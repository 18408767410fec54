#include "app/ui/divergence.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plots/lab_plots.h"
#include "sim/core/display_units.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kKept = 4;  // samples per side: one arrives a frame or two after the other

double nearest_quantile(std::vector<double>& values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

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

Divergence divergence_of(std::span<const glm::vec3> a, std::span<const glm::vec3> b, double time) {
  std::vector<double> distances;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    const double distance = glm::length(glm::dvec3(a[k]) - glm::dvec3(b[k]));
    if (std::isfinite(distance)) distances.push_back(distance);
  }
  if (distances.empty()) return {time};
  return {time, nearest_quantile(distances, 0.5), nearest_quantile(distances, 0.99)};
}

/// Positions at `time`, interpolated between two samples; empty if no samples enclose it.
std::vector<glm::vec3> DivergenceMeter::positions_at(const Samples& samples, double time) {
  for (std::size_t k = samples.size(); k-- > 0;) {
    if (samples[k].time == time) return samples[k].positions;
    if (k == 0) break;
    const Sample &from = samples[k - 1], &to = samples[k];
    if ((from.time - time) * (to.time - time) >= 0 || from.positions.size() != to.positions.size()) continue;
    const auto share = static_cast<float>((time - from.time) / (to.time - from.time));
    std::vector<glm::vec3> between(from.positions.size());
    for (std::size_t i = 0; i < between.size(); ++i) between[i] = glm::mix(from.positions[i], to.positions[i], share);
    return between;
  }
  return {};
}

void DivergenceMeter::measure(double time) {
  if (!history_.empty() && history_.back().time == time) return;
  const std::vector<glm::vec3> right = positions_at(samples_[0], time), left = positions_at(samples_[1], time);
  if (right.empty() || left.size() != right.size()) return;
  history_.push_back(divergence_of(left, right, time));
  if (history_.size() <= kMaxPoints) return;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < history_.size(); k += 2) history_[kept++] = history_[k];
  history_.resize(kept);
}

void DivergenceMeter::add(render::Half side, const render::StarSample& sample) {
  Samples& samples = samples_[side == render::Half::right ? 0 : 1];
  const Samples& others = samples_[side == render::Half::right ? 1 : 0];
  if (!samples.empty() && samples.back().time == sample.time) samples.pop_back();
  std::vector<glm::vec3> positions(sample.stars.size());
  std::ranges::transform(sample.stars, positions.begin(), &render::SampledStar::position);
  samples.push_back({sample.time, std::move(positions)});
  if (samples.size() > kKept) samples.pop_front();
  if (others.empty()) return;
  const double theirs = others.back().time;
  measure(theirs);
  if (sample.time != theirs) measure(sample.time);
}

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
