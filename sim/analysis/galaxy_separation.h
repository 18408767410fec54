#pragma once

#include <optional>

#include "sim/core/bodies.h"

namespace pericenter {

/// Distance between the centres of mass of the first two galaxies that have mass; nullopt if there are fewer.
std::optional<double> galaxy_separation(const Bodies& bodies);

}  // namespace pericenter
