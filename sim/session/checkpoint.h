#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>

#include "sim/files/snapshot.h"

namespace pericenter {

/// A copy that another thread may finish, so that the run need not wait for it.
struct PendingCheckpoint {
  Snapshot snapshot;
  std::function<Bodies()> bodies = {};  ///< Simulation::async_snapshot(); empty: the snapshot has its bodies
};

/// The last copies of a run in the computer's memory, in which all bodies are finite: what it goes on from when its GPU
/// is lost or its bodies leave the numbers.
///
/// There are two, because the newest may be finite and lost all the same: a body that flies at 1e30 overflows a step
/// later. For one thread; what latest() returns may go to others.
class Checkpoint {
 public:
  /// Without `goes_back` only the latest copy is kept: nobody can say that it led to no good.
  explicit Checkpoint(bool goes_back = true) : goes_back_(goes_back) {}

  /// Makes a copy if one is due, in the background where it can be finished there: it is the latest() when this is
  /// called after that. One that is not finite is dropped at once.
  void keep_when_due(std::size_t bodies, const std::function<PendingCheckpoint()>& begin);
  /// Makes a copy, due or not.
  void keep(std::size_t bodies, const std::function<Snapshot()>& make);
  /// Waits for the copy that is under way, if one is.
  void finish();
  /// Those of another scene.
  void forget();

  /// Null when there is none.
  std::shared_ptr<const Snapshot> latest() const { return latest_; }
  /// What to go back to: the latest, or the one before it where that was gone back to before and led to no good.
  std::shared_ptr<const Snapshot> rollback_target() const { return gone_back_ && before_ ? before_ : latest_; }
  /// The run went on from rollback_target().
  void note_gone_back();

  /// Seconds from one copy to the next: so many that the run waits for copies a twentieth of the time at most, and
  /// another thread makes them a quarter of it; 0 where so many bodies are not copied, because one copy would take a
  /// sixteenth of the computer's memory.
  double period() const { return period_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Finished {
    std::shared_ptr<const Snapshot> copy;  ///< null when it is not finite
    double seconds = 0;                    ///< that this took
  };

  void make(std::size_t bodies, const std::function<PendingCheckpoint()>& begin);
  static Finished finish_copy(PendingCheckpoint begun);
  static std::shared_ptr<const Snapshot> finite_copy(Snapshot snapshot);
  void take(std::shared_ptr<const Snapshot> copy);

  std::shared_ptr<const Snapshot> latest_, before_;
  std::future<Finished> pending_;
  bool goes_back_;
  bool gone_back_ = false;
  double period_ = 1;
  Clock::time_point kept_{};  ///< when the last copy was made, or begun in the background
};

/// Whether all positions and velocities are numbers.
bool all_finite(const Bodies& bodies);

}  // namespace pericenter
