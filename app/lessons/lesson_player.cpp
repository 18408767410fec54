#include "app/lessons/lesson_player.h"

#include <cmath>
#include <utility>

#include "app/settings/command_line_error.h"

namespace pericenter::app {

void LessonPlayer::open(std::shared_ptr<const Lesson> lesson, bool shows_title) {
  close();
  lesson_.lesson = std::move(lesson);
  lesson_.phase = shows_title ? Phase::title : Phase::loading;
  visits_.assign(lesson_.lesson->slides.size(), {});
  shows_title_ = shows_title;
}

/// The wording stays as the teacher has chosen it.
void LessonPlayer::close() {
  if (lesson_.on()) hurry(false);
  const Wording wording = lesson_.wording;
  lesson_ = {};
  lesson_.wording = wording;
  steps_.clear();
}

void LessonPlayer::update() {
  while (!steps_.empty() && stage_.ready()) {
    const auto step = std::move(steps_.front());
    steps_.pop_front();
    step();
  }
  if (!lesson_.on() || lesson_.phase != Phase::running || waiting() || !stage_.ready()) return;
  if (slide().ramp) stage_.ramp(*slide().ramp);
  lesson_.share = share_done(slide().until, stage_.timed(), start_time_);
  if (has_ended(slide().until, stage_.timed(), start_time_, stage_.seconds())) reach_end();
}

// ---- forwards

void LessonPlayer::enter(std::size_t slide) {
  turn_to(slide);
  if (begins_anew(this->slide())) return load();
  then([this] { continue_run(); });
  update();
}

void LessonPlayer::continue_at(std::size_t slide) {
  lesson_.leads_to = slide;
  while (slide > 0 && !begins_anew(lesson_.lesson->slides[slide])) --slide;
  enter(slide);
}

/// Shows another slide, paused.
void LessonPlayer::turn_to(std::size_t slide) {
  hurry(false);
  if (!waiting() && visit().begin.run != 0) {
    visit().end = stage_.moment();
    visit().look = stage_.look();
    visit().predicted = lesson_.predicted;
  }
  steps_.clear();
  lesson_.slide = slide;
  lesson_.phase = shows_title_ ? Phase::title : Phase::loading;
  lesson_.predicted.reset();
  lesson_.shows_note = lesson_.blank = lesson_.skipped = false;
  stage_.leave_slide();
}

void LessonPlayer::load() {
  then([this] { begin(); });
  stage_.load(slide());
  update();
}

/// The run that is shown continues, paused.
void LessonPlayer::continue_run() {
  const std::size_t number = lesson_.slide;
  const std::string& compare = slide().compare;
  const bool keeps = number > 0 && !compare.empty() && compare == lesson_.lesson->slides[number - 1].compare;
  if (stage_.compares() && !keeps) stage_.end_comparison();
  then([this] { change_settings(); });
}

void LessonPlayer::change_settings() {
  const SessionState& state = stage_.state();
  SlideSettings wanted{state.config, state.params};
  visit().settings = wanted;
  try {
    if (!slide().set.empty()) wanted = changed_settings(state, slide().set);
  } catch (const CommandLineError& error) {
    stage_.report("set", error.what());
  }
  // After a way back that was left early.
  if (slide().action != SlideAction::run_backwards) wanted.params.dt = std::abs(wanted.params.dt);
  stage_.set(wanted, needs_simulation());
  then([this] { begin(); });
}

/// Whether the slide needs forces, or changes the run, so that a recorded moment is not enough.
bool LessonPlayer::needs_simulation() const {
  const Slide& one = slide();
  const bool shows_tree = stage_.look().view.tree.show || (one.ramp && one.ramp->setting == "tree-level");
  return one.probe || one.ramp || shows_tree || !one.compare.empty() || !one.set.empty() ||
         one.action != SlideAction::none;
}

/// The bodies and the settings are those of the slide.
void LessonPlayer::begin() {
  visit().begin = visit().end = stage_.moment();
  if (!slide().continues()) visit().settings = {stage_.state().config, stage_.state().params};
  stage_.begin(slide());
  if (!slide().compare.empty() && !stage_.compares()) stage_.compare(slide());
  then([this] { ready(); });
}

/// The slide waits for the prediction, or runs.
void LessonPlayer::ready() {
  if (lesson_.slide >= lesson_.leads_to.value_or(0)) lesson_.leads_to.reset();
  if (lesson_.leads_to) {
    pass();
  } else if (shows_title_) {
    lesson_.phase = Phase::title;
  } else if (!slide().question.empty()) {
    lesson_.phase = Phase::question;
  } else {
    run();
  }
}

/// A slide without an end of its own has nothing to wait for; one that lasts some seconds takes them.
void LessonPlayer::pass() {
  run();
  if (ends_at_a_moment(slide().until)) return hurry(true);
  if (!std::holds_alternative<UntilSeconds>(slide().until)) reach_end();
}

void LessonPlayer::run() {
  lesson_.phase = Phase::running;
  start_time_ = stage_.state().time;
  if (slide().action == SlideAction::undo) stage_.set(settings_before_change(), true);
  stage_.play(slide());
}

/// Settings before the last slide that changed them.
SlideSettings LessonPlayer::settings_before_change() const {
  const std::vector<Slide>& slides = lesson_.lesson->slides;
  for (std::size_t k = lesson_.slide; k-- > 0;)
    if ((!slides[k].set.empty() || slides[k].ramp) && visits_[k].begin.run != 0) return visits_[k].settings;
  return {stage_.state().config, stage_.state().params};
}

/// A run that hurries leads to the next slide, unless this one has something to say.
void LessonPlayer::reach_end() {
  const bool has_next = lesson_.slide + 1 < lesson_.lesson->slides.size();
  const bool says_nothing = slide().question.empty() && slide().explanation.empty();
  const bool goes_on = lesson_.leads_to || (lesson_.hurries && has_next && says_nothing);
  end();
  if (goes_on) enter(lesson_.slide + 1);
}

void LessonPlayer::hurry(bool on) {
  if (std::exchange(lesson_.hurries, on) != on) stage_.hurry(on);
}

void LessonPlayer::end() {
  hurry(false);
  stage_.pause();
  lesson_.phase = Phase::ended;
}

bool LessonPlayer::next() {
  lesson_.blank = false;
  if (std::exchange(shows_title_, false)) {
    lesson_.phase = Phase::loading;
    if (!waiting()) ready();
    return true;
  }
  if (waiting() || lesson_.leads_to) return true;
  if (lesson_.phase == Phase::question) return run(), true;
  if (lesson_.phase != Phase::running) return false;
  if (!lesson_.hurries && ends_at_a_moment(slide().until)) return hurry(true), true;
  if (slide().question.empty()) return false;
  lesson_.skipped = true;
  return end(), true;
}

// ---- backwards

void LessonPlayer::enter_again(std::size_t slide) {
  lesson_.leads_to.reset();
  turn_to(slide);
  const Moment begin = visit().begin;
  if (begins_anew(this->slide()) || begin.run == 0 || !stage_.has(begin)) return load();
  stage_.go_to(begin, false);
  then([this] { change_settings(); });
}

void LessonPlayer::show_again(std::size_t slide) {
  const Visit& shown = visits_[slide];
  const Slide& one = lesson_.lesson->slides[slide];
  if (shown.begin.run == 0 || !one.compare.empty() || !stage_.has(shown.end)) return enter_again(slide);
  lesson_.leads_to.reset();
  turn_to(slide);
  stage_.go_to(shown.end, one.probe || shown.look.view.tree.show);
  lesson_.predicted = shown.predicted;
  then([this] {
    stage_.look_again(this->slide(), visit().look);
    lesson_.phase = Phase::ended;
  });
}

}  // namespace pericenter::app
