#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sim/cuda/simulation/cuda_solver.cuh"

namespace pericenter {

/// A solver on several devices. The first of them, which must be the current one, has the bodies. All devices get the
/// positions and build the same tree; each computes the accelerations of one range in tree order, and the first one
/// gets them: the others write to its memory, or copy through host memory where they cannot. Ranges follow the times of
/// the devices. What a leaf gets does not depend on the device that computes it, so the accelerations have the same
/// bits as on one device. If the solver cannot divide the forces, the first device computes all of them.
template <class Real>
std::unique_ptr<CudaSolver<Real>> make_divided_solver(const Config& config, std::size_t count,
                                                      std::span<const int> devices);

}  // namespace pericenter
