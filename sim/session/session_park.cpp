// Runs that a Session keeps under a key, so that a lesson can return to them at once.
#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/session/session.h"

namespace pericenter {
namespace {

// Of the memory of the history: all parked runs together, and one of them.
constexpr std::size_t kParkedShare = 2, kParkedRunShare = 4;

}  // namespace

bool Session::is_parked() const {
  return parked_at_ && simulation_ && parked_at_->scene_serial == state_.scene_serial &&
         parked_at_->step == simulation_->steps();
}

std::size_t Session::parked_bytes() const {
  return std::accumulate(parked_.begin(), parked_.end(), std::size_t{0}, [](std::size_t sum, const auto& entry) {
    return sum + (entry.second ? entry.second->history.bytes() : 0);
  });
}

/// Memory of the history that runs other than the current one use.
std::size_t Session::kept_bytes() const {
  return parked_bytes() + (previous_ ? previous_->history.bytes() : 0);
}

void Session::apply_to(const request::ParkRun& wanted) {
  if (!simulation_ || !options_.records_history) return;
  const std::optional<Rewound> shown = rewound_;
  return_to_newest(false);
  std::unique_ptr<PreviousRun> run = run_to_keep();
  if (run) {
    run->history = history_;  // which shares its keyframes
    run->history.shrink_to(history_.budget() / kParkedRunShare);
    forget_parked(wanted.key);
    parked_[wanted.key] = std::move(run);
    parked_order_.push_back(wanted.key);
    parked_at_ = ParkedAt{state_.scene_serial, simulation_->steps()};
    limit_parked();
  }
  if (!shown) return;
  rewound_ = shown;
  show_position(shown->position);
}

void Session::limit_parked() {
  const std::size_t limit = history_.budget() / kParkedShare;
  while (!parked_order_.empty() && parked_bytes() > limit) {
    const auto oldest = std::ranges::find_if(parked_order_, [](std::uint64_t key) { return key != 0; });
    forget_parked(oldest == parked_order_.end() ? 0 : *oldest);
  }
  note_parked();
}

void Session::forget_parked(std::uint64_t key) {
  parked_.erase(key);
  std::erase(parked_order_, key);
  note_parked();
}

void Session::note_parked() {
  state_.parked.clear();
  for (const auto& [key, run] : parked_) state_.parked.push_back(key);
}

void Session::apply_to(const request::RestoreRun& wanted) {
  const auto found = parked_.find(wanted.key);
  if (found == parked_.end()) return;
  return_to_newest(false);
  leaves_parked_ = true;  // Undo keeps what it returns to
  replace("bring back the run", [&] {
    restore_run(found->second);
    set_message({}, false);
  });
  if (found->second) return;
  forget_parked(wanted.key);
  if (wanted.position) apply_to(request::Seek{*wanted.position});
}

void Session::apply_to(const request::ForgetRuns&) {
  parked_.clear();
  parked_order_.clear();
  note_parked();
}

}  // namespace pericenter
