#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/settings/options.h"

// A fair comparison differs only in what it names.
namespace pericenter::app {

/// Throws std::invalid_argument, with the settings and their values, unless two runs differ in exactly `listed`, keys
/// of scene strings. What their scenes imply counts: orbit, planes of the discs, theta, softening and dt.
void check_differences(const SceneOptions& a, const SceneOptions& b, std::span<const std::string> listed);

/// The same for a run and SceneOptions::compare, which names settings itself; `also` lists further ones. "scene" names
/// the directions in which the discs rotate, not their planes or the orbit. The error suggests the key also-differs.
void check_comparison(const SceneOptions& options, std::span<const std::string> also);

}  // namespace pericenter::app
