#pragma once

#include <cstdint>
#include <functional>

#include "sim/core/simulation.h"
#include "sim/run/history.h"
#include "sim/run/pending.h"

namespace pericenter {

/// Records the history of a run: keyframes of its bodies, which another thread packs where the bodies are on a GPU, and
/// the parameters of its steps. A copy shares the keyframes and continues independently. For one thread.
class Recording {
 public:
  const History& history() const { return history_; }
  /// For marks, budgets and branches, which do not concern keyframes in progress.
  History& history() { return history_; }

  /// Starts the history of new bodies.
  void start(const Simulation& simulation, const Bodies* bodies);
  void stop();
  /// The simulation was replaced by one that continues from these bodies.
  void begin_segment(const Simulation& simulation, const Bodies& bodies);
  /// The run continues from the current step of `simulation`, which is an earlier one. What came after it becomes a
  /// ghost; the result names it, 0: none.
  std::uint64_t branch_at(const Simulation& simulation);

  /// Before a step with these parameters; `reference` as HistoryParams::reference.
  void before_step(const Simulation& simulation, const Params& params, const std::optional<Diagnostics>& reference);
  /// After a step, before wants_keyframe().
  void after_step(const Simulation& simulation, double seconds);
  bool wants_keyframe() const;
  /// Makes the step that was just taken a keyframe.
  void record(Simulation& simulation);
  /// The same from a copy of the bodies that a checkpoint fetches. Returns what the checkpoint should fetch instead.
  std::function<Bodies()> record_with(std::function<Bodies()> fetch, const Simulation& simulation);
  /// Makes the newest step a keyframe, so that all steps can be shown; false if it cannot, or within a step.
  bool record_newest(const Simulation& simulation);
  /// Adds the keyframe that another thread packs, if it is ready or `wait`.
  void collect(bool wait);
  bool is_packing() const { return pending_.exists(); }
  /// Discards the keyframe in progress, which may hold memory of the GPU.
  void drop_pending() { pending_ = {}; }

 private:
  /// A keyframe that another thread has packed.
  struct PackedKeyframe {
    HistoryKeyframe keyframe;
    double waited_seconds = 0, packing_seconds = 0;  ///< time of the run's thread, and of the other one
  };
  static PackedKeyframe packed(const HistoryMoment& at, const MotionLayout& layout, const Bodies& bodies);
  void add_newest(const Simulation& simulation);

  History history_;
  Pending<PackedKeyframe> pending_;
  bool pins_next_ = false;  ///< the step in progress cannot be repeated exactly
};

}  // namespace pericenter
