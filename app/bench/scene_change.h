#pragma once

#include <cstddef>
#include <optional>

#include "app/base/signals.h"
#include "sim/core/config.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// Seconds from the request of another scene, while one runs.
struct SceneChange {
  double shown = 0;    ///< time until its vertices are in an OpenGL buffer
  double stepped = 0;  ///< time until the vertices of its first step are
};

/// Medians over `repeats` changes of scene in a program that draws without pause, as the window does. The scenes differ
/// in their seeds. nullopt if interrupted, or if the scene cannot be created, which is reported on stderr. Throws
/// std::runtime_error without OpenGL.
std::optional<SceneChange> measure_scene_change(const SceneInfo& scene, const SceneRequest& request, Backend backend,
                                                std::size_t repeats, StopSignals& stop);

}  // namespace pericenter::app
