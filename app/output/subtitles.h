#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/ui/run_sentences.h"

namespace pericenter::app {

/// Which moment of the run each frame of a video shows, for subtitles in the format of SubRip.
class Subtitles {
 public:
  /// The next frame shows this time; `advance` is the usual difference between frames. A difference of more than ten
  /// times that is a jump, which passes no moments.
  void add_frame(double time, double advance);

  /// Each sentence from the frame in which its moment is reached, in either direction, for up to five seconds. UTF-8;
  /// empty without sentences.
  std::string srt(std::span<const Caption> captions, int frames_per_second) const;

 private:
  struct Frame {
    double time = 0;
    bool jumped = true;  ///< the time jumped since the previous frame
  };
  std::vector<Frame> frames_;
};

/// NAME.srt for the video NAME.mp4.
std::string subtitles_path(const std::string& video);
/// Writes the subtitles of a video that is complete, if there are any; returns a sentence with their path, or nothing.
/// Throws FileError.
std::string write_subtitles(const std::string& video, const std::string& srt);

}  // namespace pericenter::app
