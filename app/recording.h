#pragma once

#include <cstdint>
#include <string>

namespace pericenter::app {

enum class StillSize { window, uhd, uhd8k };
enum class VideoFormat { mp4, gif, png };

/// What panel and keys ask of saved pictures and films, and what they show of them.
struct OutputState {
  StillSize still = StillSize::window;
  bool with_panel = false;  ///< F12 saves the window as it is
  bool annotated = true;    ///< scale bar, clock and legend on saved pictures

  VideoFormat format = VideoFormat::mp4;
  int frames_per_second = 60;
  bool recording = false;
  std::string recording_path;
  std::uint64_t recorded_frames = 0;
};

}  // namespace pericenter::app
