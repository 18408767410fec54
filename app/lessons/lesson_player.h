#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/slide_run.h"
#include "app/view/view_settings.h"
#include "render/camera.h"
#include "sim/session/pace.h"

namespace pericenter::app {

/// The lesson that is presented. LessonPlayer changes it; overlay and panels show it.
struct LessonState {
  /// title: the title card, before the first slide. question: waits for the prediction. running: until the end of the
  /// slide. ended: paused at its end, the explanation is shown.
  enum class Phase { loading, title, question, running, ended };

  std::shared_ptr<const Lesson> lesson;  ///< null: none
  std::size_t slide = 0;
  Phase phase = Phase::loading;
  std::optional<std::size_t> predicted;  ///< choice of the class
  Wording wording = Wording::pupils;
  bool shows_note = false, blank = false;
  /// The run continues faster than at its own pace to the end of the slide, because "next" was pressed.
  bool hurries = false;
  bool skipped = false;                 ///< the run was ended before the end of the slide, which the answer is about
  std::optional<std::size_t> leads_to;  ///< slide at which the lesson continues; those on the way run without questions
  std::optional<double> share;          ///< part of the run that is done, 0 to 1; nullopt: unknown
  std::string warning;                  ///< fewer bodies than the lesson asks for; empty: none

  bool on() const { return lesson != nullptr; }
  const Slide& current() const { return lesson->slides[slide]; }
  /// Play and Step are disabled, and numbers that give the answer away are hidden.
  bool waits_for_prediction() const { return on() && phase == Phase::question; }
};

/// A moment of a run.
struct Moment {
  std::uint64_t run = 0;  ///< key of the run; 0: none
  double position = 0;    ///< position on its timeline
};

/// How the class sees a run.
struct Look {
  ViewSettings view = {};
  render::CameraPose pose = {};
  Pace pace = {};
};

/// Where LessonPlayer plays a lesson: the window, or runs without a window. What a function starts may take a while;
/// until then ready() is false. The functions with a body are only needed where a lesson is shown.
class LessonStage {
 public:
  virtual ~LessonStage() = default;

  virtual bool ready() const { return true; }
  /// The run that the class sees: B in a comparison.
  virtual const SessionState& state() const = 0;
  /// The run whose time and events end a slide: of two that are compared, the one that began first.
  virtual const SessionState& timed() const { return state(); }
  virtual bool compares() const = 0;
  /// Wall-clock seconds since play(), without pauses.
  virtual double seconds() const = 0;
  /// A mistake in the value of this key of the slide.
  virtual void report(const char* key, const std::string& problem) = 0;

  /// Loads the bodies of the slide, paused.
  virtual void load(const Slide& slide) = 0;
  /// Changes the settings of state(). `live`: a recorded moment becomes the present one, with its forces.
  virtual void set(const SlideSettings& settings, bool live) = 0;
  /// Adds B; the run becomes A.
  virtual void compare(const Slide& slide) = 0;
  /// A continues alone, paused.
  virtual void end_comparison() = 0;
  virtual void play(const Slide& slide) = 0;
  virtual void pause() {}
  /// Runs faster, or at the pace of before.
  virtual void hurry(bool) {}
  /// Pauses, and ends what only the slide shows.
  virtual void leave_slide() {}
  /// Sets the value for seconds().
  virtual void ramp(const Ramp& ramp) = 0;

  /// Shows the slide at its start.
  virtual void begin(const Slide&) {}
  virtual Look look() const { return {}; }
  /// Shows the slide as it was left.
  virtual void look_again(const Slide&, const Look&) {}

  virtual Moment moment() const = 0;
  /// Whether it is still in memory.
  virtual bool has(const Moment&) const { return false; }
  virtual void go_to(const Moment&, bool /*live*/) {}
};

/// Plays the slides of a lesson on a stage: scene or settings, comparison, prediction, run until the end, and back to
/// slides that were shown. Window and check-lessons have this in common. What it shows is in LessonState.
class LessonPlayer {
 public:
  /// Both must outlive it.
  LessonPlayer(LessonStage& stage, LessonState& lesson) : stage_(stage), lesson_(lesson) {}

  /// Takes another lesson. With a title, its first slide waits behind the title card for next().
  void open(std::shared_ptr<const Lesson> lesson, bool shows_title);
  void close();

  /// Calls `step` when the stage is ready, after the steps that wait already.
  void then(std::function<void()> step) { steps_.push_back(std::move(step)); }
  bool waiting() const { return !steps_.empty(); }
  /// Once per frame or step.
  void update();

  /// Goes to a slide, from the one before or with a scene of its own, until its question, or until it runs.
  void enter(std::size_t slide);
  /// Goes to a slide of a lesson that was left: the slides that lead there run fast, without their questions.
  void continue_at(std::size_t slide);
  /// Starts a slide again, from where it began.
  void enter_again(std::size_t slide);
  /// Shows a slide as it was left, paused at its last moment. One with a comparison, or whose run is no longer in
  /// memory, begins again.
  void show_again(std::size_t slide);
  /// Leaves the title card, starts the run of a slide with a question, or continues a run faster to its end, so that
  /// neither the explanation nor the next slide is shown with another moment. A second call during that run ends it
  /// early. False if the next slide is due.
  bool next();
  bool shows_title() const { return shows_title_; }
  /// Starts the run of the slide.
  void run();
  void end();

 private:
  using Phase = LessonState::Phase;
  /// A slide that was shown.
  struct Visit {
    Moment begin, end;       ///< moments at its begin, and when it was left
    SlideSettings settings;  ///< settings before its `set` and its ramp
    Look look;               ///< look when it was left
    std::optional<std::size_t> predicted;
  };

  void turn_to(std::size_t slide);
  void load();
  void continue_run();
  void change_settings();
  void begin();
  void ready();
  void pass();
  void hurry(bool on);
  void reach_end();
  bool needs_simulation() const;
  SlideSettings settings_before_change() const;
  const Slide& slide() const { return lesson_.current(); }
  Visit& visit() { return visits_[lesson_.slide]; }

  LessonStage& stage_;
  LessonState& lesson_;
  std::vector<Visit> visits_;  ///< one per slide
  std::deque<std::function<void()>> steps_;
  bool shows_title_ = false;
  double start_time_ = 0;  ///< simulation time at which the run of the slide began
};

}  // namespace pericenter::app
