#pragma once

#include <cstddef>

#include "sim/core/config.h"
#include "sim/solvers/simd/collocation.h"

namespace pericenter {

/// Bodies without mass that are moved side by side.
inline constexpr std::size_t kParticles = 8;

struct TestParticles {
  double position[3][kParticles], velocity[3][kParticles];
  double lost[3][kParticles];  ///< what rounding has taken from the positions
};

/// A step through the field of moving sources.
struct FieldStep {
  double span;  ///< time
  double gravity, softening_squared;
  std::size_t sources;
  const double* mass;
  const double* nodes[kPoints];  ///< positions of the sources at each node, three elements per source
};

/// Changes of positions and velocities by a step.
struct ParticleChanges {
  double way[3][kParticles], velocity[3][kParticles];
  bool good[kParticles];  ///< otherwise a shorter step is needed
};

/// A step of order 9 (collocation.h) whose error is that of rounding. Particles do not depend on those beside them, but
/// for the number of corrections.
using ParticleKernel = void (*)(const FieldStep& step, const TestParticles& particles, ParticleChanges& changes);

/// The kernel for one instruction set (`best`: the widest that runs here).
ParticleKernel particle_kernel(Simd simd);

}  // namespace pericenter
