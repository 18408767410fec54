#pragma once

#include <cstddef>
#include <vector>

#include "app/bench_options.h"
#include "sim/bodies.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// What a row of a benchmark starts from: bodies, with the exact accelerations of some of them.
struct BenchInput {
  Bodies bodies;                     ///< rounded to the precision of the solvers
  std::vector<std::size_t> sampled;  ///< evenly spread over the bodies
  std::vector<Vec3> exact;           ///< of the sampled, G = 1
};

/// options.input with this many bodies; a Plummer sphere has G = M = a = 1. Throws SceneCancelled.
BenchInput make_bench_input(const BenchOptions& options, std::size_t bodies, const Progress& progress);

}  // namespace pericenter::app
