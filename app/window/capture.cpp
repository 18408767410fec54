#include "app/window/capture.h"

#include <chrono>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/output/png_metadata.h"

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
  ui.output.recording = recorder_.has_value();
}

void Capture::request_image(UiState& ui) {
  frames_until_image_ = 3;  // shows the notice first: an image can take seconds
  set_notice("Saving an image …", false, window_time(), ui);
}

void Capture::update(const CapturedFrame& shot, const WindowArea& area, UiState& ui) {
  if (std::exchange(toggle_wanted_, false)) {
    if (recorder_)
      stop(ui);
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
    report_saved("Image saved: " + path + text(" (%d × %d, %.1f s)", size.width, size.height, seconds), ui);
  });
}

void Capture::save_window(const CapturedFrame& shot, Extent window, UiState& ui) {
  attempt(ui, [&] {
    const std::string path = absolute_output_path(shot.state.scene);
    write_image(path, render::read_pixels(0, window.width, window.height), shot);
    ui.output.last_path = path;
    report_saved("Image saved: " + path + text(" (%d × %d)", window.width, window.height), ui);
  });
}

void Capture::start(const CapturedFrame& first, Extent area, UiState& ui) {
  attempt(ui, [&] {
    const auto [width, height] = video_size(ui.output.video, area);
    const std::string ending(kVideoExtensions[static_cast<std::size_t>(ui.output.format)]);
    const VideoRequest video = {absolute_output_path(first.state.scene, ending), width, height,
                                ui.output.frames_per_second};
    recorder_.emplace(renderer_, &annotator_, video);
    ui.output.recorded_frames = 0;
    ui.output.recorded_rate = recorder_->video().frames_per_second();
    if (const std::string& note = recorder_->video().note(); !note.empty()) set_notice(note, false, window_time(), ui);
  });
  add(first, ui);
}

void Capture::add(const CapturedFrame& shot, UiState& ui) {
  if (!recorder_) return;
  attempt(ui, [&] {
    recorder_->add(shot);
    ui.output.recorded_frames = recorder_->frames();
  });
}

std::string Capture::stop(UiState& ui) {
  if (!recorder_) return {};
  std::string message;
  attempt(ui, [&] {
    message = recorder_->finish();
    if (!recorder_->video().note().empty()) message += " " + recorder_->video().note();
    ui.output.last_path = recorder_->video().path();
    recorder_.reset();
    report_saved(message, ui);
  });
  return message;
}

}  // namespace pericenter::app
