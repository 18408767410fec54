#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/config.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// `config` with this choice of a switch that its solver has. The solver's own is stored as none, so that equal work
/// has equal configs.
Config with_value(Config config, SolverOption which, int choice);

/// One setting in which two configs differ.
struct Change {
  std::string setting, from, to;
};
/// In the order of the panel. Of the switches only those count that both have, and that somebody has set.
std::vector<Change> changes(const Config& from, const Config& to);

/// Algorithm, backend, and what is not as they have it by themselves: "Octree, CPU, Walk: one by one, stack".
std::string title_of(const Config& config);
/// What it has that the one above it on the ladder has not: "Order of walks: shuffled".
std::string step_title(const Config& above, const Config& config);
/// "1.8 times as fast", "2.3 times as slow".
std::string ratio_text(double before_ms, double now_ms);
/// What `config` does, for a tooltip: one line for each switch.
std::string description_of(const Config& config);

/// What a step costs, configuration by configuration: the ladder that the class has climbed.
///
/// Costs are compared on the same problem alone: scene, number of bodies, dimension, opening angle or softening that
/// change empty the ladder. A scene that starts again does not.
class Ablation {
 public:
  static constexpr std::size_t kSteps = 100;    ///< a cost is the mean of the last so many steps that were seen
  static constexpr std::uint64_t kLeftOut = 3;  ///< steps after a change: buffers and kernels are still being made
  static constexpr std::size_t kRungs = 8;

  struct Variant {
    Config config;
    double ms = 0;          ///< a step, without publishing and diagnostics
    std::size_t steps = 0;  ///< that this is the mean of; 0 when none was counted yet
  };

  /// Once a frame. A step is counted once, and those between two frames are not seen.
  void follow(const SessionState& state);
  void clear();

  /// In the order in which they were first measured; with the one that runs, even if nothing of it was counted yet.
  std::span<const Variant> rungs() const { return rungs_; }
  /// The one that runs; null before there is a scene.
  const Variant* now() const { return find(now_); }
  /// Steps of it that were counted since it was switched on.
  std::size_t steps_now() const { return newest_.size(); }
  /// The one that was measured before it; null when there is none.
  const Variant* before() const { return find(before_); }

 private:
  struct Problem {
    std::string scene;
    std::size_t bodies = 0;
    int dimension = 0;
    double theta = 0, accuracy = 0, softening = 0;
    bool operator==(const Problem&) const = default;
  };

  const Variant* find(const std::optional<Config>& config) const;
  void change_to(const Config& config);
  void make_room();
  void count(const StageTimings& timings);

  Problem problem_;
  std::vector<Variant> rungs_;
  std::optional<Config> now_, before_;
  std::deque<double> newest_;  ///< ms of the steps of the one that runs
  std::uint64_t scene_serial_ = 0, first_step_ = 0, last_step_ = 0;
};

}  // namespace pericenter::app
