#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "sim/analysis/encounter_forecast.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// Computes encounter forecasts on a thread of its own, always for the latest request.
class ForecastTask {
 public:
  ForecastTask() = default;
  ~ForecastTask();
  ForecastTask(ForecastTask&&) = default;
  ForecastTask& operator=(ForecastTask&&) = delete;

  /// Once per frame. Starts a forecast if the request has changed, and cancels an outdated one.
  void update(const SceneInfo& scene, const SceneRequest& request);

  /// Once per frame while no forecast is needed.
  void cancel();

  /// The latest forecast; null before the first one of a scene.
  const EncounterForecast* result() const { return result_ ? &*result_ : nullptr; }
  /// Whether it applies to this encounter. The tilt of the discs is ignored: it hardly changes the trajectories.
  bool applies_to(const Encounter& encounter) const;
  bool running() const { return future_.valid(); }

 private:
  void poll();

  std::string scene_;
  SceneRequest request_;      ///< request of the latest task
  bool outdated_ = true;      ///< the latest task is not for the current request
  Encounter result_request_;  ///< encounter that the result belongs to
  std::optional<EncounterForecast> result_;
  std::future<EncounterForecast> future_;
  std::shared_ptr<std::atomic<bool>> cancelled_;  ///< cancels the running task
};

/// The encounter that is edited in the panel, before it becomes a scene.
struct EncounterDesign {
  bool open = false;     ///< the section of the panel was open in the last frame
  bool plotted = false;  ///< the forecast was visible in a plot in the last frame
  bool show = true;      ///< draw the encounter while the section is open
  Encounter edited;      ///< values of the controls, which may not describe a valid orbit
  std::string scene;
  Encounter live;  ///< encounter of the current scene
  ForecastTask forecast;

  /// `edited` with the separation clamped to the range of the orbit.
  Encounter draft() const;
  /// Whether the draft differs from the current scene.
  bool changed() const { return draft() != live; }
};

/// The current scene if it is an encounter that can be edited; else null.
const SceneInfo* encounter_scene(const SessionState& state);

/// Once per frame. A new scene resets the controls. While the section is open, the forecast follows the draft; while
/// only the plot is, it is that of the current scene.
void update(const SessionState& state, EncounterDesign& design);

/// "circle", "ellipse", "parabola" or "hyperbola".
const char* conic_name(double eccentricity);

/// Spin of a disc relative to the orbit: "prograde", "polar" or "retrograde".
const char* spin_name(double inclination_degrees);

/// A length as "16 kpc", or "4.5" if the scene has no physical units.
std::string distance_text(double length, const Units& units);

/// Distance and time of the closest approach: "16 kpc at 270 Myr".
std::string pericenter_text(const EncounterForecast& found, const Units& units);

}  // namespace pericenter::app
