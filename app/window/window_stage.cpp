#include "app/window/lesson_controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/settings/command_line_error.h"
#include "app/settings/scene_string.h"
#include "app/ui/cost_accuracy.h"
#include "app/ui/send_requests.h"

namespace pericenter::app {
namespace {

constexpr int kFramesOfARequest = 2;  ///< frames until the state may show what a request has changed
constexpr double kRampPeriod = 0.05;  ///< seconds between two changes
constexpr int kHurry = 4;             ///< factor of the pace
constexpr std::string_view kCostCard = "cost";

bool is_paused(const SessionState& state) {
  return !state.running && !state.busy;
}

}  // namespace

void WindowStage::update() {
  if (state().running) seconds_ += frame_->now - last_now_;
  last_now_ = frame_->now;
  if (!waiting_ || ++waiting_->frames < kFramesOfARequest) return;
  const bool done = waiting_->done(state());
  const bool failed = !state().busy && state().message_is_error && state().message_serial != waiting_->message;
  if (!done && !failed) return;
  const Waiting finished = *std::exchange(waiting_, std::nullopt);
  if (!done && finished.failed) finished.failed();
}

void WindowStage::wait(Condition done, std::function<void()> failed) {
  waiting_ = {std::move(done), std::move(failed), state().message_serial};
}

void WindowStage::report(const char*, const std::string& problem) {
  report_error("The settings of this slide cannot be used: " + problem, frame_->now, window_.ui);
}

/// The run of before stays parked, so that its slides can be shown again.
void WindowStage::begin_run() {
  window_.ui.requests.push_back(request::ParkRun{run_});
  run_ = ++last_run_;
}

void WindowStage::load(const Slide& slide) {
  window_.comparison.stop();
  try {
    const SceneOptions options = options_to_load(slide);
    begin_run();
    window_.scenes.load(options, true);
    const auto loaded = [this, options, before = state().scene_serial](const SessionState& now) {
      return now.scene_serial != before && !now.busy && !window_.scenes.loading() &&
             now.params == with_options(now.suggested, options);
    };
    wait(loaded, leave_);
  } catch (const CommandLineError& error) {
    report_error("The scene of this slide cannot be loaded: " + std::string(error.what()), frame_->now, window_.ui);
    leave_();
  }
}

/// The scene of the slide on this machine; of a comparison of encounters that of B.
SceneOptions WindowStage::options_to_load(const Slide& slide) {
  SessionState now = state();
  if (now.scene_serial == 0) now.config = config_();
  const std::size_t limit = limits_.empty() ? kLessonBodies : limits_[window_.ui.lesson.slide];
  SceneOptions options = pasted_scene(scene_string(slide.options), {now, kLessonBodies, frame_->cuda_missing, limit});
  options.view.theme = window_.ui.view.theme;
  encounter_.reset();
  if (const auto other = other_encounter(slide)) {
    encounter_ = options.encounter.value_or(*find_scene(options.scene)->encounter);
    options.encounter = other;
  }
  return options;
}

void WindowStage::set(const SlideSettings& wanted, bool live) {
  UiState& ui = window_.ui;
  if (live && state().timeline.rewound) ui.requests.push_back(request::ContinueFromHere{});
  if (wanted.config != state().config) set_config(wanted.config, *frame_, ui);
  if (wanted.params != state().params) set_params(wanted.params, *frame_, ui);
  wait([wanted, live](const SessionState& now) {
    return !now.busy && SlideSettings{now.config, now.params} == wanted && !(live && now.timeline.rewound);
  });
}

/// B is a run of its own.
void WindowStage::compare(const Slide& slide) {
  UiState& ui = window_.ui;
  SceneOptions options = options_of(state(), ui.view, window_.view.camera());
  options.compare = slide.compare;
  if (encounter_) options.encounter = encounter_;
  ComparisonSetup setup = comparison_setup(state(), options);
  if (!encounter_) setup.a.encounter.reset();
  setup.b.encounter.reset();  // its scene is loaded
  setup.side_by_side = true;  // a class compares two whole scenes
  begin_run();
  window_.comparison.start(setup, *frame_);
  wait([this](const SessionState&) { return window_.ui.comparison.phase != ComparisonState::Phase::starting; });
}

void WindowStage::end_comparison() {
  const bool is_copied = window_.comparison.reference() != nullptr;
  window_.comparison.continue_with_a();
  const auto pose = window_.view.camera().pose();
  const Follow follow = window_.ui.view.follow;
  wait([=, this, before = state().scene_serial](const SessionState& now) {
    const bool ended = is_paused(now) && !window_.comparison.active() && (!is_copied || now.scene_serial != before);
    if (!ended) return false;
    window_.view.camera().set_pose(pose);
    window_.ui.view.follow = follow;
    return true;
  });
}

void WindowStage::play(const Slide& slide) {
  seconds_ = 0;
  if (slide.action == SlideAction::run_backwards) {
    window_.ui.requests.push_back(request::RunBackwards{});
  } else {
    set_running(true, *frame_, window_.ui);
  }
}

void WindowStage::pause() {
  set_running(false, *frame_, window_.ui);
  wait(is_paused);
}

void WindowStage::hurry(bool on) {
  UiState& ui = window_.ui;
  if (on) {
    pace_ = wanted_pace(ui);
    set_running(true, *frame_, ui);
  }
  const int factor = on ? kHurry : 1;
  set_pace({factor * pace_.steps_per_frame, factor * pace_.speed}, *frame_, ui);
}

void WindowStage::leave_slide() {
  forget_selected_stars(window_.ui);
  if (window_.ui.stars.probed) set_probe(std::nullopt, window_.ui.stars, window_.ui);
  pause();
}

/// A recorded moment has the value of then.
void WindowStage::ramp(const Ramp& ramp) {
  UiState& ui = window_.ui;
  if (ramp.setting == "tree-level") {
    const request::ShowTree now = ui.view.tree;
    const request::ShowTree wanted = ramped(now, ramp, seconds_);
    if (!now.show || now.first_level != wanted.first_level || now.last_level != wanted.last_level)
      set_tree(wanted, ui.tree, ui);
    return;
  }
  if (state().timeline.rewound) return;
  const bool is_due = seconds_ >= ramp.seconds || frame_->now >= ramp_set_at_ + kRampPeriod;
  const Params params = ramped(state().params, ramp, seconds_);
  if (!is_due || params == state().params) return;
  ramp_set_at_ = frame_->now;
  set_params(params, *frame_, ui);
}

// ---- what the slide shows

void WindowStage::begin(const Slide& slide) {
  seconds_ = 0;
  set_look(slide);
  if (slide.ramp && slide.compare.empty()) ramp(*slide.ramp);
  if (slide.plot == kCostCard && (slide.compare.empty() || compares()))
    window_.ui.requests.push_back(request::MeasureSweep{{state().config.solver}});
}

void WindowStage::set_look(const Slide& slide) {
  UiState& ui = window_.ui;
  ui.stars.highlight = slide.highlight;
  if (slide.follow.what != Follow::What::nothing) ui.view.follow = slide.follow;
  ui.drawer.focused = slide.plot;
  ui.drawer.open = !slide.plot.empty();
  if (!slide.probe || state().timeline.rewound) return;
  const auto checkpoint = window_.simulation.checkpoint();
  const auto star = checkpoint ? star_to_probe(checkpoint->bodies) : std::nullopt;
  if (star) set_probe(star, ui.stars, ui);
}

Look WindowStage::look() const {
  return {window_.ui.view, window_.view.camera().pose(), wanted_pace(window_.ui)};
}

void WindowStage::look_again(const Slide& slide, const Look& look) {
  UiState& ui = window_.ui;
  const Theme theme = ui.view.theme;
  set_view(look.view, ui);
  ui.view.theme = theme;
  window_.view.camera().set_pose(look.pose);
  window_.view.invalidate();
  if (look.pace != wanted_pace(ui)) set_pace(look.pace, *frame_, ui);
  set_look(slide);
}

// ---- backwards

bool WindowStage::has(const Moment& moment) const {
  if (moment.run != run_) return std::ranges::find(state().parked, moment.run) != state().parked.end();
  const auto& timeline = state().timeline;
  return moment.position >= timeline.first && (timeline.off_because.empty() || moment.position >= timeline.last);
}

void WindowStage::go_to(const Moment& moment, bool live) {
  RequestQueue& requests = window_.ui.requests;
  window_.comparison.stop();
  if (moment.run == run_) {
    requests.push_back(request::Seek{moment.position});
  } else {
    requests.push_back(request::ParkRun{run_});
    requests.push_back(request::RestoreRun{moment.run, moment.position});
    run_ = moment.run;
  }
  if (live) requests.push_back(request::ContinueFromHere{});
  wait([moment, live](const SessionState& now) {
    const bool is_shown = now.timeline.is_playback || std::floor(now.timeline.shown) == std::floor(moment.position);
    return is_paused(now) && is_shown && !(live && now.timeline.rewound);
  });
}

}  // namespace pericenter::app
