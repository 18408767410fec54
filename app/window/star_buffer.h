#pragma once

#include <cstdint>
#include <optional>

#include "app/bridge/vertex_bridge.h"
#include "app/output/recorder.h"
#include "app/ui/ui_state.h"
#include "app/window/viewport.h"
#include "render/frame.h"

namespace pericenter::app {

/// What has come for the picture.
struct StarNews {
  bool any = false;
  bool moment = false;  ///< stars of another moment
};

/// The stars that the window draws: those that the simulation published last, the moment that they belong to, a sample
/// of them, which the camera and the ends of the colour map follow, and the one whose walk is shown.
class StarBuffer {
 public:
  /// They are drawn by the view, which must outlive them. Throws NoInterop.
  StarBuffer(FrameView& view, const Interop& interop) : view_(view), bridge_(interop) {}

  const VertexBridge& bridge() const { return bridge_; }
  std::uint64_t scene_serial() const { return serial_; }  ///< 0 before the first have come
  std::uint64_t steps() const { return steps_; }
  double time() const { return time_; }
  /// Whether a sample was asked for that has not come.
  bool sampling() const { return sampling_; }

  /// Once a frame: takes the stars, the cells and the walk that the simulation has for the picture.
  StarNews take(SimulationThread& simulation, UiState& ui);
  /// Once a frame, after take(): asks for a sample of new stars. True when one has come.
  bool sample(const SessionState& state, UiState& ui);
  /// Asks for the walk of the star that was clicked, if one was; a click on the sky ends that of another.
  void probe_clicked(const ImGuiIO& io, UiState& ui);

  void draw(const UiState& ui, const Viewport& viewport) { view_.draw(stars(), ui, viewport); }
  Shot shot(const SessionState& state, const UiState& ui) const;

 private:
  void take_stars(const Published& published, UiState& ui);
  void take_probe(std::optional<Probe> probe, UiState& ui);
  render::Stars stars() const { return {bridge_.buffer(), bridge_.count()}; }

  FrameView& view_;
  VertexBridge bridge_;
  std::uint64_t serial_ = 0, steps_ = 0;
  double time_ = 0;
  Continuity continuity_;
  std::optional<std::uint32_t> sampled_body_;  // that the newest sample has
  bool unsampled_ = false;                     // stars have come since the sample was asked for
  bool sampling_ = false;
};

}  // namespace pericenter::app
