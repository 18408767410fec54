#pragma once

#include "sim/core/config.h"
#include "sim/scenes/model/procedural_source.h"

namespace pericenter {

/// `config` with the solver that suits these bodies, for who leaves the choice to the program: the one that was
/// measured to be fastest at the same error (README, "Which algorithm"), of octree and fmm, and on CUDA direct-tiled.
/// Who chose monopoles or a switch keeps the octree, which has them.
Config with_auto_solver(Config config, const BodySource& bodies);

}  // namespace pericenter
