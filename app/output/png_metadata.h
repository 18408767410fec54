#pragma once

#include <string>
#include <vector>

#include "app/view/view_settings.h"
#include "render/camera.h"
#include "render/image.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Metadata of a saved image: program, title and description; under "Settings" the state and all settings as "key:
/// value" lines, the last of which is a command line that reproduces the image; under "Scene" the scene string.
std::vector<render::PngText> image_metadata(const SessionState& state, const ViewSettings& view,
                                            const render::Camera& camera);

/// A shell command that runs the scene to the same step and saves the same image, if no setting changed during the run.
/// It does not reproduce trails and the probe; guides need --annotations.
std::string command_of(const SessionState& state, const ViewSettings& view, const render::Camera& camera);

}  // namespace pericenter::app
