#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"

namespace pericenter {

/// Accelerations of all bodies, at least one, by direct sums in doubles where `config` computes: on all cores, or on
/// its device. Calls `progress` with a fraction now and then, on the CPU only, and returns nothing when that has
/// returned false. Throws std::invalid_argument with a sentence for the user when a body is not finite or the sums
/// would take too long here, which it tries out first, and DeviceMemoryError when they do not fit onto the device.
std::vector<Vec3> direct_reference(const Config& config, const Params& params, const Bodies& bodies,
                                   const std::function<bool(double)>& progress);

/// Why direct sums for so many bodies are refused; empty when they are not.
std::string problem_with_direct_sums(std::size_t bodies, double pairs_per_second, double max_seconds);

}  // namespace pericenter
