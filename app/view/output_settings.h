#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace pericenter::app {

/// Sizes of saved pictures and films: what the window shows, or so many pixels.
enum class StillSize { window, uhd, uhd8k };
enum class VideoSize { window, hd, small };
enum class VideoFormat { mp4, gif, png };
inline constexpr std::array<const char*, 3> kVideoEndings = {".mp4", ".gif", ".png"};

/// What panel and keys ask of saved pictures and films, and what they show of them.
struct OutputState {
  StillSize still = StillSize::window;
  bool annotated = true;  ///< scale bar, clock and legend on saved pictures and films

  VideoFormat format = VideoFormat::mp4;
  VideoSize film = VideoSize::window;
  int frames_per_second = 60;
  bool recording = false;
  std::uint64_t recorded_frames = 0;
  int recorded_rate = 60;  ///< frames a second of the film that is being made
  std::string last_path;   ///< of what was saved last; empty: nothing yet
};

}  // namespace pericenter::app
