#include "sim/session/run_store.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pericenter {
namespace {

// Parts of the memory of the history: of the run before, of all parked runs together, and of one of them.
constexpr std::size_t kPreviousShare = 4, kParkedShare = 2, kParkedRunShare = 4;

}  // namespace

void RunStore::keep_previous(Course run, const RunState& next) {
  const RunState& before = run.state;
  const bool reset = before.scene == next.scene && before.file == next.file &&
                     before.scene_request.bodies == next.scene_request.bodies &&
                     before.scene_request.seed == next.scene_request.seed;
  History& history = run.recording.history();
  const HistoryLine& line = history.line();
  const bool has_steps = !line.keyframes.empty() && line.last.step > line.keyframes.front().at.step;
  if (reset && !has_steps) return;  // the run before it stays
  change_ = reset ? "Reset" : "change of scene";
  history.shrink_to(history.budget() / kPreviousShare);
  previous_ = std::make_unique<Course>(std::move(run));
  why_lost_.clear();
}

void RunStore::park(std::uint64_t key, Course run) {
  History& history = run.recording.history();
  const std::size_t limit = history.budget() / kParkedShare;
  parked_at_ = ParkedAt{run.state.scene_serial, run.state.steps};
  history.shrink_to(history.budget() / kParkedRunShare);
  forget(key);
  parked_[key] = std::make_unique<Course>(std::move(run));
  order_.push_back(key);
  while (!order_.empty() && parked_bytes() > limit) {
    const auto oldest = std::ranges::find_if(order_, [](std::uint64_t parked) { return parked != 0; });
    forget(oldest == order_.end() ? 0 : *oldest);
  }
}

bool RunStore::is_parked(const Run& run) const {
  return parked_at_ && run.simulation() && parked_at_->scene_serial == run.state().scene_serial &&
         parked_at_->step == run.simulation()->steps();
}

std::unique_ptr<Course>* RunStore::find(std::uint64_t key) {
  const auto found = parked_.find(key);
  return found == parked_.end() ? nullptr : &found->second;
}

void RunStore::forget(std::uint64_t key) {
  parked_.erase(key);
  std::erase(order_, key);
}

void RunStore::forget_parked() {
  parked_.clear();
  order_.clear();
}

std::vector<std::uint64_t> RunStore::keys() const {
  std::vector<std::uint64_t> keys;
  for (const auto& [key, run] : parked_) keys.push_back(key);
  return keys;
}

std::size_t RunStore::parked_bytes() const {
  return std::accumulate(parked_.begin(), parked_.end(), std::size_t{0}, [](std::size_t sum, const auto& entry) {
    return sum + (entry.second ? entry.second->recording.history().bytes() : 0);
  });
}

std::size_t RunStore::bytes() const {
  return parked_bytes() + (previous_ ? previous_->recording.history().bytes() : 0);
}

}  // namespace pericenter
