#include "app/ui/scene_guide.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "app/base/format.h"
#include "app/ui/run_sentences.h"
#include "app/ui/ui_state.h"

namespace pericenter::app {
namespace {

constexpr double kTitleSeconds = 10, kTitleFadeSeconds = 1;  // duration of the title, while the scene runs
constexpr double kMaxFrameSeconds = 0.25;  // a longer frame, such as one in which a scene loads, counts less
constexpr double kLongPast = 2.5;          // times the key moment

bool has_merged(const SessionState& state) {
  return std::ranges::any_of(state.record->events, [&](const EncounterEvent& event) {
    return event.kind == EncounterEventKind::merger && event.time <= state.time;
  });
}

/// Runs forwards, and shows its newest moment.
bool is_live(const SessionState& state) {
  return state.scene_serial != 0 && !state.playback && !state.timeline.rewound && state.params.dt > 0;
}

/// The caption is about the start, that of the key moment about the time around it.
SceneCaption label_of_station(const SceneInfo& scene, const SessionState& state) {
  constexpr double kLasts = 1.2;  // times the key moment
  const double key = state.highlight_time > 0 ? state.highlight_time : std::numeric_limits<double>::infinity();
  const std::string_view sentence = state.time < key            ? scene.caption
                                    : state.time < kLasts * key ? scene.highlight_caption
                                                                : std::string_view();
  return {.heading = std::string(scene.title),
          .sentence = std::string(sentence),
          .keys = "Drag: turn  ·  Wheel: zoom  ·  →: next"};
}

SceneCaption title_of(const SceneInfo& scene, const UiState& ui) {
  const double left = kTitleSeconds + kTitleFadeSeconds - ui.captions.guide.ran;
  return {
      .heading = std::string(scene.title),
      .sentence = std::string(scene.caption),
      .keys = std::string("Space: ") + (ui.edited.running.value() ? "pause" : "play") + "  ·  →: next  ·  F6: lessons",
      .alpha = static_cast<float>(std::clamp(left / kTitleFadeSeconds, 0.0, 1.0))};
}

SceneCaption key_moment_of(const SceneInfo& scene, const SessionState& state) {
  return {.heading = "Paused at " + time_text(state.time, state.units),
          .sentence = std::string(scene.highlight_caption),
          .keys = "Space: continue  ·  →: next  ·  F6: lessons"};
}

}  // namespace

const SceneInfo* designed_scene(const SessionState& state) {
  const SceneInfo* scene = state.file.empty() ? find_scene(state.scene) : nullptr;
  if (!scene) return nullptr;
  const std::optional<Encounter>& encounter = state.scene_request.encounter;
  const bool as_designed = !encounter || (scene->encounter && *encounter == *scene->encounter);
  return as_designed ? scene : nullptr;
}

bool guides(const UiState& ui) {
  return !ui.lesson.on() && ui.comparison.phase == ComparisonState::Phase::off;
}

void update_guide(const UiFrame& frame, UiState& ui) {
  SceneGuide& guide = ui.captions.guide;
  if (guide.scene_serial != frame.simulation.scene_serial)
    guide = {.scene_serial = frame.simulation.scene_serial, .updated = frame.now};
  if (ui.edited.running.value()) {
    guide.ran += std::min(frame.now - guide.updated, kMaxFrameSeconds);
    guide.at_key_moment = false;
  }
  guide.updated = frame.now;
}

std::optional<SceneCaption> scene_caption(const UiFrame& frame, const UiState& ui) {
  const SessionState& state = frame.simulation;
  const SceneInfo* scene = designed_scene(state);
  if (!scene || !guides(ui) || !is_live(state)) return {};
  const SceneGuide& guide = ui.captions.guide;
  if (ui.presentation.station) return label_of_station(*scene, state);
  if (guide.at_key_moment && !scene->highlight_caption.empty()) return key_moment_of(*scene, state);
  // The title would cover the tree, which is more to look at.
  if (guide.read || ui.view.tree.show || guide.ran >= kTitleSeconds + kTitleFadeSeconds) return {};
  return title_of(*scene, ui);
}

bool close_scene_caption(const UiFrame& frame, UiState& ui) {
  if (ui.presentation.station || !scene_caption(frame, ui)) return false;
  ui.captions.guide.read = true;
  ui.captions.guide.at_key_moment = false;
  return true;
}

std::string end_of_scene(const UiFrame& frame, const UiState& ui) {
  const SessionState& state = frame.simulation;
  if (ui.captions.guide.dismissed || ui.presentation.station || !guides(ui) || !is_live(state) || state.busy) return {};
  if (has_merged(state)) return std::string(encounter_names(state.units).all) + " have merged.";
  const bool long_past = state.highlight_time > 0 && state.time > kLongPast * state.highlight_time;
  const SceneInfo* scene = designed_scene(state);
  return scene && long_past ? "This was “" + std::string(scene->title) + "”." : std::string();
}

}  // namespace pericenter::app
