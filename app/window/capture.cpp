#include "app/window/capture.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/output/png_metadata.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

Extent video_size(VideoSize size, Extent area) {
  switch (size) {
    case VideoSize::hd:
      return {1920, 1080};
    case VideoSize::small:
      return {640, 360};
    case VideoSize::window:
      break;
  }
  return area;
}

/// Absolute, because messages show it.
std::string absolute_output_path(const std::string& scene, const std::string& extension = ".png") {
  std::error_code error;
  return std::filesystem::absolute(new_output_path(scene, extension), error).string();
}

/// A message that something was saved replaces earlier errors.
void report_saved(std::string message, UiState& ui) {
  remove_notices(NoticeSource::captures, ui);
  set_notice(std::move(message), false, window_time(), ui);
}

void write_image(const std::string& path, const render::Image& image, const CapturedFrame& shot) {
  write_file(path, render::encode_png(image, image_metadata(shot.state, shot.view, shot.frame.camera)));
}

template <class Result>
bool is_ready(const std::future<Result>& result, std::chrono::milliseconds time = {}) {
  return result.valid() && result.wait_for(time) == std::future_status::ready;
}

}  // namespace

Extent still_size(StillSize size, Extent area) {
  switch (size) {
    case StillSize::uhd:
      return {3840, 2160};
    case StillSize::uhd8k:
      return {7680, 4320};
    case StillSize::window:
      break;
  }
  return area;
}

/// Reports a failure of `work` and keeps the window running; a video ends.
template <class Work>
void Capture::attempt(UiState& ui, const Work& work) {
  try {
    work();
  } catch (const std::exception& error) {
    report_error(error.what(), window_time(), ui, NoticeSource::captures);
    recorder_.reset();
  }
  ui.output.recording = recorder_.has_value() || starting_.valid();
}

void Capture::request_image(UiState& ui) {
  frames_until_image_ = 3;  // shows the notice first: an image can take seconds
  set_notice("Saving an image …", false, window_time(), ui);
}

void Capture::update(const CapturedFrame& shot, const WindowArea& area, UiState& ui) {
  follow_video(shot, ui);
  if (!starting_.valid() && std::exchange(toggle_wanted_, false)) {
    if (recorder_)
      end(ui);
    else
      start(shot, area.view, ui);
  }
  if (std::exchange(window_wanted_, false)) save_window(shot, area.window, ui);
  if (frames_until_image_ > 0 && --frames_until_image_ == 0) save_image(shot, area.view, ui);
}

void Capture::write(const std::string& path, const CapturedFrame& shot, Extent size) {
  write_image(path, still(renderer_, &annotator_, shot, size.width, size.height), shot);
}

void Capture::save_image(const CapturedFrame& shot, Extent area, UiState& ui) {
  attempt(ui, [&] {
    const auto start = std::chrono::steady_clock::now();
    const Extent size = still_size(ui.output.still, area);
    const std::string path = absolute_output_path(shot.state.scene);
    write(path, shot, size);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ui.output.last_path = path;
    report_saved("Image saved: " + printable(path) + text(" (%d × %d, %.1f s)", size.width, size.height, seconds), ui);
  });
}

void Capture::save_window(const CapturedFrame& shot, Extent window, UiState& ui) {
  attempt(ui, [&] {
    const std::string path = absolute_output_path(shot.state.scene);
    write_image(path, render::read_pixels(0, window.width, window.height), shot);
    ui.output.last_path = path;
    report_saved("Image saved: " + printable(path) + text(" (%d × %d)", window.width, window.height), ui);
  });
}

void Capture::start(const CapturedFrame& first, Extent area, UiState& ui) {
  if (finishing_.valid()) return set_notice("The previous video is still being written.", false, window_time(), ui);
  attempt(ui, [&] {
    const auto [width, height] = video_size(ui.output.video, area);
    const std::string ending(kVideoExtensions[static_cast<std::size_t>(ui.output.format)]);
    VideoRequest video = {absolute_output_path(first.state.scene, ending), width, height, ui.output.frames_per_second};
    video.patience = [this] { return patience_.load(); };
    subtitles_ = {};
    captions_.clear();
    path_ = video.path;
    starting_ = std::async(std::launch::async, [video] { return std::make_unique<VideoWriter>(video); });
    ui.output.recorded_frames = 0;
    ui.output.recorded_rate = video.frames_per_second;
  });
}

/// Starts recording once ffmpeg is ready; reports a video that failed or is finished.
void Capture::follow_video(const CapturedFrame& shot, UiState& ui) {
  if (is_ready(starting_)) add(shot, ui);
  if (recorder_) attempt(ui, [&] { recorder_->video().throw_error(); });
  if (is_ready(finishing_)) report_finished(ui);
}

void Capture::begin(UiState& ui) {
  attempt(ui, [&] {
    recorder_.emplace(renderer_, &annotator_, starting_.get());
    ui.output.recorded_rate = recorder_->video().frames_per_second();
    if (const std::string& note = recorder_->video().note(); !note.empty()) set_notice(note, false, window_time(), ui);
  });
}

void Capture::add(const CapturedFrame& shot, UiState& ui) {
  if (starting_.valid()) begin(ui);
  if (!recorder_) return;
  attempt(ui, [&] {
    recorder_->video().wait();
    recorder_->add(shot);
    record_captions(shot, ui);
    ui.output.recorded_frames = recorder_->frames();
  });
}

void Capture::record_captions(const CapturedFrame& shot, const UiState& ui) {
  const Pace pace = shot.state.pace();
  const double step = std::abs(shot.state.params.dt);
  const double advance =
      pace.speed > 0 ? std::max(step, pace.speed / ui.output.recorded_rate) : step * pace.steps_per_frame;
  subtitles_.add_frame(shot.time, std::copysign(advance, shot.state.params.dt));
  if (!has_enough_bodies_for_events(shot.state)) return;
  captions_ = captions_of(shot.state.record->events, shot.state.units, ui.comparison.on() ? "B: " : "");
}

void Capture::end(UiState& ui) {
  attempt(ui, [&] {
    const std::string srt =
        ui.captions.narration.on ? subtitles_.srt(captions_, ui.output.recorded_rate) : std::string();
    std::unique_ptr<VideoWriter> video = recorder_->take_video();
    recorder_.reset();
    finishing_ = std::async(std::launch::async, [video = std::move(video), srt, path = path_] {
      const std::string message = video->finish() + write_subtitles(path, srt);
      return Finished{message + (video->note().empty() ? "" : " " + video->note()), video->path()};
    });
    set_notice("Finishing the video …", false, window_time(), ui);
  });
}

std::string Capture::report_finished(UiState& ui) {
  Finished finished;
  attempt(ui, [&] {
    finished = finishing_.get();
    ui.output.last_path = finished.path;
    report_saved(finished.message, ui);
  });
  return finished.message;
}

std::string Capture::stop(UiState& ui, const std::function<double()>& patience) {
  const auto wait_for = [&](const auto& result) {
    while (result.valid() && !is_ready(result, std::chrono::milliseconds(50))) patience_ = patience();
  };
  wait_for(starting_);
  if (starting_.valid()) begin(ui);
  if (recorder_) end(ui);
  wait_for(finishing_);
  return finishing_.valid() ? report_finished(ui) : std::string();
}

}  // namespace pericenter::app
