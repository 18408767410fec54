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

/// `config` with the integrator for these bodies, if no other was named: gauss_radau for few bodies without softening
/// on the CPU (sim/solvers/README.md, "Integrators"), else leapfrog.
Config with_auto_integrator(Config config, const BodySource& bodies, double softening);

}  // namespace pericenter
