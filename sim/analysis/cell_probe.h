#pragma once

#include "sim/analysis/probe.h"
#include "sim/core/body_arrays.h"
#include "sim/core/config.h"

namespace pericenter {

/// The part of probe() for solvers with cell-cell interactions: all cells that act on the leaf of the body or on one of
/// its ancestors. Every other body is in one of those cells or acts directly.
template <class Real, int Dim>
void probe_cells(const Config& config, const Params& params, const BodyArrays<Real, Dim>& bodies, Probe& result);

}  // namespace pericenter
