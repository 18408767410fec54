#pragma once

#include <cstdint>
#include <optional>

#include "app/bridge/vertex_bridge.h"
#include "app/output/recorder.h"
#include "app/ui/ui_state.h"
#include "app/window/star_marker.h"
#include "app/window/viewport.h"
#include "render/frame.h"

namespace pericenter::app {

/// What has changed since the last frame.
struct StarChanges {
  bool any = false;       ///< stars, tree cells or the probe
  bool new_time = false;  ///< the stars belong to another step
  int video_frames = 1;   ///< frames of a video that show these stars
};

/// The stars that the window draws: the vertices that the simulation wrote last and their time, a sample of them for
/// the camera and the colour range, and the probed star.
class StarBuffer {
 public:
  /// The view draws the stars, in this half of a split image, and must outlive them. Throws NoInterop.
  StarBuffer(Viewport& view, const Interop& interop, render::Half half = render::Half::right)
      : view_(view), half_(half), bridge_(interop) {}

  void set_interop(const Interop& interop) { bridge_.set_interop(interop); }
  const VertexBridge& bridge() const { return bridge_; }
  std::uint64_t scene_serial() const { return serial_; }  ///< 0 before the first stars
  std::uint64_t steps() const { return steps_; }
  /// Simulation time of the moment shown, which may be between two steps.
  double time() const { return bridge_.clock().time(); }
  /// Whether a requested sample has not arrived yet.
  bool sampling() const { return sampling_; }

  /// Exchanges the stars with those of the other half.
  void swap(StarBuffer& other);
  /// Whether update() allows the steps of a frame, as it does first; a comparison allows them itself.
  void set_allows_steps(bool allows) { allows_steps_ = allows; }
  /// Whether frames may show moments between steps.
  void set_between(bool between) { between_ = between; }

  /// Once per frame: fetches stars, tree cells and, in the right half, the probe from the simulation.
  StarChanges update(SimulationThread& simulation, const SessionState& state, UiState& ui);
  /// Before each frame of a video that shows these stars.
  void show_video_frame() {
    bridge_.show_video_frame();
    view_.invalidate();
  }
  /// Once per frame, after update(): requests a sample of new stars. True if one has arrived.
  bool sample(const SessionState& state, UiState& ui);
  /// The same for the left half, whose samples only measure differences.
  std::optional<render::StarSample> sample();
  /// Selects a star that was clicked: click_star().
  void select_clicked(const ImGuiIO& io, UiState& ui);

  void draw(const UiState& ui, const PixelRect& area) {
    view_.draw(stars(), ui, area);
    bridge_.was_drawn();
  }
  CapturedFrame shot(const SessionState& state, const UiState& ui) const;
  render::Stars stars() const {
    return {.buffer = bridge_.buffer(),
            .count = bridge_.count(),
            .before = bridge_.before(),
            .way = bridge_.clock().way(),
            .bends = bridge_.bends(),
            .age = scene_age(time(), units_),
            .masses = shown_masses()};
  }
  ShownStars shown() const { return {stars(), serial_, continuity_.permutations, time()}; }

 private:
  bool shows_between(const UiState& ui) const;
  bool learn_scene(const SessionState& state);
  void take(const PublishedFrame& published, UiState& ui);
  std::optional<std::uint32_t> vertex_of(std::optional<std::uint32_t> body) const;
  std::optional<std::uint32_t> body_of(std::optional<std::uint32_t> vertex) const;
  render::PointMasses shown_masses() const;
  void update_probe(std::optional<Probe> probe, UiState& ui);

  Viewport& view_;
  render::Half half_;
  VertexBridge bridge_;
  bool allows_steps_ = true, between_ = true;
  double moved_at_ = 0;  ///< when the last moment was shown, seconds
  std::uint64_t serial_ = 0, steps_ = 0;
  Continuity continuity_;
  std::uint64_t known_ = 0;  ///< the scene that units and masses belong to; 0: none yet
  Units units_;
  render::PointMasses masses_;
  std::optional<std::uint32_t> sampled_body_;  ///< body in the latest sample
  bool unsampled_ = false;                     ///< stars have changed since the last sample was requested
  bool sampling_ = false;
};

}  // namespace pericenter::app
