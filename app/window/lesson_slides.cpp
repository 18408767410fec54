// How the slides of a lesson begin: with a scene of their own, with the run of the slide before, or as they were left.
#include <algorithm>
#include <cmath>

#include "app/settings/command_line_error.h"
#include "app/settings/comparison_options.h"
#include "app/settings/scene_string.h"
#include "app/ui/cost_accuracy.h"
#include "app/ui/send_requests.h"
#include "app/window/lesson_controller.h"

namespace pericenter::app {
namespace {

constexpr std::uint64_t kUsualBodiesOfLessons = 20'000;  ///< bodies of a scene string without a number
constexpr std::string_view kCostCard = "cost";

bool is_paused(const SessionState& state) {
  return !state.running && !state.busy;
}

/// Whether this moment is shown.
bool shows(const SessionState& state, double position) {
  return state.timeline.is_playback || std::floor(state.timeline.shown) == std::floor(position);
}

/// The encounter of B, if the slide compares two.
std::optional<Encounter> other_encounter(const Slide& slide) {
  Options options = slide.options;
  options.compare = slide.compare;
  const Options other = compared_options(options);
  return other.encounter == slide.options.encounter ? std::nullopt : other.encounter;
}

/// Whether the slide begins with new bodies.
bool loads(const Slide& slide) {
  return !slide.continues() || other_encounter(slide);
}

/// Whether the slide needs forces, or changes the run, so that a recorded moment is not enough.
bool needs_simulation(const Slide& slide, const UiState& ui) {
  const bool shows_tree = ui.view.tree.show || (slide.ramp && slide.ramp->setting == "tree-level");
  return slide.probe || slide.ramp || shows_tree || !slide.compare.empty() || !slide.set.empty() ||
         slide.action != SlideAction::none;
}

}  // namespace

// ---- forwards

void LessonController::enter(std::size_t slide, const UiFrame& frame) {
  turn_to(slide, frame);
  if (loads(this->slide())) return load(frame);
  wait(frame.simulation, is_paused, [this](const UiFrame& now) { continue_run(now); });
}

/// Shows another slide, paused.
void LessonController::turn_to(std::size_t slide, const UiFrame& frame) {
  UiState& ui = window_.ui;
  note_left(frame);
  ui.lesson.slide = slide;
  ui.lesson.phase = shows_title_ ? Phase::title : Phase::loading;
  ui.lesson.predicted.reset();
  ui.lesson.shows_note = ui.lesson.blank = is_last_noted_ = false;
  set_running(false, frame, ui);
  if (ui.stars.probed) set_probe(std::nullopt, ui);
}

void LessonController::note_left(const UiFrame& frame) {
  const UiState& ui = window_.ui;
  const bool has_begun = !waiting_ && visit().run != 0;
  if (!has_begun) return;
  visit().end = frame.simulation.timeline.shown;
  visit().view = ui.view;
  visit().pose = window_.view.camera().pose();
  visit().steps_per_frame = ui.edited.steps_per_frame.value();
  visit().predicted = ui.lesson.predicted;
}

void LessonController::load(const UiFrame& frame) {
  UiState& ui = window_.ui;
  window_.comparison.stop();
  const Next fail = [this](const UiFrame& now) { leave(now); };
  try {
    const Options options = options_to_load(frame.simulation, frame.cuda_missing);
    ui.requests.push_back(request::ParkRun{run_});
    run_ = ++last_run_;
    window_.scenes.load(options, true);
    const auto loaded = [this, options, before = frame.simulation.scene_serial](const SessionState& state) {
      return state.scene_serial != before && !state.busy && !window_.scenes.loading() &&
             state.params == with_options(state.suggested, options);
    };
    wait(
        frame.simulation, loaded, [this](const UiFrame& now) { begin(now); }, fail);
  } catch (const CommandLineError& error) {
    report_error("The scene of this slide cannot be loaded: " + std::string(error.what()), frame.now, ui);
    leave(frame);
  }
}

/// The scene of the slide on this machine; of a comparison of encounters that of B.
Options LessonController::options_to_load(const SessionState& state, std::string_view cuda_missing) {
  const UiState& ui = window_.ui;
  SessionState now = state;
  if (state.scene_serial == 0) now.config = machine_.config();
  Options options = pasted_scene(
      scene_string(slide().options),
      {now, kUsualBodiesOfLessons, cuda_missing, limits_.empty() ? kUsualBodiesOfLessons : limits_[ui.lesson.slide]});
  options.view.theme = ui.view.theme;
  encounter_.reset();
  if (const auto other = other_encounter(slide())) {
    encounter_ = options.encounter.value_or(*find_scene(options.scene)->encounter);
    options.encounter = other;
  }
  return options;
}

/// The run that is shown continues, paused.
void LessonController::continue_run(const UiFrame& frame) {
  const bool compares = window_.comparison.active();
  const std::size_t number = window_.ui.lesson.slide;
  const bool keeps =
      number > 0 && !slide().compare.empty() && slide().compare == window_.ui.lesson.lesson->slides[number - 1].compare;
  if (!compares || keeps) return change_settings(frame);
  end_comparison(frame);
}

/// The run of the lesson, A, continues alone.
void LessonController::end_comparison(const UiFrame& frame) {
  const bool is_copied = window_.comparison.reference() != nullptr;
  window_.comparison.continue_with_a();
  const auto ended = [this, is_copied, before = frame.simulation.scene_serial](const SessionState& state) {
    return is_paused(state) && !window_.comparison.active() && (!is_copied || state.scene_serial != before);
  };
  const auto pose = window_.view.camera().pose();
  const Follow follow = window_.ui.view.follow;
  wait(frame.simulation, ended, [this, pose, follow](const UiFrame& now) {
    window_.view.camera().set_pose(pose);
    window_.ui.view.follow = follow;
    change_settings(now);
  });
}

void LessonController::change_settings(const UiFrame& frame) {
  UiState& ui = window_.ui;
  const SessionState& state = frame.simulation;
  SlideSettings wanted{state.config, state.params};
  visit().params = state.params;
  try {
    if (!slide().set.empty()) wanted = changed_settings(state, slide().set);
  } catch (const CommandLineError& error) {
    report_error("The settings of this slide cannot be used: " + std::string(error.what()), frame.now, ui);
  }
  // After a way back that was left early.
  if (slide().action != SlideAction::run_backwards) wanted.params.dt = std::abs(wanted.params.dt);
  if (state.timeline.rewound && needs_simulation(slide(), ui)) ui.requests.push_back(request::ContinueFromHere{});
  if (wanted.config != state.config) set_config(wanted.config, frame, ui);
  if (wanted.params != state.params) set_params(wanted.params, frame, ui);
  const bool continues = needs_simulation(slide(), ui);
  const auto is_set = [wanted, continues](const SessionState& now) {
    return !now.busy && SlideSettings{now.config, now.params} == wanted && !(continues && now.timeline.rewound);
  };
  wait(state, is_set, [this](const UiFrame& now) { begin(now); });
}

/// The bodies and the settings are those of the slide.
void LessonController::begin(const UiFrame& frame) {
  UiState& ui = window_.ui;
  visit().run = run_;
  visit().begin = visit().end = frame.simulation.timeline.shown;
  if (!slide().continues()) visit().params = frame.simulation.params;
  seconds_ = 0;
  set_look(frame);
  if (slide().ramp && slide().compare.empty()) set_ramp(frame);
  if (!slide().compare.empty() && !window_.comparison.active()) return compare(frame);
  if (slide().plot == kCostCard) ui.requests.push_back(request::MeasureSweep{{frame.simulation.config.solver}});
  ready(frame);
}

/// B is a run of its own: the run of the slide stays parked, so that the slides before it can be shown again.
void LessonController::compare(const UiFrame& frame) {
  UiState& ui = window_.ui;
  Options options = options_of(frame.simulation, ui.view, window_.view.camera());
  options.compare = slide().compare;
  if (encounter_) options.encounter = encounter_;
  ComparisonSetup setup = comparison_setup(frame.simulation, options);
  if (!encounter_) setup.a.encounter.reset();
  setup.b.encounter.reset();  // its scene is loaded
  ui.requests.push_back(request::ParkRun{run_});
  run_ = ++last_run_;
  window_.comparison.start(setup, frame);
  const auto compares = [this](const SessionState&) {
    return window_.ui.comparison.phase != ComparisonState::Phase::starting;
  };
  wait(frame.simulation, compares, [this](const UiFrame& now) { ready(now); });
}

// ---- what the slide shows

void LessonController::set_look(const UiFrame& frame) {
  UiState& ui = window_.ui;
  const std::string_view plot = slide().plot;
  ui.stars.highlight = slide().highlight;
  if (slide().follow.what != Follow::What::nothing) ui.view.follow = slide().follow;
  ui.drawer.focused = plot;
  ui.drawer.open = !plot.empty();
  const bool is_past = frame.simulation.timeline.rewound;
  if (slide().probe && !is_past) probe();
}

void LessonController::probe() {
  const auto checkpoint = window_.simulation.checkpoint();
  const auto star = checkpoint ? star_to_probe(checkpoint->bodies) : std::nullopt;
  if (star) set_probe(star, window_.ui);
}

// ---- backwards

/// The slide as it was left, paused at its last moment. One with a comparison, or whose run is no longer in memory,
/// begins again.
void LessonController::show_again(std::size_t number, const UiFrame& frame) {
  const Visit shown = visits_[number];
  const bool compares = !window_.ui.lesson.lesson->slides[number].compare.empty();
  if (shown.run == 0 || compares || is_lost(shown, shown.end, frame.simulation)) return enter_again(number, frame);
  UiState& ui = window_.ui;
  turn_to(number, frame);
  window_.comparison.stop();
  go_to_run(shown.run, shown.end);
  ui.lesson.predicted = shown.predicted;
  const bool is_live = slide().probe || shown.view.tree.show;
  if (is_live) ui.requests.push_back(request::ContinueFromHere{});
  const auto arrived = [end = shown.end, is_live](const SessionState& state) {
    return is_paused(state) && shows(state, end) && !(is_live && state.timeline.rewound);
  };
  const Next finish = [this](const UiFrame& now) {
    set_look_again(now);
    window_.ui.lesson.phase = Phase::ended;
  };
  wait(frame.simulation, arrived, finish, finish);
}

void LessonController::set_look_again(const UiFrame& frame) {
  UiState& ui = window_.ui;
  const Visit& shown = visit();
  const Theme theme = ui.view.theme;
  set_view(shown.view, ui);
  ui.view.theme = theme;
  window_.view.camera().set_pose(shown.pose);
  window_.view.invalidate();
  if (shown.steps_per_frame != ui.edited.steps_per_frame.value()) set_steps_per_frame(shown.steps_per_frame, frame, ui);
  set_look(frame);
}

void LessonController::enter_again(std::size_t number, const UiFrame& frame) {
  const Visit shown = visits_[number];
  turn_to(number, frame);
  if (loads(slide()) || shown.run == 0 || is_lost(shown, shown.begin, frame.simulation)) return load(frame);
  window_.comparison.stop();
  go_to_run(shown.run, shown.begin);
  const auto arrived = [begin = shown.begin](const SessionState& state) {
    return is_paused(state) && shows(state, begin);
  };
  wait(frame.simulation, arrived, [this](const UiFrame& now) { change_settings(now); });
}

/// Shows a moment of this run, which must not be lost.
void LessonController::go_to_run(std::uint64_t run, double position) {
  UiState& ui = window_.ui;
  if (run == run_) {
    ui.requests.push_back(request::Seek{position});
    return;
  }
  ui.requests.push_back(request::ParkRun{run_});
  ui.requests.push_back(request::RestoreRun{run, position});
  run_ = run;
}

bool LessonController::is_lost(const Visit& shown, double position, const SessionState& state) const {
  if (shown.run != run_) return std::ranges::find(state.parked, shown.run) == state.parked.end();
  return position < state.timeline.first || (!state.timeline.off_because.empty() && position < state.timeline.last);
}

/// Parameters of before the last slide that changed them.
Params LessonController::params_before_change() const {
  const std::vector<Slide>& slides = window_.ui.lesson.lesson->slides;
  for (std::size_t k = window_.ui.lesson.slide; k-- > 0;)
    if ((!slides[k].set.empty() || slides[k].ramp) && visits_[k].run != 0) return visits_[k].params;
  return window_.ui.edited.params.value();
}

}  // namespace pericenter::app
