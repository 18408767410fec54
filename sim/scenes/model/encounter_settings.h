#pragma once

#include <array>
#include <string_view>

#include "sim/core/settings.h"
#include "sim/scenes/model/encounter.h"

namespace pericenter {

/// A number of an Encounter: its name outside of the program, its range, and its place.
struct EncounterSetting {
  std::string_view key;        ///< key in scene strings
  std::string_view attribute;  ///< name of the attribute in snapshots
  Range range;                 ///< range in scene strings; lengths in scene units, angles in degrees
  double& (*at)(Encounter&);
};
inline constexpr std::array<EncounterSetting, 9> kEncounterSettings = {{
    {"pericenter", "EncounterPericenter", {0, 1e6}, [](Encounter& e) -> double& { return e.orbit.pericenter; }},
    {"eccentricity", "EncounterEccentricity", {0, 100}, [](Encounter& e) -> double& { return e.orbit.eccentricity; }},
    {"separation", "EncounterSeparation", {1e-6, 1e6}, [](Encounter& e) -> double& { return e.orbit.separation; }},
    {"i1", "EncounterFirstInclination", {-360, 360}, [](Encounter& e) -> double& { return e.first.inclination; }},
    {"w1",
     "EncounterFirstPericenterArgument",
     {-360, 360},
     [](Encounter& e) -> double& { return e.first.pericenter_argument; }},
    {"i2", "EncounterSecondInclination", {-360, 360}, [](Encounter& e) -> double& { return e.second.inclination; }},
    {"w2",
     "EncounterSecondPericenterArgument",
     {-360, 360},
     [](Encounter& e) -> double& { return e.second.pericenter_argument; }},
    {"mass-ratio", "EncounterMassRatio", {1e-3, 1e3}, [](Encounter& e) -> double& { return e.mass_ratio; }},
    {"speed", "EncounterSpeedFactor", {0, 100}, [](Encounter& e) -> double& { return e.speed_factor; }},
}};

}  // namespace pericenter
