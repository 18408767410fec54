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
  std::string path;  ///< ends as one of kVideoEndings
  int width = 1280, height = 720;
  int frames_per_second = 60;
};

/// The format that the ending of a path stands for.
std::optional<VideoFormat> video_format(std::string_view path);

/// A film, frame by frame: MP4 (H.264) or GIF through a process `ffmpeg`, or numbered pictures in frame_folder(path),
/// which is also what comes out where there is no ffmpeg.
///
/// A film has its name once it is finished, and leaves nothing behind when it is not; pictures are each written whole
/// and stay. All functions throw FileError.
class VideoWriter {
 public:
  explicit VideoWriter(const VideoRequest& request);
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  // What it became of the request: H.264 has even sizes, GIF at most 50 frames a second.
  int width() const { return film_.width; }
  int height() const { return film_.height; }
  int frames_per_second() const { return film_.frames_per_second; }
  /// The film, or the folder of its pictures.
  const std::string& path() const { return path_; }
  /// Sentences about what is otherwise than it was asked for; empty: nothing.
  const std::string& note() const { return note_; }
  std::uint64_t frames() const { return frames_; }

  /// Takes a picture of width() x height() pixels.
  void add(const render::Image& image);
  /// Ends the film; without frames there is none. Says where it is, how large and how long.
  std::string finish();

  class Sink;

 private:
  void open_folder();

  VideoRequest film_;
  std::string path_, note_;
  std::uint64_t frames_ = 0;
  std::unique_ptr<Sink> sink_;
};

}  // namespace pericenter::app
