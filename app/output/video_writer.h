#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/view/output_settings.h"
#include "render/image.h"

namespace pericenter::app {

struct VideoRequest {
  std::string path;  ///< ends with one of kVideoExtensions
  int width = 1280, height = 720;
  int frames_per_second = 60;
};

/// Writes a video frame by frame: MP4 (H.264) or GIF with a process `ffmpeg`, or numbered images in frame_folder(path),
/// also if ffmpeg is not installed.
///
/// A video gets its name when it is finished; an unfinished one is deleted. Images are written one by one and are kept.
/// All functions throw FileError.
class VideoWriter {
 public:
  explicit VideoWriter(const VideoRequest& request);
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  // The request after adjustments: H.264 needs even sizes, GIF supports at most 50 fps.
  int width() const { return video_.width; }
  int height() const { return video_.height; }
  int frames_per_second() const { return video_.frames_per_second; }
  /// Path of the video, or the folder of its frames.
  const std::string& path() const { return path_; }
  /// Sentences about adjustments of the request; empty: none.
  const std::string& note() const { return note_; }
  std::uint64_t frames() const { return frames_; }

  /// Adds a frame of width() x height() pixels.
  void add(const render::Image& image);
  /// Finishes the video; without frames none is written. Returns a message with its path, size and duration.
  std::string finish();

  class Sink;

 private:
  void open_folder();

  VideoRequest video_;
  std::string path_, note_;
  std::uint64_t frames_ = 0;
  std::unique_ptr<Sink> sink_;
};

}  // namespace pericenter::app
