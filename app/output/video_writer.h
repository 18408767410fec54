#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/view/output_settings.h"
#include "render/image.h"

namespace pericenter::app {

// Seconds after which an ffmpeg that does nothing has failed: normally, and after a signal.
inline constexpr double kPatience = 20, kInterruptedPatience = 2;

struct VideoRequest {
  std::string path;  ///< ends with one of kVideoExtensions
  int width = 1280, height = 720;
  int frames_per_second = 60;
  /// Called repeatedly, by any thread.
  std::function<double()> patience = [] { return kPatience; };
};

/// Writes a video frame by frame, in a thread of its own: MP4 (H.264) or GIF with a process `ffmpeg`, or numbered
/// images in frame_folder(path), also if ffmpeg is not installed.
///
/// A video gets its name when it is finished; an unfinished one is deleted. Images are written one by one and are kept.
/// All functions throw FileError; an error of the thread is thrown by the next call.
class VideoWriter {
 public:
  /// Starts ffmpeg and may wait for it.
  explicit VideoWriter(const VideoRequest& request);
  ~VideoWriter();

  // The request after adjustments: H.264 needs even sizes, GIF supports at most 50 fps.
  int width() const { return video_.width; }
  int height() const { return video_.height; }
  int frames_per_second() const { return video_.frames_per_second; }
  /// Path of the video, or the folder of its frames.
  const std::string& path() const { return path_; }
  /// Sentences about adjustments of the request, or empty.
  const std::string& note() const { return note_; }
  std::uint64_t frames() const { return frames_; }

  /// Adds a frame of width() x height() pixels. Does not wait: call it while not full().
  void add(render::Image image);
  /// Whether enough frames wait to be written; false after an error.
  bool full() const;
  /// Waits while it is full().
  void wait() const;
  /// Waits for the frames and finishes the video; without frames none is written. Returns a message with its path, size
  /// and duration.
  std::string finish();
  void throw_error() const;  ///< throws the thread's error, if any

  class Sink;

 private:
  void open();
  void open_folder();
  void write_frames();
  void end_thread();

  VideoRequest video_;
  std::string path_, note_;
  std::uint64_t frames_ = 0;
  std::unique_ptr<Sink> sink_;

  mutable std::mutex mutex_;  ///< guards the members below
  mutable std::condition_variable changed_;
  std::deque<render::Image> waiting_;
  bool ended_ = false;
  std::atomic<bool> abandoned_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace pericenter::app
