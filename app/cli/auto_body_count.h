#pragma once

#include <cstddef>
#include <string>

#include "sim/core/config.h"

namespace pericenter::app {

/// Number of bodies of `scene` that this machine simulates and draws at 30 fps or more. Times a step of a small sample
/// (about 50 ms; up to a second on CUDA).
std::size_t fitting_bodies(const std::string& scene, const Config& config, bool software_rendering);
/// The most that fitting_bodies() returns, as it does on most GPUs.
std::size_t most_fitting_bodies(const std::string& scene);

}  // namespace pericenter::app
