#pragma once

#include <string>
#include <vector>

#include "app/ui_state.h"
#include "render/camera.h"
#include "render/image.h"

namespace pericenter::app {

/// What a saved picture says about itself: program, title, a description, and under "Settings" all that it was made
/// with, a line "key: value" each, the last of which is a command line that makes the same scene again.
std::vector<render::PngText> picture_texts(const SimulationState& state, const UiState& ui,
                                           const render::Camera& camera);

/// A command line that runs the scene to the same step. It makes the same bodies if the settings were the same all the
/// way.
std::string command_of(const SimulationState& state);

}  // namespace pericenter::app
