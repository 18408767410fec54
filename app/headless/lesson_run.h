#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/base/signals.h"
#include "app/lessons/claim_quantities.h"
#include "app/lessons/lesson.h"
#include "app/lessons/slide_run.h"
#include "app/settings/options.h"
#include "sim/analysis/structure.h"
#include "sim/session/session.h"

namespace pericenter::app {

/// Steps per second of the wall clock that a lesson without a window assumes: a ramp of 8 s takes 240 steps. A fixed
/// number, so that all machines measure the same.
inline constexpr double kLessonStepsPerSecond = 30;

/// Where and how far lessons run.
struct LessonMachine {
  Config config;                    ///< only backend, device and threads are used
  bool quick = false;               ///< fewer bodies and steps where no claim depends on them
  bool records_energy = false;      ///< records the energy for plots
  std::uint64_t max_steps = 20000;  ///< limit for one slide
};

/// Runs the slides of a lesson one after the other without a window. A slide compares A, the run of the lesson, with B.
class LessonRun {
 public:
  /// All three must outlive it.
  LessonRun(const Lesson& lesson, const LessonMachine& machine, StopSignals& stop);

  /// Prepares the next slide as the window does before its question: scene or settings, comparison, action. Throws
  /// LessonError, which names file and line, SceneCancelled.
  void begin(const Slide& slide);
  /// Takes its steps, until its end or a signal. A slide without an end takes those of its ramp. Throws LessonError if
  /// the end is not reached in LessonMachine::max_steps. `progress` gets the steps taken, and those expected or 0.
  void finish(const std::function<void(std::uint64_t steps, std::uint64_t expected)>& progress);

  LessonSimulation& a() const { return *a_; }
  /// Null without a comparison.
  LessonSimulation* b() const { return b_.get(); }
  LessonRuns runs() const { return {*a_, b_.get()}; }
  /// The one that the window would control: B in a comparison.
  LessonSimulation& shown() const { return b_ ? *b_ : *a_; }
  /// What the last begin() did otherwise than the lesson says, a sentence; empty: nothing.
  const std::string& note() const { return note_; }

 private:
  void load(const Slide& slide);
  bool is_shortened(const Slide& slide) const;
  std::size_t bodies_for(const Slide& slide, const Options& options);
  void change(const std::string& settings);
  void compare(const Slide& slide);
  void act(SlideAction action);
  void step(const Slide& slide, double seconds);
  /// Runs `work`; its errors become a LessonError of this key of the slide.
  template <class Work>
  void guarded(const char* key, const Work& work);

  const Lesson& lesson_;
  const LessonMachine& machine_;
  StopSignals& stop_;
  const Slide* slide_ = nullptr;
  std::unique_ptr<LessonSimulation> a_, b_;
  SlideStart start_;
  std::string note_;
};

/// The slides that run with the scene of `slide`, which is one of them.
std::span<const Slide> slides_of_scene(const Lesson& lesson, const Slide& slide);
/// "FILE:LINE: KEY: " of a slide, as errors of lesson files begin.
std::string place_of(const Lesson& lesson, const Slide& slide, const std::string& key);

}  // namespace pericenter::app
