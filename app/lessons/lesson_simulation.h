#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "app/base/signals.h"
#include "app/lessons/lesson.h"
#include "app/settings/options.h"
#include "sim/analysis/structure.h"
#include "sim/session/session.h"

namespace pericenter::app {

/// The vector from the nucleus of the first galaxy to that of the second.
struct NucleiOffset {
  double time = 0;
  Vec3 offset;
};

/// One of the two simulations of a lesson.
class LessonSimulation {
 public:
  struct Recording {
    bool energy = false;  ///< records the energy every tenth step
    bool nuclei = false;  ///< records nuclei() after each step
  };
  /// Throws SceneCancelled when a signal arrives while the scene is created, std::invalid_argument, std::bad_alloc,
  /// DeviceMemoryError. `stop` must outlive it.
  LessonSimulation(const SceneOptions& options, std::size_t bodies, const Recording& recording, StopSignals& stop);
  /// Continues a copy of another one with other settings.
  LessonSimulation(const LessonSimulation& from, const request::ContinueCopy& copy);

  const SceneOptions& options() const { return options_; }
  Session& session() { return session_; }
  Simulation& simulation() const { return *session_.simulation(); }
  /// After each step, if they are recorded and there are two galaxies.
  const std::vector<NucleiOffset>& nuclei() const { return nuclei_; }

  /// Position of the record at which the slide began.
  double slide_position() const { return slide_position_; }
  /// The stars in tails when the slide began, if it runs backwards: on the way they leave the tails. Else empty.
  const std::vector<std::size_t>& first_tail_stars() const { return first_tail_stars_; }
  /// Those that the slide highlights.
  const std::vector<std::size_t>& highlighted() const { return highlighted_; }
  void begin_slide(const Slide& slide);

  void step();
  /// Throws std::invalid_argument with the message of a request that was refused.
  void apply(const Request& request);

 private:
  SessionOptions session_options();
  void note_nuclei();

  SceneOptions options_;
  Recording recording_;
  StopSignals& stop_;
  Session session_;
  double slide_position_ = 0;
  std::vector<std::size_t> first_tail_stars_, highlighted_;
  std::unique_ptr<StructureMeter> meter_;
  std::vector<NucleiOffset> nuclei_;
};

}  // namespace pericenter::app
