#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/config.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// `config` with this value of a solver option. The default of the solver is stored as "not set", so that equivalent
/// configs compare equal.
Config with_value(Config config, SolverOption which, int choice);

/// A setting in which two configs differ.
struct Change {
  std::string setting, from, to;
};
/// In the order of the panel. Solver options count only if both solvers have them and one config sets them explicitly.
std::vector<Change> changes(const Config& from, const Config& to);

/// Algorithm, backend and everything that is not the default: "Octree, CPU, Walk: per body, stack".
std::string title_of(const Config& config);
/// The difference to the previous variant: "Walk order: shuffled".
std::string step_title(const Config& above, const Config& config);
/// "1.8× faster", "2.3× slower", "equal within noise".
std::string ratio_text(double before_ms, double now_ms);
/// Description of `config` for a tooltip: one line per solver option.
std::string description_of(const Config& config);

/// Ablation study: the time per step and the force error of each solver configuration that was used.
///
/// Times are compared only for the same problem. Another scene, number of bodies, dimension, opening angle, accuracy or
/// softening clears the list; a restart of the scene does not.
class Ablation {
 public:
  static constexpr std::size_t kSteps = 100;        ///< the time is the mean of the last kSteps observed steps
  static constexpr std::uint64_t kWarmupSteps = 3;  ///< skipped after a change, while buffers and kernels are created
  static constexpr std::size_t kMaxVariants = 8;

  struct Variant {
    Config config;
    double ms = 0;          ///< time per step, without vertex output and diagnostics
    std::size_t steps = 0;  ///< number of steps in the mean; 0: not measured yet
    /// Mean force error of the last sample that was taken with it; NaN: none.
    double error = std::numeric_limits<double>::quiet_NaN();
  };

  /// Once per frame. Observes at most one step per frame.
  void update(const SessionState& state);
  void clear();

  /// In the order of their first measurement, including the current one.
  std::span<const Variant> variants() const { return variants_; }
  /// The current variant; null before the first scene.
  const Variant* current() const { return find(current_); }
  /// Steps of the current variant that were measured since it was selected.
  std::size_t current_steps() const { return step_ms_.size(); }
  /// The variant that was measured before the current one; null if there is none.
  const Variant* previous() const { return find(previous_); }

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
  void remove_oldest();
  void add_step(const StageTimings& timings);
  void add_sample(const SessionState& state);

  Problem problem_;
  std::vector<Variant> variants_;
  std::optional<Config> current_, previous_;
  std::deque<double> step_ms_;  ///< latest steps of the current variant
  std::uint64_t scene_serial_ = 0, first_step_ = 0, last_step_ = 0;
};

}  // namespace pericenter::app
