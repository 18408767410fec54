#pragma once

#include "sim/core/bodies.h"
#include "sim/core/config.h"

namespace pericenter {

class BodySource;

/// `config` with the solver that was measured to be fastest at equal mean error for these bodies: octree, fmm, a
/// direct sum (sim/solvers/README.md, "Automatic choice"). A config with monopoles or a solver option keeps the
/// octree, which supports them.
Config with_auto_solver(Config config, const Bodies& bodies);
Config with_auto_solver(Config config, const BodySource& bodies);

/// What is chosen for the bodies. A backend is left only for an integrator that it does not have.
struct AutomaticChoices {
  bool solver = false, integrator = false, backend = false;
};

/// `config` with the solver and the integrator for these bodies. The integrator is gauss_radau for few bodies without
/// softening, and for few bodies alone if their forces are direct sums (sim/solvers/README.md, "Integrators"), else
/// leapfrog. gauss_radau does not run on CUDA.
Config with_automatic_choices(Config config, AutomaticChoices choices, const BodySource& bodies, double softening);

}  // namespace pericenter
