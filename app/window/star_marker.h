#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/ui_state.h"
#include "app/window/viewport.h"
#include "render/frame.h"

namespace pericenter::app {

/// The stars in the window.
struct ShownStars {
  render::Stars stars;
  std::uint64_t scene_serial = 0;
  std::uint64_t permutations = 0;  ///< Continuity::permutations
  double time = 0;
};

/// Marks stars with a brush, Ctrl+drag, or as a lesson or the panel asks. A body keeps its mark when the run continues,
/// back or to its start; the marks end with other bodies.
class StarMarker {
 public:
  /// The view must outlive it.
  explicit StarMarker(Viewport& view) : view_(view) {}

  /// Once per frame, between the start of the frame and the panels. Draws the brush at the cursor.
  void update(const ShownStars& shown, const SessionState& state, UiState& ui);

 private:
  /// What the marks belong to.
  struct Bodies {
    std::string scene, file;
    SceneRequest request;
    std::uint64_t permutations = 0;
    std::size_t count = 0;

    bool same_as(const Bodies& other) const;
  };
  bool follow_bodies(const SessionState& state);
  bool follow_highlight(const SessionState& state, const UiState& ui);
  void mark(const Highlight& highlight, const Units& units);
  bool paint(UiState& ui);

  Viewport& view_;
  ShownStars shown_;
  std::optional<Bodies> bodies_;
  Highlight highlight_;               ///< SelectedStars::highlight that was marked last
  bool by_hand_ = false;              ///< the marks differ from `highlight_`
  std::optional<glm::vec2> painted_;  ///< last brush position of the current stroke
};

/// Indices of the stars in the tails of two galaxies (is_marked_as_tail()), from their vertices; empty without two
/// discs. The vertices have no masses, so that each body counts the same. Waits for the GPU.
std::vector<std::uint32_t> stars_in_tails(const render::Stars& stars);

}  // namespace pericenter::app
