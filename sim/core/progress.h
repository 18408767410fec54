#pragma once

#include <functional>

namespace pericenter {

/// Reports progress in [0, 1]; returns false to cancel.
using Progress = std::function<bool(double)>;

/// Thrown when a Progress callback cancels the creation of a scene.
struct SceneCancelled {};

}  // namespace pericenter
