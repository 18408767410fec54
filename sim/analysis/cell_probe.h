#pragma once

#include "sim/analysis/probe.h"
#include "sim/core/body_arrays.h"
#include "sim/core/config.h"

namespace pericenter {

/// The part of probe() for solvers whose cells act on cells: what acts on the leaf of a body and on the cells that the
/// leaf lies in. Every other body is in one of those cells, or acts by itself.
template <class Real, int Dim>
void probe_cells(const Config& config, const Params& params, const BodyArrays<Real, Dim>& bodies, Probe& result);

}  // namespace pericenter
