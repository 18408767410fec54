// Recorded moments of a Session: seek, replay and branches.
#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "sim/core/clock.h"
#include "sim/core/display_units.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/session/session.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

constexpr double kMinReplaySpeed = 0.1, kMaxReplaySpeed = 10;
constexpr double kProgressPeriod = 0.03;  ///< seconds between reports while steps are repeated

TimelineMark mark_of(const EncounterEvent& event, const Units& units) {
  const std::string where =
      " at " + time_text(event.time, units) + ", separation " + short_length_text(event.separation, units);
  switch (event.kind) {
    case EncounterEventKind::pericenter:
      return {TimelineMarkKind::pericenter, event.position, "pericentre" + where};
    case EncounterEventKind::apocenter:
      return {TimelineMarkKind::apocenter, event.position, "apocentre" + where};
    case EncounterEventKind::tails:
      return {TimelineMarkKind::tails, event.position, "first tails at " + time_text(event.time, units)};
    case EncounterEventKind::merger:
      break;
  }
  return {TimelineMarkKind::merger, event.position, "the nuclei have merged" + where};
}

bool belongs_to(const TimelineDetails& details, const TimeRange& playback) {
  return details.marks.empty() && details.ghosts.empty() &&
         std::ranges::equal(details.points, playback.snapshots, {}, &TimelinePoint::position);
}

std::shared_ptr<const TimelineDetails> details_of(const TimeRange& playback) {
  const auto details = std::make_shared<TimelineDetails>();
  for (const double time : playback.snapshots) details->points.push_back({time, time});
  return details;
}

}  // namespace

void Session::update_timeline() {
  Timeline& timeline = state_.timeline;
  timeline.speed = replay_speed_;
  timeline.undo = undo_text();
  timeline.rewound = is_rewound();
  timeline.is_playback = state_.playback.has_value();
  timeline.keyframes = history_.line().keyframes.size();
  timeline.bytes = history_.bytes();
  timeline.budget = history_.budget();
  timeline.spacing = history_.is_on() ? history_.spacing() : 0;
  timeline.off_because = history_.off_because();
  timeline.shown = shown_position();
  if (timeline.is_playback) {
    timeline.first = state_.playback->first;
    timeline.last = timeline.last_time = state_.playback->last;
    if (!belongs_to(*timeline.details, *state_.playback)) timeline.details = details_of(*state_.playback);
    return;
  }
  const HistoryLine& line = history_.line();
  timeline.last = static_cast<double>(simulation_->steps());
  timeline.last_time = simulation_->time();
  timeline.first = line.keyframes.empty() ? timeline.last : static_cast<double>(line.keyframes.front().at.step);
  timeline.details = details();
  if (!rewound_) return;
  state_.time = line.time_at(rewound_->position);
  state_.steps = static_cast<std::uint64_t>(rewound_->position);
  state_.config = shown_config();
}

/// The details of the history with the events of the encounter.
std::shared_ptr<const TimelineDetails> Session::details() {
  std::shared_ptr<const TimelineDetails> recorded = history_.details();
  if (recorder_.events().empty()) return recorded;
  if (recorded == recorded_details_ && recorder_.events() == shown_events_) return state_.timeline.details;
  recorded_details_ = recorded;
  shown_events_ = recorder_.events();
  auto all = std::make_shared<TimelineDetails>(*recorded);
  for (const EncounterEvent& event : shown_events_) all->marks.push_back(mark_of(event, state_.units));
  std::ranges::stable_sort(all->marks, {}, &TimelineMark::position);
  return all;
}

double Session::shown_position() const {
  if (rewound_) return rewound_->position;
  return state_.playback ? simulation_->time() : static_cast<double>(simulation_->steps());
}

Config Session::shown_config() const {
  if (!rewound_) return config();
  return history_.line().segment_at(static_cast<std::uint64_t>(rewound_->position)).config;
}

// ---- seek and replay

void Session::apply_to(const request::Seek& wanted) {
  if (state_.playback) return seek(wanted.position);
  if (simulation_ && std::isfinite(wanted.position)) rewind(wanted.position);
}

void Session::rewind(double position) {
  if (position >= static_cast<double>(simulation_->steps())) return return_to_newest(true);
  if (!history_.is_on()) {
    const std::string& why = history_.off_because();
    return set_message("Cannot go back. " + (why.empty() ? "No history is recorded." : why), false);
  }
  const double before = shown_position();
  if (!rewound_) {
    record_newest();
    if (!history_.is_on()) return set_message("Cannot go back. " + history_.off_because(), false);
    rewound_ = Rewound{before, state_.params};
    mark_changed();
  }
  const HistoryMoment& first = history_.line().keyframes.front().at;
  show_position(std::max(position, static_cast<double>(first.step)));
  const double advance = rewound_->position - before;
  if (advance <= 0 || advance > 1) ++jumps_;
}

/// Shows this recorded moment, with the parameters of that time.
void Session::show_position(double position) {
  rewound_->position = position;
  if (!history_.line().params.empty())
    state_.params = history_.line().params_at(static_cast<std::uint64_t>(position)).params;
  unpublished_ = true;
}

void Session::return_to_newest(bool jumps) {
  if (!rewound_) return;
  state_.params = rewound_->newest_params;
  rewound_.reset();
  if (jumps) ++jumps_;
  mark_changed();
}

/// Shows the moment that follows in a replay; at the end the simulation continues.
void Session::replay() {
  const double now = rewound_->position;
  double next = now + replay_speed_;
  if (pending_steps_ > 0) {
    --pending_steps_;
    next = std::floor(now) + 1;
  }
  ++steps_since_publish_;
  if (next >= static_cast<double>(simulation_->steps())) return return_to_newest(false);
  show_position(next);
}

PublishedFrame Session::write_recorded_vertices(const VertexTarget& buffer) {
  PublishedFrame shown = published();
  shown.time = history_.line().time_at(rewound_->position);
  shown.steps = static_cast<std::uint64_t>(rewound_->position);
  if (buffer.on_device || buffer.capacity < shown.count) {
    shown.count = 0;
    return shown;
  }
  const HistoryLine& line = history_.line();
  const BodyConstants& constants = *line.segment_at(shown.steps).constants;
  write_motion_vertices(line.around(rewound_->position), constants, state_.scalar == Scalar::speed, buffer.vertices);
  note_published();
  return shown;
}

void Session::apply_to(const request::SetReplaySpeed& wanted) {
  if (std::isfinite(wanted.speed)) replay_speed_ = std::clamp(wanted.speed, kMinReplaySpeed, kMaxReplaySpeed);
}

// ---- branches

/// A simulation at this recorded step, with all bits that it had if its solver is reproducible: repeats the steps from
/// the keyframe before it. Throws SceneCancelled, Cancelled, std::bad_alloc, DeviceMemoryError.
std::unique_ptr<Simulation> Session::repeated(const HistoryLine& line, std::uint64_t step, Repeats how) {
  const HistoryKeyframe from = line.keyframe_before(step);
  const HistorySegment segment = line.segment_at(from.at.step);
  const auto params_now = [&](std::uint64_t now) { return line.params_at(now).params; };
  std::unique_ptr<Simulation> made =
      make_simulation(segment.config, bodies_of(*from.motion, *segment.constants),
                      {.time = from.at.time, .steps = from.at.step}, params_now(from.at.step));
  Clock::time_point reported{};
  while (made->steps() < step) {
    if (seconds_between(reported, Clock::now()) > kProgressPeriod) {
      const double all = static_cast<double>(step - from.at.step);
      if (!report_progress(how == Repeats::as_work, static_cast<double>(made->steps() - from.at.step) / all))
        throw SceneCancelled{};
      reported = Clock::now();
    }
    made->step(params_now(made->steps()));
  }
  return made;
}

/// The run continues from the recorded moment that is shown. False if that fails or is cancelled; then that moment is
/// still shown.
bool Session::continue_from_here() {
  if (!rewound_) return true;
  replace("continue from here", [&] {
    const auto step = static_cast<std::uint64_t>(rewound_->position);
    replace_simulation([&] { return repeated(history_.line(), step); });
    const HistoryParams now = history_.line().params_at(step);
    UndoStep undo{.what = "continuing from an earlier moment", .params = rewound_->newest_params};
    undo.record = std::make_shared<const RunRecord>(run_record());
    rewound_.reset();
    state_.params = now.params;
    pending_steps_ = 0;
    ++jumps_;
    undo.ghost = branch_at(moment());
    undo_.push_back(std::move(undo));
    continue_with_simulation();
    set_message(find_solver(config().solver)->reproducible
                    ? ""
                    : "This solver adds forces in a varying order, so the new course differs by rounding errors.",
                false);
  });
  return !rewound_;
}

/// After the simulation went to another step of the same scene.
void Session::continue_with_simulation() {
  checkpoints_.clear();
  checkpoints_.add(simulation_->size(), [this] { return snapshot(); });
  steps_since_publish_ = 0;
  note_new_simulation();
}

/// Of the whole step that is shown.
Snapshot Session::recorded_snapshot() {
  const HistoryLine& line = history_.line();
  const auto step = static_cast<std::uint64_t>(rewound_->position);
  const HistoryKeyframe& before = line.keyframe_before(step);
  HistoryMoment at = before.at;
  Bodies bodies;
  if (at.step == step) {
    bodies = bodies_of(*before.motion, *line.segment_at(step).constants);
  } else {
    try {
      const std::unique_ptr<Simulation> there = repeated(line, step, Repeats::silently);
      bodies = there->bodies();
      at = {there->steps(), there->time()};
    } catch (const SceneCancelled&) {
      throw Cancelled{};
    }
  }
  Snapshot snapshot = snapshot_with(std::move(bodies));
  snapshot.time = at.time;
  snapshot.run->start = line.params_at(step).reference;
  return snapshot;
}

}  // namespace pericenter
