#include "sim/run/history.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <utility>

#include "sim/core/clock.h"
#include "sim/core/host_memory.h"

namespace pericenter {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;
constexpr std::size_t kMaxDefaultBudget = 2'000'000'000;
constexpr std::size_t kFreeShare = 8;  ///< the default budget is this part of the free memory
constexpr double kCostWeight = 0.25;   ///< weight of the latest measurement
constexpr double kDragSteps = 3;
/// Divided steps that are closer, as a share of the line, are one mark: more could not be told apart, and would need
/// memory for each step.
constexpr double kDivisionGap = 1.0 / 256;

std::string megabytes(std::size_t bytes) {
  return std::to_string((bytes + kMegabyte - 1) / kMegabyte) + " MB";
}

/// An occasional slow measurement counts as twice the usual.
double smoothed(double before, double now) {
  if (before == 0) return now;
  return before + kCostWeight * (std::min(now, 2 * before) - before);
}

MotionLayout layout_of(const Config& config, std::size_t bodies) {
  return {bodies, config.dimension, stored_precision(config)};
}

bool same_reference(const std::optional<Diagnostics>& a, const std::optional<Diagnostics>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->kinetic == b->kinetic && (a->potential == b->potential || std::isnan(a->potential));
}

}  // namespace

std::size_t default_history_budget() {
  return std::min(kMaxDefaultBudget, static_cast<std::size_t>(available_memory()) / kFreeShare);
}

// ---- memory

void History::set_budget(std::size_t bytes) {
  budget_ = bytes;
  if (!on_) return;
  if (const std::string problem = problem_with_size(layout().bytes()); !problem.empty()) return turn_off(problem);
  shrink_to(budget_ - std::min(budget_, reserved_));
}

std::string History::problem_with_size(std::size_t keyframe) const {
  if (budget_ == 0) return "The history is off because its memory budget is 0.";
  if (keyframe * kMinKeyframes <= budget_) return {};
  return "The history is off: one keyframe takes " + megabytes(keyframe) + ", and at least " +
         std::to_string(kMinKeyframes) + " must fit into the budget of " + megabytes(budget_) +
         ". Use fewer bodies or a larger budget.";
}

bool History::start(const Config& config, std::size_t bodies) {
  clear();
  bodies_ = bodies;
  off_because_ = problem_with_size(layout_of(config, bodies).bytes());
  on_ = off_because_.empty();
  return on_;
}

void History::clear() {
  const std::size_t budget = budget_, reserved = reserved_;
  const std::uint64_t last_ghost = last_ghost_;
  *this = {};
  budget_ = budget;
  reserved_ = reserved;
  last_ghost_ = last_ghost;
}

void History::turn_off(const std::string& because) {
  clear();
  off_because_ = because;
}

void History::note_out_of_memory() {
  if (!on_) return;
  const std::size_t half = bytes() / 2, keyframe = layout().bytes();
  if (half < 2 * keyframe)
    return turn_off("The history is off: there is not enough memory for a keyframe of " + megabytes(keyframe) + ".");
  shrink_to(half);
  budget_ = std::min(budget_, half + reserved_);
}

/// After a change of more than the last keyframe.
void History::note_changed() {
  details_.reset();
  bytes_ = std::accumulate(ghosts_.begin(), ghosts_.end(), line_.bytes(),
                           [](std::size_t sum, const Ghost& ghost) { return sum + ghost.line.bytes(); });
}

void History::shrink_to(std::size_t limit) {
  while (bytes() > limit && drop_some()) continue;
}

/// Drops what is missed least; false when only the start of one segment is left.
bool History::drop_some() {
  if (!ghosts_.empty()) {
    ghosts_.erase(ghosts_.begin());
    note_changed();
    return true;
  }
  const auto is_pinned = [](const HistoryKeyframe& keyframe) { return keyframe.pinned; };
  if (!std::ranges::all_of(line_.keyframes, is_pinned)) {
    double_spacing();
    return true;
  }
  if (line_.keyframes.size() > line_.segments.size()) {
    for (HistoryKeyframe& keyframe : line_.keyframes)
      keyframe.pinned = line_.segment_at(keyframe.at.step).first == keyframe.at.step;
    return true;
  }
  return drop_first_segment();
}

void History::double_spacing() {
  spacing_ *= 2;
  std::erase_if(line_.keyframes, [this](const HistoryKeyframe& keyframe) {
    return !keyframe.pinned && keyframe.at.step % spacing_ != 0;
  });
  note_changed();
}

bool History::drop_first_segment() {
  if (line_.segments.size() < 2) return false;
  const std::uint64_t first = line_.segments[1].first;
  std::erase_if(line_.keyframes, [&](const HistoryKeyframe& keyframe) { return keyframe.at.step < first; });
  line_.segments.erase(line_.segments.begin());
  std::erase_if(line_.marks, [&](const TimelineMark& mark) { return mark.position < static_cast<double>(first); });
  std::erase_if(line_.divisions, [&](const TimelineDivision& part) { return part.last <= static_cast<double>(first); });
  note_changed();
  return true;
}

// ---- recording

MotionLayout History::layout() const {
  return line_.segments.empty() ? MotionLayout{bodies_} : layout_of(line_.segments.back().config, bodies_);
}

void History::begin_segment(const HistoryMoment& at, const Config& config, const Bodies& bodies) {
  if (!on_) return;
  try {
    HistoryKeyframe keyframe{at, std::make_shared<const PackedMotion>(layout_of(config, bodies_), bodies), true};
    HistorySegment segment{at.step, config, nullptr};
    if (!line_.segments.empty()) {
      if (line_.last.step > at.step) line_.cut(at);
      const HistorySegment before = line_.segments.back();
      if (before.config != config)
        add_mark({TimelineMarkKind::configuration, static_cast<double>(at.step), change_text(before.config, config)});
      if (before.constants->belong_to(bodies)) segment.constants = before.constants;
      if (before.first == at.step) line_.segments.pop_back();
    }
    if (!segment.constants) segment.constants = std::make_shared<const BodyConstants>(bodies);
    if (!line_.keyframes.empty() && line_.keyframes.back().at.step == at.step) line_.keyframes.pop_back();
    line_.segments.push_back(std::move(segment));
    line_.keyframes.push_back(std::move(keyframe));
    line_.last = at;
    note_changed();
  } catch (const std::bad_alloc&) {
    turn_off("The history is off: there is not enough memory for a keyframe of " +
             megabytes(layout_of(config, bodies_).bytes()) + ".");
  }
}

void History::note_params(const HistoryParams& now) {
  if (!on_) return;
  std::vector<HistoryParams>& list = line_.params;
  if (!list.empty()) {
    if (list.back().params == now.params && same_reference(list.back().reference, now.reference)) return;
    if (list.back().params != now.params) mark_params(now);
    if (list.back().at.step >= now.at.step) list.pop_back();
  }
  list.push_back(now);
  details_.reset();
}

/// One mark for all changes while a slider is dragged.
void History::mark_params(const HistoryParams& now) {
  const Clock::time_point clock = Clock::now();
  const auto position = static_cast<double>(now.at.step);
  const bool continues = change_ && (seconds_between(change_->last, clock) < kDragSeconds ||
                                     position - change_->last_position <= kDragSteps);
  const auto is_of_change = [&](const TimelineMark& mark) {
    return mark.kind == TimelineMarkKind::parameters && mark.position == change_->position;
  };
  if (continues) {
    std::erase_if(line_.marks, is_of_change);
  } else {
    change_ = Change{line_.params.back().params, position, position, clock};
  }
  change_->last = clock;
  change_->last_position = position;
  if (const std::string text = change_text(change_->before, now.params); !text.empty())
    add_mark({TimelineMarkKind::parameters, change_->position, text});
}

void History::add_mark(TimelineMark mark) {
  if (!on_) return;
  details_.reset();
  line_.marks.insert(std::ranges::upper_bound(line_.marks, mark.position, {}, &TimelineMark::position),
                     std::move(mark));
}

void History::note_step(const HistoryMoment& at, double seconds) {
  if (!on_) return;
  line_.last = at;
  step_seconds_ = smoothed(step_seconds_, seconds);
}

void History::note_parts(int parts) {
  if (!on_ || parts <= 1 || line_.keyframes.empty()) return;
  std::vector<TimelineDivision>& list = line_.divisions;
  const auto last = static_cast<double>(line_.last.step);
  const double length = last - static_cast<double>(line_.keyframes.front().at.step);
  details_.reset();
  if (list.empty() || last - 1 - list.back().last > kDivisionGap * length) list.push_back({last - 1, last, parts});
  list.back().last = last;
  list.back().parts = std::max(list.back().parts, parts);
}

bool History::wants_keyframe() const {
  return on_ && line_.last.step % spacing_ == 0;
}

void History::add(HistoryKeyframe keyframe) {
  if (!on_ || line_.keyframes.empty() || line_.keyframes.back().at.step >= keyframe.at.step) return;
  const std::size_t size = keyframe.motion->layout().bytes(), limit = budget_ - std::min(budget_, reserved_);
  shrink_to(limit - std::min(limit, size));
  if (line_.keyframes.size() >= kMaxKeyframes) double_spacing();
  line_.keyframes.push_back(std::move(keyframe));
  bytes_ += size;
}

bool History::has_newest() const {
  return !line_.keyframes.empty() && line_.keyframes.back().at.step == line_.last.step;
}

void History::pin_newest() {
  if (has_newest()) line_.keyframes.back().pinned = true;
}

void History::note_cost(double seconds, double background_seconds) {
  keyframe_seconds_ = smoothed(keyframe_seconds_, seconds);
  background_seconds_ = smoothed(background_seconds_, background_seconds);
  const double between = static_cast<double>(spacing_) * step_seconds_;
  if (keyframe_seconds_ > kMaxStepShare * between || background_seconds_ > kMaxBackgroundShare * between)
    double_spacing();
}

// ---- branches

std::uint64_t History::branch(const HistoryMoment& at) {
  if (!on_ || line_.last.step <= at.step) return 0;
  change_.reset();
  if (line_.keyframes.front().at.step > at.step) {
    line_ = {};
    return 0;
  }
  std::vector<TimelineMark> marks = line_.marks;
  ghosts_.push_back({++last_ghost_, at, line_.cut(at), std::move(marks)});
  note_changed();
  return last_ghost_;
}

bool History::has_ghost(std::uint64_t id) const {
  return std::ranges::find(ghosts_, id, &Ghost::id) != ghosts_.end();
}

void History::restore_ghost(std::uint64_t id) {
  change_.reset();
  const auto ghost = std::ranges::find(ghosts_, id, &Ghost::id);
  if (line_.last.step > ghost->start.step) line_.cut(ghost->start);
  // One at the start itself may be of another configuration; the ghost has its own if there was one.
  if (line_.keyframes.size() > 1 && line_.keyframes.back().at.step == ghost->start.step) line_.keyframes.pop_back();
  line_.append(std::move(ghost->line));
  line_.marks = std::move(ghost->marks);
  ghosts_.erase(ghost, ghosts_.end());
  note_changed();
}

// ---- what the timeline shows

std::shared_ptr<const TimelineDetails> History::details() {
  if (details_) return details_;
  const auto made = std::make_shared<TimelineDetails>();
  if (!line_.keyframes.empty()) {
    const HistoryMoment& first = line_.keyframes.front().at;
    made->points.push_back({static_cast<double>(first.step), first.time});
    for (const HistoryParams& change : line_.params) {
      if (change.at.step > first.step) made->points.push_back({static_cast<double>(change.at.step), change.at.time});
    }
  }
  made->marks = line_.marks;
  made->divisions = line_.divisions;
  for (const Ghost& ghost : ghosts_) {
    const int row = static_cast<int>(&ghosts_.back() - &ghost);
    made->ghosts.push_back({static_cast<double>(ghost.start.step), static_cast<double>(ghost.line.last.step), row});
  }
  return details_ = made;
}

}  // namespace pericenter
