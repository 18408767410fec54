#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/output/annotator.h"
#include "app/output/recorder.h"
#include "app/output/subtitles.h"
#include "app/window/window.h"

namespace pericenter::app {

/// Size in pixels of the whole window, and of the view in it.
struct WindowArea {
  Extent window, view;
};

/// Saves images and video of the window, each under a new name. Results are shown in ui.notices.shown and ui.output;
/// errors are also printed to stderr. Only stop(), and add() while it waits(), wait for ffmpeg.
class Capture {
 public:
  /// The renderer must outlive it. `patience`: as in VideoRequest.
  explicit Capture(render::Renderer& renderer, double patience = kPatience)
      : renderer_(renderer), patience_(patience) {}

  /// Saves an image of the view, of the size in ui.output, in one of the next frames.
  void request_image(UiState& ui);
  /// Saves an image of the window with its panel in the next frame.
  void request_window_image() { window_wanted_ = true; }
  /// Starts or ends a video in the next frame.
  void toggle_recording() { toggle_wanted_ = !toggle_wanted_; }
  /// Once per frame, before the buffers are swapped: does what was requested.
  void update(const CapturedFrame& shot, const WindowArea& area, UiState& ui);
  /// Writes an image to `path`. Throws FileError.
  void write(const std::string& path, const CapturedFrame& shot, Extent size);

  /// Starts a video, whose first frame follows once ffmpeg is ready. `area`: as WindowArea::view.
  void start(const CapturedFrame& first, Extent area, UiState& ui);
  /// Whether the next frame must wait for ffmpeg.
  bool waits() const { return starting_.valid() || (recorder_ && recorder_->video().full()); }
  /// Whether update() has to be called although nothing changes.
  bool busy() const { return waits() || finishing_.valid(); }
  /// Appends a frame if a video is being recorded; an error ends the video.
  void add(const CapturedFrame& shot, UiState& ui);
  /// Ends the video, if there is one, and waits for it; returns a message about it.
  std::string stop(
      UiState& ui, const std::function<double()>& patience = [] { return kPatience; });

 private:
  struct Finished {
    std::string message, path;
  };
  void follow_video(const CapturedFrame& shot, UiState& ui);
  void begin(UiState& ui);
  void record_captions(const CapturedFrame& shot, const UiState& ui);
  void end(UiState& ui);
  std::string report_finished(UiState& ui);
  void save_image(const CapturedFrame& shot, Extent area, UiState& ui);
  void save_window(const CapturedFrame& shot, Extent window, UiState& ui);
  template <class Work>
  void attempt(UiState& ui, const Work& work);

  render::Renderer& renderer_;
  Annotator annotator_;
  std::atomic<double> patience_;
  std::future<std::unique_ptr<VideoWriter>> starting_;
  std::optional<VideoRecorder> recorder_;
  Subtitles subtitles_;            ///< subtitles of the video
  std::vector<Caption> captions_;  ///< captions at the last frame of the video
  std::string path_;               ///< requested path
  std::future<Finished> finishing_;
  int frames_until_image_ = 0;  ///< 0: no image is wanted
  bool window_wanted_ = false, toggle_wanted_ = false;
};

/// Size in pixels of a saved image if the view in the window has `area` pixels.
Extent still_size(StillSize size, Extent area);

}  // namespace pericenter::app
