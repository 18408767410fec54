#include "app/ui/encounter_design.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "sim/scenes/model/orbit.h"

namespace pericenter::app {

EncounterTrial::~EncounterTrial() {
  if (cancelled_) *cancelled_ = true;
}

void EncounterTrial::want(const SceneInfo& scene, const SceneRequest& request) {
  take();
  const bool same = !wrong_ && scene_ == scene.name && wanted_.encounter == request.encounter &&
                    wanted_.dimension == request.dimension && wanted_.softening == request.softening;
  if (same) return;
  if (scene_ != scene.name || wanted_.dimension != request.dimension) result_.reset();
  scene_ = scene.name;
  rest();
  if (running()) return;
  wanted_ = request;
  wrong_ = false;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  wanted_.progress = [cancelled = cancelled_](double) { return !*cancelled; };
  future_ = std::async(std::launch::async, forecast, std::cref(scene), wanted_);
}

void EncounterTrial::rest() {
  take();
  if (!running()) return;
  // Its end is awaited over the next frames, not here.
  *cancelled_ = true;
  wrong_ = true;
}

void EncounterTrial::take() {
  if (!running() || future_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  try {
    EncounterForecast found = future_.get();
    if (wrong_) return;
    result_ = std::move(found);
    tried_ = *wanted_.encounter;
  } catch (const SceneCancelled&) {
  } catch (const std::exception&) {
    // There is only less to see; making the scene will say what is wrong.
  }
}

bool EncounterTrial::is_of(const Encounter& encounter) const {
  return result_ && tried_.orbit == encounter.orbit && tried_.speed_factor == encounter.speed_factor &&
         tried_.mass_ratio == encounter.mass_ratio;
}

Encounter EncounterDesign::draft() const {
  Encounter result = wish;
  EncounterOrbit& orbit = result.orbit;
  orbit.separation = std::clamp(orbit.separation, orbit.pericenter, std::max(orbit.pericenter, apocenter(orbit)));
  return result;
}

const SceneInfo* encounter_scene(const SessionState& state) {
  const SceneInfo* info = state.file.empty() ? find_scene(state.scene) : nullptr;
  return info && info->encounter ? info : nullptr;
}

void follow(const SessionState& state, EncounterDesign& design) {
  const SceneInfo* info = encounter_scene(state);
  if (!info) {
    design.scene.clear();
    return design.trial.rest();
  }
  const Encounter live = state.scene_request.encounter.value_or(*info->encounter);
  if (design.scene != info->name || design.live != live) {
    design.scene = info->name;
    design.live = design.wish = live;
  }
  if (!design.open) return design.trial.rest();
  SceneRequest request = state.scene_request;
  request.dimension = state.config.dimension;
  request.encounter = design.draft();
  design.trial.want(*info, request);
}

}  // namespace pericenter::app
