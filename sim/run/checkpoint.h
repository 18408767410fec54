#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// A checkpoint whose bodies another thread may copy, so that the simulation does not wait for them.
struct PendingCheckpoint {
  Snapshot snapshot;
  std::function<Bodies()> bodies = {};  ///< Simulation::async_snapshot(); empty: the snapshot has its bodies
};

/// The latest checkpoints of a run in host memory, with finite bodies: the run continues from them after a lost GPU or
/// non-finite bodies.
///
/// There are two, because the newest may be finite and still useless: a body that moves at 1e30 overflows one step
/// later. For one thread; the snapshot of latest() may be shared with others.
class Checkpoints {
 public:
  /// Without rollback only the latest checkpoint is stored.
  explicit Checkpoints(bool allows_rollback = true) : allows_rollback_(allows_rollback) {}

  /// Collects a checkpoint that another thread has finished, and starts a new one if period() has passed. Checkpoints
  /// with non-finite bodies are discarded.
  void update(std::size_t bodies, const std::function<PendingCheckpoint()>& start);
  /// Makes a checkpoint now.
  void add(std::size_t bodies, const std::function<Snapshot()>& make);
  /// Waits for the pending checkpoint.
  void finish();
  void clear();

  /// Null when there is none.
  std::shared_ptr<const Snapshot> latest() const { return latest_; }
  /// The latest checkpoint, or the one before it after a rollback to the latest.
  std::shared_ptr<const Snapshot> rollback_target() const { return rolled_back_ && previous_ ? previous_ : latest_; }
  /// The run was restored from rollback_target().
  void note_rollback();
  /// Whether another thread still copies a checkpoint.
  bool is_copying() const;

  /// Seconds between checkpoints, so that the run waits for them at most 5 % of the time and another thread works on
  /// them at most 25 %; 0: no checkpoints, see missing().
  double period() const { return period_; }
  /// Whether there are none because one would take more than 1/16 of host memory, or than half of what is free.
  bool missing() const { return missing_; }
  /// The message for a run of `bodies` bodies without checkpoints: why there are none, and what is then lost.
  static std::string meaning_of_missing(std::size_t bodies);

 private:
  using Clock = std::chrono::steady_clock;
  struct Finished {
    std::shared_ptr<const Snapshot> checkpoint;  ///< null when it is not finite
    double seconds = 0;
  };

  void make(std::size_t bodies, const std::function<PendingCheckpoint()>& start);
  static Finished finish_pending(PendingCheckpoint pending);
  static std::shared_ptr<const Snapshot> if_finite(Snapshot snapshot);
  void store(std::shared_ptr<const Snapshot> checkpoint);

  std::shared_ptr<const Snapshot> latest_, previous_;
  std::future<Finished> pending_;
  bool allows_rollback_;
  bool rolled_back_ = false;
  bool missing_ = false;
  double period_ = 1;
  Clock::time_point last_{};  ///< when the last checkpoint was made or started
};

/// Whether all positions and velocities are finite.
bool all_finite(const Bodies& bodies);

}  // namespace pericenter
