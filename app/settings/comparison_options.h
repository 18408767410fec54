#pragma once

#include <string_view>

#include "app/settings/options.h"

namespace pericenter::app {

/// `options` with the settings of SceneOptions::compare: KEY=VALUE, separated by commas. The keys are those of solver,
/// parameters and encounter in scene strings, threads, and scene, which takes only the encounter of that scene: the
/// orbit and the planes of the discs. Throws CommandLineError, which begins with `name` and names the key and the
/// value.
SceneOptions compared_options(const SceneOptions& options, std::string_view name = "--compare ");

}  // namespace pericenter::app
