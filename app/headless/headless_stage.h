#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/base/signals.h"
#include "app/lessons/claim_quantities.h"
#include "app/lessons/lesson_player.h"

namespace pericenter::app {

/// Steps per second of the wall clock that a lesson without a window assumes for slides that state steps per frame: a
/// ramp of 8 s takes 240 steps. A fixed number, so that all machines measure the same.
inline constexpr double kLessonStepsPerSecond = 30;

/// Where and how far lessons run.
struct LessonMachine {
  Config config;                    ///< only backend, device and threads are used
  bool quick = false;               ///< fewer bodies and steps where no claim depends on them
  bool records_energy = false;      ///< records the energy for plots
  std::uint64_t max_steps = 20000;  ///< limit for one slide
};

/// Runs the slides of a lesson one after the other without a window. A slide compares A, the run of the lesson, with B.
/// Errors are LessonErrors, which name file, line and key; SceneCancelled after a signal.
class HeadlessStage : public LessonStage {
 public:
  /// All three must outlive it.
  HeadlessStage(const Lesson& lesson, const LessonMachine& machine, StopSignals& stop);

  /// Goes to the next slide, until its question.
  void enter(const Slide& slide);
  /// Takes its steps, until its end or a signal. A slide without an end takes those of its ramp. Throws LessonError if
  /// the end is not reached in LessonMachine::max_steps. `progress` gets the share that is done.
  void finish(const std::function<void(double share)>& progress = {});

  const LessonState& lesson() const { return state_; }
  LessonSimulation& a() const { return *a_; }
  /// Null without a comparison.
  LessonSimulation* b() const { return b_.get(); }
  LessonRuns runs() const { return {*a_, b_.get()}; }
  /// What the last enter() did otherwise than the lesson says, a sentence; empty: nothing.
  const std::string& note() const { return note_; }

 private:
  const SessionState& state() const override { return shown().session().state(); }
  const SessionState& timed() const override { return a_->session().state(); }
  bool compares() const override { return b_ != nullptr; }
  double seconds() const override { return seconds_ + 1e-9; }  // a sum, which rounding may leave below its end
  void report(const char* key, const std::string& problem) override;
  void load(const Slide& slide) override;
  void set(const SlideSettings& settings, bool live) override;
  void compare(const Slide& slide) override;
  void end_comparison() override { b_.reset(); }
  void play(const Slide& slide) override;
  /// At the next step.
  void ramp(const Ramp&) override { ramp_seconds_ = seconds(); }
  Moment moment() const override { return {.run = 1}; }

  const Slide& slide() const { return state_.current(); }
  LessonSimulation& shown() const { return b_ ? *b_ : *a_; }
  bool is_shortened() const;
  std::size_t bodies_for(const Slide& slide, const SceneOptions& options);
  void step();
  /// Runs `work`; its errors become a LessonError of this key of the slide.
  template <class Work>
  void guarded(const char* key, const Work& work);

  const Lesson& lesson_;
  const LessonMachine& machine_;
  StopSignals& stop_;
  LessonState state_;
  LessonPlayer player_{*this, state_};
  std::unique_ptr<LessonSimulation> a_, b_;
  std::uint64_t steps_ = 0;             ///< steps since play()
  double seconds_ = 0;                  ///< that they take in a window
  std::optional<double> ramp_seconds_;  ///< seconds of the ramp at the next step
  std::string note_;
};

/// The slides that run with the scene of `slide`, which is one of them.
std::span<const Slide> slides_of_scene(const Lesson& lesson, const Slide& slide);

}  // namespace pericenter::app
