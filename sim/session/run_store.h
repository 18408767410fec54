#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/run.h"
#include "sim/session/session_state.h"

namespace pericenter {

/// A run between two steps, which another Session can continue: see request::TakeCopy and request::ContinueCopy.
struct RunCopy {
  Bodies bodies;
  SessionState state;
  Course course;  ///< state and recording are empty
};

/// Runs other than the current one, with smaller histories: the one before it, to which Undo returns, and those that a
/// lesson has parked under a key.
class RunStore {
 public:
  // ---- the run before

  /// Keeps a run that has given way to `next`, unless that is a reset that loses nothing.
  void keep_previous(Course run, const RunState& next);
  void forget_previous() { previous_.reset(); }
  /// A sentence that says why the run before could not be kept.
  void set_why_lost(const std::string& why) { why_lost_ = why; }
  /// Null: none.
  std::unique_ptr<Course>& previous() { return previous_; }
  /// What replaced it, "Reset"; empty: nothing.
  std::string previous_change() const { return previous_ ? change_ : std::string(); }
  const std::string& why_lost() const { return why_lost_; }

  // ---- parked runs

  /// Keeps a copy of the current run. The oldest parked runs give way where memory is short, that with the key 0 last.
  void park(std::uint64_t key, Course run);
  /// Whether this moment of a run was parked last.
  bool is_parked(const Run& run) const;
  /// Null: none.
  std::unique_ptr<Course>* find(std::uint64_t key);
  void forget(std::uint64_t key);
  void forget_parked();
  /// Ascending.
  std::vector<std::uint64_t> keys() const;

  /// Host memory of the histories.
  std::size_t bytes() const;
  /// Host memory for the recording of the current run.
  Run::HistoryMemory memory() const { return {budget_, bytes()}; }
  /// As request::SetHistoryBudget.
  void set_budget(std::optional<std::size_t> bytes) { budget_ = bytes; }

 private:
  std::size_t parked_bytes() const;

  std::optional<std::size_t> budget_;
  std::unique_ptr<Course> previous_;
  std::string change_, why_lost_;
  std::map<std::uint64_t, std::unique_ptr<Course>> parked_;  ///< key: request::ParkRun
  std::vector<std::uint64_t> order_;                         ///< keys of parked runs, oldest first
  /// Scene and step at which a run was parked last.
  struct ParkedAt {
    std::uint64_t scene_serial = 0, step = 0;
  };
  std::optional<ParkedAt> parked_at_;
};

}  // namespace pericenter
