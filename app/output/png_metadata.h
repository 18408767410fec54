#pragma once

#include <string>
#include <vector>

#include "app/view/view_settings.h"
#include "render/camera.h"
#include "render/image.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// What a saved picture says about itself: program, title, a description, and under "Settings" all that it was made
/// with, a line "key: value" each, the last of which is a command line that makes the same picture again. Under "Scene"
/// is the scene string.
std::vector<render::PngText> picture_texts(const SessionState& state, const ViewSettings& view,
                                           const render::Camera& camera);

/// A command line for a shell that runs the scene to the same step and saves the same picture, if the settings were the
/// same all the way. Trails and the probe are not on it; guides are with --annotations.
std::string command_of(const SessionState& state, const ViewSettings& view, const render::Camera& camera);

}  // namespace pericenter::app
