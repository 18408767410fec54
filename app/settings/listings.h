#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sim/scenes/registry.h"

namespace pericenter::app {

/// Headings of the list of scenes, in the order of SceneGroup.
inline constexpr std::array<std::string_view, 6> kSceneGroups = {
    "Encounters", "Single galaxies", "Restricted encounters", "Clusters", "A few bodies", "Textbook cases"};
static_assert(kSceneGroups.size() == static_cast<std::size_t>(SceneGroup::textbook) + 1);

/// Text of --list-scenes.
std::string list_of_scenes();
/// Text of --list-solvers.
std::string list_of_solvers();

}  // namespace pericenter::app
