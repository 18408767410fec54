#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "sim/session/session_state.h"

namespace pericenter::app {

/// "200 million years", "3 days"; "time 2.5" without physical units.
std::string spoken_time(double time, const Units& units);
/// "45 kiloparsecs"; empty without physical units.
std::string spoken_length(double length, const Units& units);

/// Describes the scene in sentences for screen readers, one a line: what it is, where the galaxies are, about every ten
/// seconds while they move, and what the user changes, at most one line per second. Events come from the Narrator.
class Describer {
 public:
  explicit Describer(std::ostream& lines) : lines_(lines) {}

  /// `now`: seconds since the program started.
  void update(const SessionState& state, double now);

 private:
  std::string change(const SessionState& state);
  void describe_scene(const SessionState& state);

  std::ostream& lines_;
  std::optional<std::uint64_t> serial_;  ///< serial of the scene that was described
  double last_line_ = -1e9, last_moment_ = 0;
  double described_time_ = 0;  ///< simulation time of the last description of a moment
  // Values in the last line about each.
  bool running_ = false, rewound_ = false;
  Params params_;
  Config config_;
  std::uint64_t message_ = 0;
};

}  // namespace pericenter::app
