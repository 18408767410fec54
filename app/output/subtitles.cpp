#include "app/output/subtitles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

constexpr double kCaptionSeconds = 5;
constexpr double kMaxAdvances = 10;

std::string srt_time(double seconds) {
  const long long ms = std::llround(1000 * seconds);
  return text("%02lld:%02lld:%02lld,%03lld", ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60, ms % 1000);
}

struct Shown {
  std::size_t frame = 0;
  std::string sentence;
};

}  // namespace

void Subtitles::add_frame(double time, double advance) {
  const bool jumped = frames_.empty() || !(std::abs(time - frames_.back().time) <= kMaxAdvances * std::abs(advance));
  frames_.push_back({time, jumped});
}

std::string Subtitles::srt(std::span<const Caption> captions, int frames_per_second) const {
  std::vector<Shown> shown;
  for (std::size_t k = 1; k < frames_.size(); ++k) {
    if (frames_[k].jumped) continue;
    const double before = frames_[k - 1].time, now = frames_[k].time;
    for (const Caption& caption : captions)
      if ((before < caption.time && caption.time <= now) || (now < caption.time && caption.time <= before))
        shown.push_back({k, caption.sentence});
  }
  std::string lines;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const auto seconds = [&](std::size_t frame) { return static_cast<double>(frame) / frames_per_second; };
    double end = std::min(seconds(shown[k].frame) + kCaptionSeconds, seconds(frames_.size()));
    if (k + 1 < shown.size() && shown[k + 1].frame > shown[k].frame) end = std::min(end, seconds(shown[k + 1].frame));
    lines += std::to_string(k + 1) + '\n' + srt_time(seconds(shown[k].frame)) + " --> " + srt_time(end) + '\n' +
             shown[k].sentence + "\n\n";
  }
  return lines;
}

std::string subtitles_path(const std::string& video) {
  return std::filesystem::path(video).replace_extension(".srt").string();
}

std::string write_subtitles(const std::string& video, const std::string& srt) {
  if (srt.empty()) return {};
  const std::string path = subtitles_path(video);
  write_file(path, srt);
  return " Subtitles: " + printable(path) + ".";
}

}  // namespace pericenter::app
