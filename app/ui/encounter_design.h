#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "sim/analysis/encounter_forecast.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Tries encounters out on a thread of its own, always the one that was wanted last.
class EncounterTrial {
 public:
  EncounterTrial() = default;
  ~EncounterTrial();
  EncounterTrial(EncounterTrial&&) = default;
  EncounterTrial& operator=(EncounterTrial&&) = delete;

  /// Once a frame, with what is wanted now; what is not wanted any more is cancelled.
  void want(const SceneInfo& scene, const SceneRequest& request);

  /// Once a frame while nothing is wanted.
  void rest();

  /// The newest that came; null before the first of a scene.
  const EncounterForecast* result() const { return result_ ? &*result_ : nullptr; }
  /// Whether it is of galaxies that take the same way; the tilt of their discs hardly changes that.
  bool is_of(const Encounter& encounter) const;
  bool running() const { return future_.valid(); }

 private:
  void take();

  std::string scene_;
  SceneRequest wanted_;  ///< of the newest trial
  bool wrong_ = true;    ///< the newest trial is not of what is wanted
  Encounter tried_;      ///< that the result is of
  std::optional<EncounterForecast> result_;
  std::future<EncounterForecast> future_;
  std::shared_ptr<std::atomic<bool>> cancelled_;  ///< of the one that runs
};

/// The encounter that the panel edits, until it becomes a scene.
struct EncounterDesign {
  bool open = false;  ///< its section was, in the last frame
  bool show = true;   ///< its drawing, while the section is open
  Encounter wish;     ///< as the controls were left, even if no orbit is like that
  std::string scene;
  Encounter live;  ///< that runs
  EncounterTrial trial;

  /// The nearest to the wish that has an orbit: its separation is one that the orbit has.
  Encounter draft() const;
  /// Whether another one runs than is drafted.
  bool changed() const { return draft() != live; }
};

/// The scene that runs, if it is an encounter that can be designed.
const SceneInfo* encounter_scene(const SessionState& state);

/// Once a frame: another encounter that runs becomes the wish, and while the section is open the draft is tried out.
void follow(const SessionState& state, EncounterDesign& design);

}  // namespace pericenter::app
