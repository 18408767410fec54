#pragma once

#include <algorithm>
#include <cmath>

#include "sim/solvers/fmm/cell_opening_criterion.h"
#include "sim/solvers/registry.h"

namespace pericenter {

/// The opening rule of `config` and `params`; softening in CellUnits. Theta 0 is the direct sum with either criterion.
template <class Real>
CellCriterion<Real> cell_criterion(const Config& config, const Params& params, Real softening) {
  if (!opens_by_error(config) || params.theta == 0) return CellCriterion<Real>::of(params.theta, softening);
  return CellCriterion<Real>::of_error(params.accuracy, static_cast<int>(value_number(config, SolverOption::expansion)),
                                       config.dimension, softening);
}

/// The theta at which a group walk with quadrupoles has this mean error. Measured with 1e5 bodies of a Plummer sphere
/// and of two galaxies: 3e-3 at theta 1, scaling nearly with the fourth power of theta.
inline double theta_of_groups(double accuracy) {
  return std::min(1.0, std::pow(accuracy / 3e-3, 0.25));
}

}  // namespace pericenter
