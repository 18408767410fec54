#include "app/ui/encounter_design.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "app/base/format.h"
#include "sim/scenes/model/orbit.h"

namespace pericenter::app {

ForecastTask::~ForecastTask() {
  if (cancelled_) *cancelled_ = true;
}

void ForecastTask::update(const SceneInfo& scene, const SceneRequest& request) {
  poll();
  const bool same = !outdated_ && scene_ == scene.name && request_.encounter == request.encounter &&
                    request_.dimension == request.dimension && request_.softening == request.softening;
  if (same) return;
  if (scene_ != scene.name || request_.dimension != request.dimension) result_.reset();
  scene_ = scene.name;
  cancel();
  if (running()) return;
  request_ = request;
  outdated_ = false;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  request_.progress = [cancelled = cancelled_](double) { return !*cancelled; };
  future_ = std::async(std::launch::async, forecast, std::cref(scene), request_);
}

void ForecastTask::cancel() {
  poll();
  if (!running()) return;
  // poll() waits for its end in the next frames.
  *cancelled_ = true;
  outdated_ = true;
}

void ForecastTask::poll() {
  if (!running() || future_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    EncounterForecast found = future_.get();
    if (outdated_) return;
    result_ = std::move(found);
    result_request_ = *request_.encounter;
  } catch (const SceneCancelled&) {
  } catch (const std::exception&) {
    // Without a forecast less is drawn. Creating the scene reports the error.
  }
}

bool ForecastTask::applies_to(const Encounter& encounter) const {
  return result_ && result_request_.orbit == encounter.orbit &&
         result_request_.speed_factor == encounter.speed_factor && result_request_.mass_ratio == encounter.mass_ratio;
}

Encounter EncounterDesign::draft() const {
  Encounter result = edited;
  EncounterOrbit& orbit = result.orbit;
  orbit.separation = std::clamp(orbit.separation, orbit.pericenter, std::max(orbit.pericenter, apocenter(orbit)));
  return result;
}

const SceneInfo* encounter_scene(const SessionState& state) {
  const SceneInfo* info = state.file.empty() ? find_scene(state.scene) : nullptr;
  return info && info->encounter ? info : nullptr;
}

void update(const SessionState& state, EncounterDesign& design) {
  const SceneInfo* info = encounter_scene(state);
  if (!info) {
    design.scene.clear();
    return design.forecast.cancel();
  }
  const Encounter live = state.scene_request.encounter.value_or(*info->encounter);
  if (design.scene != info->name || design.live != live) {
    design.scene = info->name;
    design.live = design.edited = live;
  }
  if (!design.open && !design.plotted) return design.forecast.cancel();
  SceneRequest request = state.scene_request;
  request.dimension = state.config.dimension;
  request.encounter = design.open ? design.draft() : design.live;
  design.forecast.update(*info, request);
}

const char* conic_name(double eccentricity) {
  if (eccentricity == 0) return "circle";
  return eccentricity < 1 ? "ellipse" : eccentricity == 1 ? "parabola" : "hyperbola";
}

const char* spin_name(double inclination_degrees) {
  constexpr double kPolarRange = 15;  // degrees from the perpendicular
  if (inclination_degrees < 90 - kPolarRange) return "prograde";
  return inclination_degrees > 90 + kPolarRange ? "retrograde" : "polar";
}

std::string distance_text(double length, const Units& units) {
  const double shown = units.length_kpc > 0 ? length * units.length_kpc : length;
  return (std::abs(shown) < 9.95 ? text("%.1f", shown) : whole_number_text(shown)) +
         (units.length_kpc > 0 ? " kpc" : "");
}

std::string pericenter_text(const EncounterForecast& found, const Units& units) {
  return distance_text(found.distance, units) + " at " + round_time_text(found.pericenter_time, units);
}

}  // namespace pericenter::app
