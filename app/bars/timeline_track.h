#pragma once

#include <imgui.h>

#include <string>
#include <vector>

#include "app/ui/ui_style.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// The track of the timeline: pixels, and the positions that they stand for.
class TimelineTrack {
 public:
  /// The track fills the rectangle, without a margin for the handle at both ends.
  TimelineTrack(const SessionState& state, ImVec2 low, ImVec2 high);

  float x_at(double position) const;
  /// The position at a pixel, within the recorded range. Snaps to the end, to snapshots and to marks.
  double position_at(float x) const;
  /// What is at the cursor: "340 Myr", and below it the marks near it and the ghost there.
  std::string text_at(ImVec2 cursor) const;
  /// A mark, and where it is drawn: none covers another.
  struct PlacedMark {
    const TimelineMark* mark;
    float x;   ///< place of its moment
    float at;  ///< right of it, where another mark is in the way
  };
  std::vector<PlacedMark> placed_marks() const;
  /// Round times for the scale below the track, and where they are.
  struct ScaleMark {
    float x;
    std::string text;  ///< the last one has the unit
  };
  std::vector<ScaleMark> scale() const;
  /// `shown`: position of the handle.
  void draw(double shown, bool grabbed, const Palette& colors) const;

 private:
  double unlimited_position_at(float x) const;
  bool has_ticks() const;
  const TimelineMark* mark_near(float x, float distance) const;
  const TimelineGhost* ghost_at(ImVec2 cursor) const;
  float ghost_y(int row) const;
  void draw_snapshots(double shown, const Palette& colors) const;
  void draw_marks(const Palette& colors) const;
  void draw_scale(const Palette& colors) const;
  void draw_ghosts(const Palette& colors) const;
  void draw_divisions(const Palette& colors) const;
  const TimelineDivision* division_at(float x) const;

  const SessionState& state_;
  const Timeline& timeline_;
  double first_ = 0, last_ = 1;  ///< positions at the ends
  float left_ = 0, right_ = 0, y_ = 0;
  float em_ = 0;
};

}  // namespace pericenter::app
