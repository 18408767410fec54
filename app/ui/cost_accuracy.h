#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/stage_timings.h"
#include "sim/session/session_state.h"

// Cost and error of opening angles, as the panel "Accuracy" shows them.
namespace pericenter::app {

/// A place on the card: milliseconds per evaluation of the forces, mean relative force error.
struct CostAccuracy {
  double ms = 0, error = 0;
};

/// The place of an angle on a curve, between the measured points (linear in the logarithms of theta, time and error);
/// outside of them the first or last point. The curve must have points.
CostAccuracy place_at(const SweepCurve& curve, double theta);

/// Logarithmic axes.
struct CostAxes {
  CostAccuracy low{0.1, 1e-5}, high{100, 1e-1};

  /// Shares of width and height, in [0, 1]; beyond the ends they are clamped.
  double x(double ms) const;
  double y(double error) const;
  /// The inverse of y().
  double error_at(double y) const;
};
/// Axes that show the curves of tree solvers and the current place. The error of a direct sum may lie below.
CostAxes axes_for(const ThetaSweep* sweep, const std::optional<CostAccuracy>& current);

/// The angle, in hundredths, whose place on the curve is nearest to (x, y), both in shares of the axes.
double nearest_theta(const SweepCurve& curve, const CostAxes& axes, double x, double y);
/// The angle for which an error is expected, without a curve, from the error of another angle: errors grow about as
/// theta^3.5 (theta^3 to theta^4). In hundredths, at least 0.1 and at most 1.5.
double theta_for_error(double error, double known_error, double known_theta);

/// The curve of the current solver; null: not swept.
const SweepCurve* current_curve(const SessionState& state, const Config& config);

/// Mean time per evaluation of the forces over the last steps; 0 without any.
double force_ms(const std::deque<StageTimings>& history);

/// Where the current setting is. Before its error has been measured, the curve of the solver predicts it. nullopt:
/// neither is known.
struct CurrentPlace {
  CostAccuracy place;
  bool measured = false;
};
std::optional<CurrentPlace> current_place(const SessionState& state, const Config& config, const Params& params,
                                          const std::deque<StageTimings>& history);

/// Solvers that a sweep offers on this backend: those with an opening angle, then the direct sum.
std::vector<std::string> swept_solvers(Backend backend);
/// Why a sweep of this solver is not offered; empty: it is. Direct sums of many bodies take minutes.
std::string problem_with_sweep(std::string_view solver, const SessionState& state);

}  // namespace pericenter::app
