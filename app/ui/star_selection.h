#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pericenter::app {

struct UiFrame;
struct UiState;

/// Distance and relative speed of two clicked stars, or of the nuclei until a star is clicked, and a stopwatch.
struct Ruler {
  bool on = false;
  std::vector<std::uint32_t> ends;  ///< clicked stars, at most two; empty: the nuclei
  double start = 0;                 ///< simulated time of the second click, or when the ruler was turned on
};

/// A click on a star shows its card, another click on it the forces on it; with the ruler on it is an end of the ruler.
/// A click beside all stars, nullopt, removes card and probe. `time` is the simulated time.
void click_star(std::optional<std::uint32_t> star, double time, double now, UiState& ui);
void toggle_ruler(const UiFrame& frame, UiState& ui);
/// Closes the topmost of ruler, card and probe; false if there is none.
bool close_selection(UiState& ui);
/// Other bodies have the indices of the selected stars.
void forget_selected_stars(UiState& ui);
/// Once per frame: asks the simulation for what card, ruler and arrows show.
void track_stars(UiState& ui);

}  // namespace pericenter::app
