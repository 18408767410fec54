#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"

namespace pericenter {

/// Accelerations of all bodies (at least one) by direct summation in doubles, on all cores or on the device of
/// `config`. On the CPU `progress` is called with the completed fraction; the result is empty if it returns false.
/// Throws std::invalid_argument with a sentence for the user if a body is not finite or if a short measurement predicts
/// that the sums take too long on this machine, DeviceMemoryError if they do not fit into device memory.
std::vector<Vec3> direct_reference(const Config& config, const Params& params, const Bodies& bodies,
                                   const std::function<bool(double)>& progress);

/// The reason why direct sums for this number of bodies are refused; empty if they are not.
std::string problem_with_direct_sums(std::size_t bodies, double pairs_per_second, double max_seconds);

}  // namespace pericenter
