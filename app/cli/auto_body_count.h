#pragma once

#include <cstddef>
#include <string>

#include "sim/core/config.h"

namespace pericenter::app {

/// Number of bodies with which `scene` steps and draws at 30 frames a second or better on this machine: one step of a
/// small sample is timed (some 50 ms; for CUDA larger ones too, up to a second), and a software renderer's share of the
/// cores is allowed for.
std::size_t fitting_bodies(const std::string& scene, const Config& config, bool software_rendering);

}  // namespace pericenter::app
