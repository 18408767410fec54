#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/scenes/model/encounter.h"
#include "sim/scenes/model/galaxy.h"
#include "sim/scenes/registry.h"

namespace pericenter {

/// A scene of one galaxy, or of two on an orbit, as a row of data.
struct GalaxyScene {
  std::string_view name, title, summary, caption, highlight_caption = {};  ///< see SceneInfo
  SceneGroup group = SceneGroup::encounters;
  GalaxyModel first = {};
  GalaxyModel second = {};                  ///< resized to Encounter::mass_ratio, whatever its own mass
  std::optional<Encounter> encounter = {};  ///< nullopt: `first` alone, at the origin
  Vec3 stretch = {1, 1, 1};                 ///< factors for the positions in a single galaxy
  /// Suggested: the time step is a power of two whose energy error is below 2e-4 until twice the key moment
  /// (sim/scenes/README.md), with fewer than 50,000 bodies a smaller one.
  double dt = 1.0 / 32, softening = 0.1;
  Units units = kDiscUnits;
  double view_radius = 1;
  std::optional<ViewAngles> angles = {};
  double highlight_time = 0;
  EncounterMoments moments = {};                     ///< see SceneInfo
  std::array<std::string_view, 7> group_names = {};  ///< see SceneInfo
  StoryView story = {};
  bool single_stars = false, by_origin = false;  ///< see SceneInfo
};

/// Entries of the scene table for `rows`, which must outlive them. The softening and the encounter of a request replace
/// those of the row. Two galaxies share the bodies so that bodies of the same component have about the same mass in
/// both; each has at least one body if there are two. SceneInfo::make throws std::invalid_argument if the encounter is
/// impossible.
std::vector<SceneInfo> scenes_of(std::span<const GalaxyScene> rows);

}  // namespace pericenter
