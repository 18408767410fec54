#pragma once

#include <span>

#include "app/plots/plot.h"
#include "app/ui/divergence.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Median and 99 % of the distances between the same bodies of two simulations over time, in the display units of the
/// scene of `state`, since time last changed its direction. The axis of the distances is logarithmic, unless all are 0.
Plot divergence_plot(std::span<const Divergence> history, const SessionState& state);

}  // namespace pericenter::app
