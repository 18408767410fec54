#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "sim/files/snapshot.h"

namespace pericenter {

/// The last copies of a run in the computer's memory, in which all bodies are finite: what it goes on from when its GPU
/// is lost or its bodies leave the numbers.
///
/// There are two, because the newest may be finite and lost all the same: a body that flies at 1e30 overflows a step
/// later. For one thread; what latest() returns may go to others.
class GoodState {
 public:
  /// Without `goes_back` only the latest copy is kept: nobody can say that it led to no good.
  explicit GoodState(bool goes_back = true) : goes_back_(goes_back) {}

  /// Makes a copy if one is due. One that is not finite is dropped at once.
  void keep_when_due(std::size_t bodies, const std::function<Snapshot()>& make);
  /// Makes a copy, due or not.
  void keep(std::size_t bodies, const std::function<Snapshot()>& make);
  /// Those of another scene.
  void forget() { latest_ = before_ = nullptr; }

  /// Null when there is none.
  std::shared_ptr<const Snapshot> latest() const { return latest_; }
  /// What to go back to: the latest, or the one before it where that was gone back to before and led to no good.
  std::shared_ptr<const Snapshot> way_back() const { return gone_back_ && before_ ? before_ : latest_; }
  /// The run went on from way_back().
  void note_gone_back();

  /// Seconds from one copy to the next: so many that copies take a twentieth of the time at most; 0 where so many
  /// bodies are not copied, because one copy would take a sixteenth of the computer's memory.
  double period() const { return period_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::shared_ptr<const Snapshot> latest_, before_;
  bool goes_back_;
  bool gone_back_ = false;
  double period_ = 1;
  Clock::time_point kept_{};
};

/// Whether all positions and velocities are numbers.
bool all_finite(const Bodies& bodies);

}  // namespace pericenter
