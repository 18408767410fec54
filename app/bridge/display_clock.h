#pragma once

#include "sim/session/session_state.h"

namespace pericenter::app {

/// The moment that frames show: on the way from the bodies that were shown to those that were published last, which the
/// drift of a step moves on straight lines. It arrives when the next ones are expected, and nothing is shown later than
/// it is known. Bodies that no path leads to are shown at once, and so are those of steps that take less than
/// kFewestFrames frames. The frames of a video have their own moments (PublishedFrame::video).
class DisplayClock {
 public:
  /// These bodies can be shown, from `now` on, in seconds of any clock. The next ones are expected as much later as
  /// those before, at first after `expected` seconds (0: unknown).
  void publish(const PublishedFrame& frame, double now, double expected);
  /// Moves on by one frame. Without `plays`, arrives soon.
  void advance(double now, bool plays);
  /// Whether the last bodies have frames of a video on the way to them, see show_video_frame().
  bool has_video_frames() const { return is_between() && last_.video; }
  void show_video_frame() {
    if (has_video_frames()) way_ = last_.video->way(video_frame_++);
  }
  /// Shows the last bodies as they are.
  void arrive() { way_ = 1; }
  /// Forgets what was shown.
  void reset() { *this = {}; }

  bool is_between() const { return way_ < 1; }
  /// Share of the way to the last bodies, 0 to 1.
  float way() const { return static_cast<float>(way_); }
  /// Simulation time of the moment shown.
  double time() const { return is_between() ? from_ + way_ * (last_.time - from_) : last_.time; }

 private:
  bool has_same_bodies(const PublishedFrame& next) const;

  PublishedFrame last_;
  double from_ = 0;  ///< simulation time at which the way begins
  double way_ = 1;
  int video_frame_ = 0;  ///< frames of the video that were shown on this way
  double interval_ = 0;  ///< seconds between two publications while a run plays; 0: unknown
  double published_at_ = 0, advanced_at_ = 0, frame_ = 0;
  bool played_ = false;  ///< no pause since the last publication
};

}  // namespace pericenter::app
