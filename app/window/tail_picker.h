#pragma once

#include <cstdint>
#include <vector>

#include "render/frame.h"

namespace pericenter::app {

/// Indices of the stars in the tails of two galaxies (TailCriterion), from their vertices; empty without two discs. The
/// vertices have no masses, so that each body counts the same. Waits for the GPU.
std::vector<std::uint32_t> stars_in_tails(const render::Stars& stars);

}  // namespace pericenter::app
