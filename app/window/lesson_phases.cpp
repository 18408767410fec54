// The phases of a slide, and what happens to it in every frame.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/ui/send_requests.h"
#include "app/window/lesson_controller.h"

namespace pericenter::app {
namespace {

constexpr int kFramesOfARequest = 2;  ///< frames until the state may show what a request has changed
constexpr double kRampPeriod = 0.05;  ///< seconds between two changes

}  // namespace

/// A slide has begun: it waits for the prediction, or runs.
void LessonController::ready(const UiFrame& frame) {
  LessonState& lesson = window_.ui.lesson;
  if (shows_title_) {
    lesson.phase = Phase::title;
  } else if (!slide().question.empty()) {
    lesson.phase = Phase::question;
  } else {
    run(frame);
  }
}

void LessonController::run(const UiFrame& frame) {
  UiState& ui = window_.ui;
  ui.lesson.phase = Phase::running;
  seconds_ = 0;
  start_ = {frame.simulation.time};
  if (slide().action == SlideAction::undo) set_params(params_before_change(), frame, ui);
  if (slide().action == SlideAction::run_backwards) {
    ui.requests.push_back(request::RunBackwards{});
  } else {
    set_running(true, frame, ui);
  }
}

void LessonController::end(const UiFrame& frame) {
  set_running(false, frame, window_.ui);
  window_.ui.lesson.phase = Phase::ended;
}

void LessonController::next(const UiFrame& frame) {
  LessonState& lesson = window_.ui.lesson;
  lesson.blank = false;
  if (std::exchange(shows_title_, false)) {
    lesson.phase = Phase::loading;
    if (!waiting_) ready(frame);
    return;
  }
  if (waiting_) return;
  if (lesson.phase == Phase::question) return run(frame);
  if (lesson.phase == Phase::running && !slide().question.empty()) return end(frame);
  advance(frame);
}

/// To the next slide. After the last one a lesson is left, and a station starts again.
void LessonController::advance(const UiFrame& frame) {
  UiState& ui = window_.ui;
  if (ui.lesson.slide + 1 < ui.lesson.lesson->slides.size()) return enter(ui.lesson.slide + 1, frame);
  if (ui.presentation.station) return enter_again(0, frame);
  if (is_last_noted_) return leave(frame);
  is_last_noted_ = true;
  end(frame);
  set_notice("This was the last slide. → leaves the lesson.", false, frame.now, ui);
}

void LessonController::previous(const UiFrame& frame) {
  LessonState& lesson = window_.ui.lesson;
  lesson.blank = is_last_noted_ = false;
  if (waiting_ || shows_title_) return;
  if (lesson.slide == 0) return enter_again(0, frame);
  show_again(lesson.slide - 1, frame);
}

void LessonController::choose(std::size_t choice, const UiFrame& frame) {
  LessonState& lesson = window_.ui.lesson;
  if (!lesson.waits_for_prediction() || waiting_ || choice >= slide().choices.size()) return;
  lesson.blank = false;
  lesson.predicted = choice;
  run(frame);
}

// ---- every frame

bool LessonController::update(const UiFrame& frame, double last_input) {
  take_chosen(frame);
  finish_waiting(frame);
  const LessonState& lesson = window_.ui.lesson;
  if (lesson.on() && lesson.phase == Phase::running && !waiting_) follow_run(frame);
  if (window_.ui.presentation.station) return_when_idle(frame, last_input);
  last_now_ = frame.now;
  return waiting_ || (lesson.on() && lesson.phase == Phase::running);
}

void LessonController::follow_run(const UiFrame& frame) {
  const SessionState& state = frame.simulation;
  if (state.running) seconds_ += frame.now - last_now_;
  if (slide().ramp) set_ramp(frame);
  if (has_ended(slide().until, state, start_, seconds_)) end(frame);
}

/// Sets the value of the ramp for now. A recorded moment has the value of then.
void LessonController::set_ramp(const UiFrame& frame) {
  UiState& ui = window_.ui;
  const Ramp& ramp = *slide().ramp;
  if (ramp.setting == "tree-level") {
    request::ShowTree tree = ui.view.tree;
    tree.show = true;
    tree.first_level = tree.last_level = static_cast<int>(std::lround(ramped(ramp, seconds_)));
    const bool is_shown =
        ui.view.tree.show && ui.view.tree.first_level == tree.first_level && ui.view.tree.last_level == tree.last_level;
    if (!is_shown) set_tree(tree, ui);
    return;
  }
  if (frame.simulation.timeline.rewound) return;
  const bool is_due = seconds_ >= ramp.seconds || frame.now >= ramp_set_at_ + kRampPeriod;
  const Params params = ramped(frame.simulation.params, ramp, seconds_);
  if (!is_due || params == frame.simulation.params) return;
  ramp_set_at_ = frame.now;
  set_params(params, frame, ui);
}

void LessonController::return_when_idle(const UiFrame& frame, double last_input) {
  UiState& ui = window_.ui;
  if (frame.now < std::max(last_input, returned_at_) + kIdleSeconds || waiting_) return;
  returned_at_ = frame.now;
  if (ui.lesson.on()) {
    if (ui.lesson.slide != 0 || ui.lesson.phase != Phase::question) enter_again(0, frame);
    return;
  }
  ui.requests.push_back(request::Reset{});
  set_running(true, frame, ui);
}

void LessonController::wait(const SessionState& state, Condition done, Next then, Next otherwise) {
  if (!otherwise) otherwise = then;
  waiting_ = {std::move(done), std::move(then), std::move(otherwise), state.message_serial};
}

void LessonController::finish_waiting(const UiFrame& frame) {
  if (!waiting_ || ++waiting_->frames < kFramesOfARequest) return;
  const SessionState& state = frame.simulation;
  const bool done = waiting_->done(state);
  const bool failed = !state.busy && state.message_is_error && state.message_serial != waiting_->message;
  if (!done && !failed) return;
  const Waiting finished = *std::exchange(waiting_, std::nullopt);
  (done ? finished.then : finished.otherwise)(frame);
}

}  // namespace pericenter::app
