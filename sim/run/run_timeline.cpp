// The timeline of a run, and the recorded moment of it that is shown.
#include <algorithm>
#include <string>
#include <utility>

#include "sim/core/display_units.h"
#include "sim/run/run.h"

namespace pericenter {
namespace {

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

/// Two bodies have an orbit. The nuclei of a few more jump from body to body.
bool has_steady_nuclei(std::size_t bodies) {
  constexpr std::size_t kEnough = 100;
  return bodies == 2 || bodies >= kEnough;
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

void Run::update_timeline() {
  RunState& now = state();
  Timeline& timeline = now.timeline;
  timeline.rewound = is_rewound();
  timeline.is_playback = is_playback();
  timeline.keyframes = history().line().keyframes.size();
  timeline.bytes = history().bytes();
  timeline.budget = history().budget();
  timeline.spacing = history().is_on() ? history().spacing() : 0;
  timeline.off_because = history().off_because();
  timeline.shown = shown_position();
  if (timeline.is_playback) {
    timeline.first = now.playback->first;
    timeline.last = timeline.last_time = now.playback->last;
    if (!belongs_to(*timeline.details, *now.playback)) timeline.details = details_of(*now.playback);
    return;
  }
  const HistoryLine& line = history().line();
  timeline.last = static_cast<double>(simulation_->steps());
  timeline.last_time = simulation_->time();
  timeline.first = line.keyframes.empty() ? timeline.last : static_cast<double>(line.keyframes.front().at.step);
  timeline.details = details();
}

/// The details of the history with the events of the encounter.
std::shared_ptr<const TimelineDetails> Run::details() {
  std::shared_ptr<const TimelineDetails> recorded = course_.recording.history().details();
  const std::vector<EncounterEvent>& events = course_.record.recorder.events();
  if (events.empty() || !has_steady_nuclei(simulation_->size())) return recorded;
  if (recorded == recorded_details_ && events == shown_events_) return state().timeline.details;
  recorded_details_ = recorded;
  shown_events_ = events;
  auto all = std::make_shared<TimelineDetails>(*recorded);
  for (const EncounterEvent& event : shown_events_) all->marks.push_back(mark_of(event, state().units));
  std::ranges::stable_sort(all->marks, {}, &TimelineMark::position);
  return all;
}

double Run::shown_position() const {
  if (rewound_) return rewound_->position;
  return is_playback() ? simulation_->time() : static_cast<double>(simulation_->steps());
}

double Run::shown_time() const {
  return rewound_ ? history().line().time_at(rewound_->position) : simulation_->time();
}

Config Run::shown_config() const {
  if (!rewound_) return config();
  return history().line().segment_at(static_cast<std::uint64_t>(rewound_->position)).config;
}

void Run::show(double position) {
  RunState& now = state();
  if (!rewound_) rewound_ = Rewound{.newest_params = now.params};
  rewound_->position = position;
  const HistoryLine& line = history().line();
  if (!line.params.empty()) now.params = line.params_at(static_cast<std::uint64_t>(position)).params;
}

bool Run::return_to_newest() {
  if (!rewound_) return false;
  state().params = rewound_->newest_params;
  rewound_.reset();
  return true;
}

Body Run::recorded_body(std::size_t index) const {
  const HistoryLine& line = history().line();
  const auto step = static_cast<std::uint64_t>(rewound_->position);
  return body_of(line.around(rewound_->position), *line.segment_at(step).constants, index);
}

void Run::write_recorded_vertices(const VertexTarget& buffer, Scalar scalar) const {
  const HistoryLine& line = history().line();
  const auto step = static_cast<std::uint64_t>(rewound_->position);
  const BodyConstants& constants = *line.segment_at(step).constants;
  RecordedScalar shown{.is_speed = scalar == Scalar::speed};
  if (scalar == Scalar::field && course_.field) shown.values = course_.field->stored;
  write_motion_vertices(line.around(rewound_->position), constants, shown, buffer);
}

}  // namespace pericenter
