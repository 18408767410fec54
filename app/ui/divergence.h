#pragma once

#include <cstddef>
#include <deque>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "app/plots/plot.h"
#include "render/frame.h"
#include "render/star_readback.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Distances |x_A - x_B| between the same bodies of two simulations at one time, in scene units.
struct Divergence {
  double time = 0;
  double median = 0, p99 = 0;
};

/// Measures how far two simulations of the same bodies have diverged, from samples of their stars.
///
/// Positions have single precision. Where the simulations show different times, because their time steps do not fit
/// into each other, the sample of one is compared with a linear interpolation of the other.
class DivergenceMeter {
 public:
  static constexpr std::size_t kMaxPoints = 2048;  ///< limit of the history; then every other point is dropped

  /// A sample of the left (A) or right (B) half; always of the same bodies.
  void add(render::Half side, const render::StarSample& sample);
  void clear() { *this = {}; }
  /// The simulations have changed sides.
  void swap_sides() { samples_[0].swap(samples_[1]); }

  /// In the order of measurement.
  std::span<const Divergence> history() const { return history_; }
  std::optional<Divergence> latest() const { return history_.empty() ? std::nullopt : std::optional(history_.back()); }

 private:
  struct Sample {
    double time;
    std::vector<glm::vec3> positions;
  };
  using Samples = std::deque<Sample>;

  static std::vector<glm::vec3> positions_at(const Samples& samples, double time);
  void measure(double time);

  Samples samples_[2];  ///< latest last, of each render::Half
  std::vector<Divergence> history_;
};

/// Median and 99th percentile of the distances between equal indices; bodies that are not finite are left out.
Divergence divergence_of(std::span<const glm::vec3> a, std::span<const glm::vec3> b, double time);

/// Median and 99 % of the distances between the same bodies of two simulations over time, in the display units of the
/// scene of `state`, since time last changed its direction. The axis of the distances is logarithmic, unless all are 0.
Plot divergence_plot(std::span<const Divergence> history, const SessionState& state);

}  // namespace pericenter::app
