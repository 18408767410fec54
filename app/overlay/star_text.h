#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/star_selection.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Takes the place of a speed in a playback of files without velocities.
inline constexpr const char* kNoVelocities = "not in these files";

/// "Star 12,345", "Jupiter".
std::string star_title(const SessionState& state, std::uint32_t star);

/// A line of the card of a star.
struct StarRow {
  std::string name, value;
};
/// What is known of a star of SessionState::stars: home, mass, speeds, distances, with units; empty if it is not there.
std::vector<StarRow> star_rows(const SessionState& state, std::uint32_t star);

/// A speed in scene units as "215 km/s"; a number if the scene has no physical units.
std::string speed_text(double speed, const Units& units);

/// Where something that was measured is, and how it moves.
struct Moving {
  Vec3 position, velocity;
};
/// What the ruler measures between: two stars or the nuclei; nullopt: not known (yet).
std::optional<std::array<Moving, 2>> ruler_ends(const StarReport& report, const Ruler& ruler);
/// Distance; relative speed; simulated time since the second click.
std::vector<std::string> ruler_lines(const SessionState& state, const Ruler& ruler);

}  // namespace pericenter::app
