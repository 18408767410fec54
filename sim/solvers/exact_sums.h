#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sim/core/cancellation.h"
#include "sim/core/vec.h"

namespace pericenter {

/// Room for positions and masses, in the layout of PairKernels.
struct SourceTile {
  double* position[3];
  double* mass;
};

/// Bodies as sources of exact sums, wherever they are stored.
struct ExactSources {
  std::size_t count = 0;
  /// Copies the bodies first..last-1 to the start of `to`. Called by several threads.
  std::function<void(std::size_t first, std::size_t last, const SourceTile& to)> read;
};

/// Accelerations (G = 1) at `targets` by direct summation over all sources in doubles, on the threads of the current
/// oneTBB arena. Coordinates must be finite; a source at the place of a target exerts no force on it. The bits do not
/// depend on the number of threads. Throws Cancelled if `cancellation` is not null and asks for it.
std::vector<Vec3> exact_accelerations(std::span<const Vec3> targets, const ExactSources& sources, double softening,
                                      const CancellationToken* cancellation = nullptr);

}  // namespace pericenter
