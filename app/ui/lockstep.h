#pragma once

#include <optional>

namespace pericenter::app {

/// A simulation that has taken all its steps and waits for more.
struct WaitingSimulation {
  double time = 0, dt = 0;
};
/// Further steps for A and B.
struct LockstepSteps {
  int a = 0, b = 0;

  friend bool operator==(const LockstepSteps&, const LockstepSteps&) = default;
};

/// Steps that keep two simulations at the same simulated time, with time steps that may differ in size but not in
/// sign. nullopt: that simulation is busy, and the other one waits for it. At equal times the one with the larger time
/// step takes `steps` steps, maybe none, and the other one as many as fit into this time; otherwise only the one that
/// is behind takes steps, at least one.
LockstepSteps next_steps(const std::optional<WaitingSimulation>& a, const std::optional<WaitingSimulation>& b,
                         int steps);

/// Whether both wait and are at the same time.
bool are_level(const std::optional<WaitingSimulation>& a, const std::optional<WaitingSimulation>& b);

/// Steps of the one that is behind which do not pass the other one; for simulations that were paused one after the
/// other, or of which one was stepped.
LockstepSteps steps_to_catch_up(const std::optional<WaitingSimulation>& a, const std::optional<WaitingSimulation>& b);

}  // namespace pericenter::app
