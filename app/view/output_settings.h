#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pericenter::app {

/// Sizes of saved images and videos: that of the view in the window, or a fixed one.
enum class StillSize { window, uhd, uhd8k };
enum class VideoSize { window, hd, small };
enum class VideoFormat { mp4, gif, png };
inline constexpr std::array<std::string_view, 3> kVideoExtensions = {".mp4", ".gif", ".png"};

/// The format of a file name; nullopt if its extension is not one of kVideoExtensions.
std::optional<VideoFormat> video_format(std::string_view path);

/// Settings of saved images and videos, and the state of the running recording.
struct OutputState {
  StillSize still = StillSize::window;
  bool annotated = true;  ///< draw scale bar, clock and legend

  VideoFormat format = VideoFormat::mp4;
  VideoSize video = VideoSize::window;
  int frames_per_second = 60;
  bool recording = false;
  std::uint64_t recorded_frames = 0;
  int recorded_rate = 60;  ///< frames per second of the running recording
  /// Seconds of the video that is being recorded.
  std::optional<double> video_seconds() const {
    if (!recording) return std::nullopt;
    return static_cast<double>(recorded_frames) / recorded_rate;
  }
  std::string last_path;  ///< last saved file, or empty

  bool shows_report = false;  ///< show the system report below its button
};

}  // namespace pericenter::app
