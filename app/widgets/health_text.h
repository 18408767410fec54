#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"
#include "sim/session/session_state.h"

// How far a result can be trusted, in words.
namespace pericenter::app {

/// A quantity of the health strip.
struct HealthItem {
  std::string_view id;
  HealthLevel level = HealthLevel::unknown;
  std::string label, value;  ///< "force error", "0.09 %"
  std::string_view widest;   ///< a long value; it reserves room, so that the strip does not move
  std::string tip = {};
};
/// Those that have been measured, the most important first.
std::vector<HealthItem> health_items(const SessionState& state);

/// That of the energy, also before it is measured.
HealthItem energy_item(const Health& health);

/// "62 % of the chosen speed".
std::string slow_text(const UiFrame& frame);
inline constexpr const char* kSlowTip =
    "This machine cannot take the steps as fast as the chosen speed asks for, so the run takes longer. The result is "
    "the "
    "same. Fewer bodies, a larger θ or a longer time step are faster; the speed can also be lowered ( [ ).";

/// Time that the sampled force errors take: "The last measurement took 2.1 ms; ...". Empty without a sample.
std::string sample_cost(const ForceSample& sample);

/// One line per quantity: "● |ΔE/E| 2·10⁻⁵ (worst 7·10⁻⁵)".
std::string health_list(const SessionState& state);

}  // namespace pericenter::app
