#include "app/window/comparison_controller.h"

#include <cmath>
#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

#include "app/ui/send_requests.h"
#include "app/window/window.h"
#include "sim/core/clock.h"
#include "sim/playback/series.h"

namespace pericenter::app {
namespace {

using Phase = ComparisonState::Phase;

template <class Wanted, class... Kinds>
inline constexpr bool kIsOneOf = (std::is_same_v<Wanted, Kinds> || ...);

/// Requests that A gets as they are.
template <class Wanted>
inline constexpr bool kAppliesToBoth =
    kIsOneOf<Wanted, request::Play, request::SetReplaySpeed, request::ContinueFromHere, request::SetHistoryBudget,
             request::SampleForces, request::MeasureRotation, request::SetStepsPerFrame, request::SetSpeed,
             request::ShowTree, request::ShowScalar, request::MeasureForceErrors>;

bool same_bodies(const SessionState& a, const SessionState& b) {
  return a.scene == b.scene && a.file == b.file && a.bodies == b.bodies &&
         a.scene_request.seed == b.scene_request.seed && !b.playback;
}

/// Whether a playback shows its last moment, so that it cannot go on.
bool has_ended(const SessionState& a) {
  return a.playback && !a.running && a.time + 0.5 * a.params.dt >= a.playback->last;
}

bool restarts(const request::LoadScene& wanted, const SessionState& now) {
  return wanted.name == now.scene && now.file.empty() && wanted.scene.bodies == now.scene_request.bodies &&
         wanted.scene.seed == now.scene_request.seed;
}

}  // namespace

void Comparison::toggle(const UiFrame& frame) {
  if (active() || setup_ || series_) return end("The comparison has ended; B continues.");
  const ComparedSettings now{.config = frame.simulation.config, .params = frame.simulation.params};
  start({now, now}, frame);
}

void Comparison::start(const ComparisonSetup& setup, const UiFrame& frame) {
  UiState& ui = window_.ui;
  if (active() || setup_) end({});
  if (const std::string problem = problem_with_comparison(frame.simulation); !problem.empty())
    return set_notice(problem, false, frame.now, ui);
  for (const ComparedSettings& settings : {setup.a, setup.b}) {
    const std::string problem = problem_with_memory(memory_for_second(frame.simulation, settings.config));
    if (!problem.empty()) return report_error(problem, frame.now, ui, NoticeSource::comparison);
  }
  remove_notices(NoticeSource::comparison, ui);
  setup_ = setup;
  start_serial_ = frame.simulation.scene_serial;
  ui.comparison.phase = Phase::starting;
  ui.comparison.side_by_side = setup.side_by_side;
  window_.simulation.request(request::TakeCopy{});
}

void Comparison::start_with_series(const Series& series, const UiFrame& frame) {
  UiState& ui = window_.ui;
  if (active() || setup_ || series_) end({});
  remove_notices(NoticeSource::comparison, ui);
  series_ = series;
  ui.comparison.phase = Phase::starting;
  set_running(false, frame, ui);
  // As a series of one, so that the bodies have the order of A, which is that of their ids.
  window_.simulation.request(
      request::LoadSource{std::make_shared<const SceneSource>(series_source({series.start}, {}, true))});
  window_.simulation.request(request::Simulate{});
}

/// Once B simulates from the start of the series.
void Comparison::create_series(const SessionState& b) {
  if (b.file != series_->start || b.playback || b.busy || b.scene_serial == 0) return;
  begin(b);
  a_->thread.request(
      request::LoadSource{std::make_shared<const SceneSource>(series_source(series_of(series_->first_snapshot), {}))});
  a_->thread.request(request::Play{false});
}

/// Starts the thread of A, which has no bodies yet.
void Comparison::begin(const SessionState& now) {
  a_ = std::make_unique<Simulated>(window_.view, window_.interop);
  a_->stars.set_allows_steps(false);
  window_.stars.set_allows_steps(false);
  SimulationThread& thread = a_->thread;
  thread.request(request::SetStepsPerFrame{now.steps_per_frame});
  if (now.speed > 0) thread.request(request::SetSpeed{});
  thread.request(request::ShowScalar{now.scalar, now.wanted_field});
  thread.request(window_.ui.view.tree);
  a_state_ = {};
  old_message_ = 0;
}

void Comparison::create(std::shared_ptr<const RunCopy> run) {
  const ComparisonSetup setup = *std::exchange(setup_, std::nullopt);
  const SessionState& now = run->state;
  begin(now);
  SimulationThread& thread = a_->thread;
  thread.request(request::ContinueCopy{run, setup.a.config, setup.a.params});
  if (setup.a.encounter) {
    request::LoadScene scene{now.scene, now.scene_request, setup.a.config};
    scene.scene.encounter = setup.a.encounter;
    thread.request(std::move(scene));
  }
  set(setup.b, now);
}

/// Gives B its settings.
void Comparison::set(const ComparedSettings& settings, const SessionState& b) {
  const UiFrame frame{.simulation = b, .now = window_time()};
  UiState& ui = window_.ui;
  if (settings.config != b.config) set_config(settings.config, frame, ui);
  if (settings.params != b.params) set_params(settings.params, frame, ui);
  if (!settings.encounter) return;
  request::LoadScene scene{b.scene, b.scene_request};
  scene.scene.encounter = settings.encounter;
  window_.simulation.request(std::move(scene));  // requests of `ui` would restart A as well
}

void Comparison::swap(const UiFrame& frame) {
  UiState& ui = window_.ui;
  if (!ui.comparison.on())
    return set_notice("There is nothing to swap. Press C to start a comparison.", false, frame.now, ui);
  if (series_) return set_notice("A is a run of " + series_->title + ", which only plays.", false, frame.now, ui);
  if (ui.files.saving) return set_notice("Swap A and B when the snapshot is saved.", false, frame.now, ui);
  window_.simulation.swap(a_->thread);
  ui.requests.acknowledge_all();
  window_.stars.swap(a_->stars);
  window_.view.renderer().swap_halves();
  ui.comparison.meter.swap_sides();
  ui.comparison.sample.reset();
  a_->thread.request(request::ShowProbe{});
  a_->thread.request(request::TrackStars{});
  ui.stars.tracked = {};
  if (ui.stars.probed) set_probe(ui.stars.probed, ui.stars, ui);
  completed_at_.reset();
  a_state_ = a_->thread.state();
  old_message_ = a_state_.message_serial;
}

void Comparison::stop() {
  if (active() || setup_ || series_) end({});
}

void Comparison::continue_with_a() {
  if (!reference()) return stop();
  keeps_a_ = true;
  a_->thread.request(request::TakeCopy{});
}

/// Once the run of A is copied.
void Comparison::copy_a() {
  std::shared_ptr<const RunCopy> run = a_->thread.take_copy();
  if (!run) return;
  const Config config = run->state.config;
  const Params params = run->state.params;
  window_.simulation.request(request::ContinueCopy{std::move(run), config, params});
  end({});
}

void Comparison::end(const std::string& message, bool is_error) {
  UiState& ui = window_.ui;
  setup_.reset();
  if (series_.has_value()) remove_notices(NoticeSource::comparison, ui);
  series_.reset();
  completed_step_ = keeps_a_ = false;
  if (a_) ending_.push_back(std::move(a_));
  ui.comparison = {.divider = ui.comparison.divider, .wanted = std::move(ui.comparison.wanted)};
  window_.stars.set_allows_steps(true);
  window_.view.set_split(std::nullopt);
  if (message.empty()) return;
  if (is_error) return report_error(message, window_time(), ui, NoticeSource::comparison);
  set_notice(message, false, window_time(), ui);
}

/// Frees the simulations whose threads have ended; a step on a GPU is not interrupted.
void Comparison::release_ended() {
  std::erase_if(ending_, [](const std::unique_ptr<Simulated>& one) { return one->thread.end(0); });
}

bool Comparison::end_threads(double seconds) {
  if (a_) ending_.push_back(std::move(a_));
  bool all = true;
  for (const std::unique_ptr<Simulated>& one : ending_) all = one->thread.end(seconds) && all;
  return all;
}

std::string Comparison::reason_to_end(const SessionState& b) const {
  if (!a_state_.device_lost.empty())
    return "The GPU was lost (" + a_state_.device_lost + "): the comparison has ended.";
  if (a_state_.message_is_error && !a_state_.message.empty() && a_state_.message_serial != old_message_)
    return "The comparison has ended, because A has failed: " + a_state_.message;
  if (a_state_.scene_serial == 0 || a_state_.busy || b.busy) return {};
  if (series_ ? b.file == series_->start && b.bodies == a_state_.bodies : same_bodies(a_state_, b)) return {};
  return "The comparison has ended because other bodies were loaded. Press C to compare again.";
}

void Comparison::begin_update(const SessionState& b) {
  completed_step_ = false;
  if (!ending_.empty()) release_ended();
  if (std::shared_ptr<const RunCopy> run = window_.simulation.take_copy(); run && setup_) create(std::move(run));
  if (setup_ && b.scene_serial != start_serial_) end({});
  if (series_ && !a_) create_series(b);
  if (!a_) return;
  if (keeps_a_) copy_a();
  if (!a_) return;
  a_state_ = a_->thread.state();
  if (const std::string reason = reason_to_end(b); !reason.empty())
    end(reason, a_state_.message_is_error || !a_state_.device_lost.empty());
}

/// Fetches the stars of A. True if something has changed.
bool Comparison::update_a(const SessionState& b) {
  ComparisonState& shown = window_.ui.comparison;
  const StarChanges changes = a_->stars.update(a_->thread, a_state_, window_.ui);
  const bool ready = a_state_.scene_serial != 0 && !a_state_.busy && a_->stars.stars().count > 0;
  if (ready && std::exchange(shown.phase, Phase::on) != Phase::on && series_)
    add_notice({.text = series_->differences, .until = kUntilDismissed, .source = NoticeSource::comparison},
               window_.ui);
  const std::uint64_t serials = a_state_.scene_serial + b.scene_serial;
  if (std::exchange(measured_serials_, serials) != serials) shown.meter.clear();
  std::optional<render::StarSample> sample = a_->stars.sample();
  const bool sampled = sample.has_value();
  if (sampled) {
    shown.meter.add(render::Half::left, *sample);
    shown.sample = std::move(sample);
  }
  shown.differences =
      series_ ? std::vector{SettingDifference{{}, series_->title, "Pericenter"}} : differences(a_state_, b);
  return changes.any || sampled;
}

bool Comparison::update(const SessionState& b, const Update& update) {
  if (!a_) return !ending_.empty() || setup_ || series_;
  ComparisonState& shown = window_.ui.comparison;
  bool changed = false;
  try {
    changed = update_a(b);
  } catch (const NoInterop&) {
    throw;
  } catch (const std::exception& error) {
    end("The comparison has ended: " + std::string(error.what()) + ".", true);
    return true;
  }
  if (update.sampled && window_.ui.stars.sample) shown.meter.add(render::Half::right, *window_.ui.stars.sample);
  if (shown.on()) window_.view.set_split(render::Split{a_->stars.stars(), shown.shown_divider(), shown.side_by_side});
  follow(b);
  if (update.may_step) allow_steps(b);
  return changed || a_state_.busy || a_state_.running;
}

/// A runs, pauses and reverses with B, once the state of B is what was asked for.
void Comparison::follow(const SessionState& b) {
  if (a_state_.scene_serial == 0 || a_state_.busy || b.busy || !window_.ui.requests.all_handled()) return;
  if (series_ && b.running && has_ended(a_state_)) {
    window_.simulation.request(request::Play{false});
    set_notice("The snapshots of " + series_->title + " end here.", false, window_time(), window_.ui);
  } else if (a_state_.running != b.running) {
    a_->thread.request(request::Play{b.running});
  }
  Params params = a_state_.params;
  params.dt = series_ ? b.params.dt : std::copysign(params.dt, b.params.dt);
  if (params != a_state_.params) a_->thread.request(request::SetParams{params});
}

/// Steps of the longer time step that A and B may take, if a round begins; otherwise the most of the one that is
/// behind.
int Comparison::steps_of_round(const SessionState& b, bool begins) {
  if (b.speed == 0) return b.steps_per_frame;
  const double rate = steps_per_second(b.speed, std::max(std::abs(a_state_.params.dt), std::abs(b.params.dt)));
  const OutputState& output = window_.ui.output;
  const auto now = std::chrono::steady_clock::now();
  const double seconds = seconds_between(std::exchange(last_round_, now), now);
  due_.pass(output.recording ? 0 : seconds, rate);
  if (!begins) return static_cast<int>(due_.most());
  video_frames_ = std::exchange(planned_, {}).frames;
  if (!output.recording) return due_.take();
  planned_ = video_.next(rate / output.recorded_rate);
  return planned_.steps;
}

void Comparison::allow_steps(const SessionState& b) {
  const bool same_direction = std::signbit(a_state_.params.dt) == std::signbit(b.params.dt);
  if (b.running != a_state_.running || !same_direction) return;
  const auto waiting = [](const SimulationThread& thread, const SessionState& state) {
    const std::optional<double> time = thread.waits_at();
    return time ? std::optional(WaitingSimulation{*time, state.params.dt}) : std::nullopt;
  };
  const auto of_a = waiting(a_->thread, a_state_), of_b = waiting(window_.simulation, b);
  if (!b.running) return catch_up(steps_to_catch_up(of_a, of_b), b);
  const LockstepSteps steps = next_steps(of_a, of_b, steps_of_round(b, are_level(of_a, of_b)));
  if (steps == LockstepSteps{}) return;
  completed_step_ = std::exchange(completed_at_, of_b->time) != of_b->time;
  if (steps.a > 0) a_->thread.allow_steps(steps.a);
  if (steps.b > 0) window_.simulation.allow_steps(steps.b);
}

/// Steps of paused simulations: of A after a single step of B, or of the one that was paused first.
void Comparison::catch_up(const LockstepSteps& steps, const SessionState& b) {
  if (b.timeline.rewound || a_state_.timeline.rewound || !window_.ui.requests.all_handled()) return;
  if (steps.a > 0) a_->thread.request(request::Step{static_cast<std::uint64_t>(steps.a)});
  if (steps.b > 0) window_.simulation.request(request::Step{static_cast<std::uint64_t>(steps.b)});
}

void Comparison::forward(const Request& request, const SessionState& b) {
  if (!a_) return;
  const auto forward_one = [&](const auto& wanted) {
    using Wanted = std::decay_t<decltype(wanted)>;
    if constexpr (kAppliesToBoth<Wanted>) a_->thread.request(wanted);
    if constexpr (std::is_same_v<Wanted, request::Reset>) reset_a(b);
    if constexpr (std::is_same_v<Wanted, request::LoadScene>) {
      if (restarts(wanted, b)) reset_a(b);
    }
    if constexpr (std::is_same_v<Wanted, request::Seek>)
      a_->thread.request(request::Seek{a_state_.timeline.position_at(b.timeline.time_at(wanted.position))});
    if constexpr (kIsOneOf<Wanted, request::SetParams, request::SetConfig>) {
      if (b.timeline.rewound) a_->thread.request(request::ContinueFromHere{});  // B does the same
    }
  };
  std::visit(forward_one, request);
}

/// A file has its own settings, which would replace those of A.
void Comparison::reset_a(const SessionState& b) {
  if (series_) {
    a_->thread.request(request::Seek{a_state_.timeline.first});
    window_.ui.requests.push_back(request::Simulate{});  // the reset of B returns to the snapshot of its start
    return;
  }
  a_->thread.request(request::Reset{});
  if (b.file.empty()) return;
  a_->thread.request(request::SetConfig{a_state_.config});
  a_->thread.request(request::SetParams{a_state_.params});
}

}  // namespace pericenter::app
