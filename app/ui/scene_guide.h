#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/scenes/registry.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

struct UiFrame;
struct UiState;

/// What the window says about the running scene, as long as no lesson is presented: name and caption at its start, what
/// is seen at its key moment, and what to do when its galaxies have merged.
struct SceneGuide {
  std::uint64_t scene_serial = 0;  ///< serial of the run that the rest belongs to
  double ran = 0;                  ///< seconds for which it has been running in view
  double updated = 0;              ///< UiFrame::now
  bool at_key_moment = false;      ///< the run has paused there, and has not been continued
  bool read = false;               ///< the title was closed
  bool dismissed = false;          ///< the card with what to do next
  bool offers = false;             ///< the card was shown in the last frame
};

/// Words over the image: a small heading, a sentence, and keys.
struct SceneCaption {
  std::string heading, sentence, keys;
  float alpha = 1;  ///< opacity
};

/// The row of scenes() that runs as it was designed: not from a file, and without another encounter; null: none.
const SceneInfo* designed_scene(const SessionState& state);

/// Whether the guide may speak: no lesson, no comparison.
bool guides(const UiState& ui);

/// Once per frame, before the panels are drawn.
void update_guide(const UiFrame& frame, UiState& ui);

/// What is shown over the image now; nullopt: nothing. A station shows the title as long as the scene runs.
std::optional<SceneCaption> scene_caption(const UiFrame& frame, const UiState& ui);
/// Closes it. False if there is none that can be closed.
bool close_scene_caption(const UiFrame& frame, UiState& ui);

/// Headline of the card with what to do next: the galaxies have merged, or the key moment is long past. Empty: no card.
std::string end_of_scene(const UiFrame& frame, const UiState& ui);

}  // namespace pericenter::app
