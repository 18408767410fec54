#include "app/output/video_writer.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/process.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxPixelsOfSharedPalette = 640 * 480;
constexpr std::size_t kMaxWaiting = 3;  // frames, of up to 25 MB each
constexpr int kMaxGifRate = 50;         // a GIF has delays of 1/100 s, and players slow down a delay of one

/// The input of ffmpeg: raw frames on standard input.
std::string input_arguments(const VideoRequest& video) {
  return "-f rawvideo -pix_fmt rgb24 -video_size " + std::to_string(video.width) + "x" + std::to_string(video.height) +
         " -framerate " + std::to_string(video.frames_per_second) + " -i pipe:0 ";
}

/// H.264 in the format that all players support, or MPEG-4 if ffmpeg has no H.264; colours are tagged ITU-R BT.709.
std::string mp4_arguments(const std::string& encoder) {
  return "-vf scale=out_color_matrix=bt709:out_range=tv -pix_fmt yuv420p -colorspace bt709 -color_range tv "
         "-color_trc bt709 -color_primaries bt709 -c:v " +
         encoder + (encoder == "libx264" ? " -crf 18" : " -q:v 2") + " -movflags +faststart -f mp4";
}

/// One palette for the whole video gives the smallest file, but ffmpeg then stores all frames in memory: large videos
/// have one palette per frame. Ordered dither is stable between frames.
std::string gif_arguments(const VideoRequest& video) {
  const bool large = video.width * video.height > kMaxPixelsOfSharedPalette;
  const std::string palette = large ? "stats_mode=single" : "stats_mode=full", use = large ? "new=1:" : "";
  return "-filter_complex split[a][b];[a]palettegen=" + palette + "[p];[b][p]paletteuse=" + use +
         "dither=bayer:bayer_scale=4 -f gif";
}

/// The encoders that ffmpeg lists; nullopt if ffmpeg is not installed.
std::optional<std::string> list_of_encoders(const ChildProcess::Patience& patience) {
  try {
    ChildProcess ffmpeg({"ffmpeg", "-hide_banner", "-nostdin", "-encoders"}, patience);
    const std::optional<int> code = ffmpeg.finish();
    const std::string list = ffmpeg.output();
    if (code == 0) return list;
    throw FileError(kUnavailable, "ffmpeg does not work (" + (code ? last_line(list) : "it does not respond") +
                                      "); repair the installation, or choose PNG, which needs no ffmpeg.");
  } catch (const std::system_error& error) {
    if (error.code().value() == ENOENT) return std::nullopt;
    throw FileError(kUnavailable, std::string("Cannot start ffmpeg (") + error.code().message() +
                                      "); repair the installation, or choose PNG, which needs no ffmpeg.");
  }
}

std::string first_encoder(const std::string& list, VideoFormat format) {
  using Names = std::vector<std::string>;
  const Names wanted = format == VideoFormat::mp4 ? Names{"libx264", "mpeg4"} : Names{"gif"};
  for (const std::string& encoder : wanted)
    if (list.find(" " + encoder + " ") != list.npos) return encoder;
  throw FileError(kUnavailable, "ffmpeg was built without " + wanted.front() +
                                    "; install another build, or choose PNG, which needs no ffmpeg.");
}

}  // namespace

/// Destination of the frames.
class VideoWriter::Sink {
 public:
  virtual ~Sink() = default;
  virtual void add(const render::Image& image) = 0;
  virtual void finish() = 0;
};

namespace {

class FfmpegVideo : public VideoWriter::Sink {
 public:
  FfmpegVideo(const VideoRequest& video, const std::string& encoding) : path_(video.path), file_(video.path) {
    std::istringstream words("ffmpeg -hide_banner -loglevel error -nostdin -y " + input_arguments(video) + encoding);
    std::vector<std::string> arguments(std::istream_iterator<std::string>(words), {});
    arguments.push_back("file:" + file_.temporary());  // so that ffmpeg does not take the name as an option or a URL
    try {
      ffmpeg_ = std::make_unique<ChildProcess>(arguments, video.patience);
    } catch (const std::system_error& error) {
      throw FileError(kUnavailable, "Cannot start ffmpeg: " + error.code().message() + ".");
    }
  }

  void add(const render::Image& image) override {
    if (!ffmpeg_->write(image.rgb)) fail(ffmpeg_->finish());
  }

  void finish() override {
    // On a full disk ffmpeg may exit with 0; with -loglevel error it prints only errors.
    if (const std::optional<int> code = ffmpeg_->finish(); code != 0 || !ffmpeg_->output().empty()) fail(code);
    std::error_code error;
    if (fs::file_size(file_.temporary(), error) == 0 || error) fail("ffmpeg wrote nothing");
    file_.keep();
  }

 private:
  [[noreturn]] void fail(std::optional<int> code) {
    fail(code ? "ffmpeg failed with exit code " + std::to_string(*code) : "ffmpeg does not respond");
  }
  [[noreturn]] void fail(const std::string& problem) {
    const std::string reason = last_line(ffmpeg_->output());
    throw FileError(kIoError,
                    "Cannot write " + path_ + ": " + problem + (reason.empty() ? "" : " (" + reason + ")") +
                        ". Check the disk space, choose another folder, or choose PNG, which needs no ffmpeg.");
  }

  std::string path_;
  UnfinishedFile file_;
  std::unique_ptr<ChildProcess> ffmpeg_;  // destroyed before the file
};

class FrameFolder : public VideoWriter::Sink {
 public:
  explicit FrameFolder(std::string folder) : folder_(std::move(folder)) {
    std::error_code error;
    made_ = fs::create_directory(folder_, error);
    if (error) throw FileError(kCannotCreate, "Cannot create the folder " + folder_ + ": " + error.message() + ".");
    if (!made_ && !fs::is_empty(folder_, error)) {
      throw FileError(kCannotCreate,
                      "Cannot write frames to " + folder_ + ": it contains files; remove them or choose another name.");
    }
    check_can_create(name_of(1));
  }
  ~FrameFolder() override {
    std::error_code ignored;
    if (made_ && number_ == 0) fs::remove(folder_, ignored);
  }

  void add(const render::Image& image) override {
    write_file(name_of(number_ + 1), render::encode_png(image));
    ++number_;
  }
  void finish() override {}

 private:
  std::string name_of(int number) const { return folder_ + "/" + text("%06d.png", number); }

  std::string folder_;
  bool made_ = false;
  int number_ = 0;
};

}  // namespace

VideoWriter::VideoWriter(const VideoRequest& request) : video_(request), path_(request.path) {
  video_.patience = [this, given = request.patience] { return abandoned_ ? 0 : given(); };
  open();
  thread_ = std::thread([this] { write_frames(); });
}

VideoWriter::~VideoWriter() {
  abandoned_ = true;  // the thread may be waiting for ffmpeg
  {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
  }
  end_thread();
}

void VideoWriter::open() {
  const VideoFormat format = video_format(video_.path).value_or(VideoFormat::png);
  const std::optional<std::string> encoders =
      format == VideoFormat::png ? std::nullopt : list_of_encoders(video_.patience);
  if (!encoders) {
    open_folder();
    if (format == VideoFormat::png) return;
    note_ = "ffmpeg is not installed, so the frames are saved as images. To make a video, install ffmpeg and run: " +
            std::string("ffmpeg -framerate ") + std::to_string(video_.frames_per_second) + " -i " +
            shell_word(path_ + "/%06d.png") + " -pix_fmt yuv420p " + shell_word(video_.path);
    return;
  }
  const std::string encoder = first_encoder(*encoders, format);
  if (encoder == "mpeg4")
    note_ = "ffmpeg has no libx264; the video is MPEG-4 instead of H.264, which gives larger files.";
  if (format == VideoFormat::mp4 && (video_.width % 2 != 0 || video_.height % 2 != 0)) {
    video_.width = std::max(2, video_.width / 2 * 2);
    video_.height = std::max(2, video_.height / 2 * 2);
    note_ += std::string(note_.empty() ? "" : " ") + "H.264 needs an even width and height: the video is " +
             text("%d × %d.", video_.width, video_.height);
  }
  if (format == VideoFormat::gif && video_.frames_per_second > kMaxGifRate) {
    video_.frames_per_second = kMaxGifRate;
    note_ = text("GIF supports at most %d fps.", kMaxGifRate);
  }
  sink_ = std::make_unique<FfmpegVideo>(video_,
                                        format == VideoFormat::gif ? gif_arguments(video_) : mp4_arguments(encoder));
}

void VideoWriter::open_folder() {
  path_ = frame_folder(video_.path);
  sink_ = std::make_unique<FrameFolder>(path_);
}

/// The thread: writes frames until it is ended and none waits, or one fails.
void VideoWriter::write_frames() {
  std::unique_lock lock(mutex_);
  try {
    for (;;) {
      changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const render::Image image = std::move(waiting_.front());
      lock.unlock();
      sink_->add(image);
      lock.lock();
      if (!waiting_.empty()) waiting_.pop_front();
      changed_.notify_all();
    }
  } catch (...) {
    lock.lock();
    error_ = std::current_exception();
    changed_.notify_all();
  }
}

void VideoWriter::end_thread() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool VideoWriter::full() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() >= kMaxWaiting && !error_;
}

void VideoWriter::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < kMaxWaiting || error_; });
}

void VideoWriter::throw_error() const {
  const std::lock_guard lock(mutex_);
  if (error_) std::rethrow_exception(error_);
}

void VideoWriter::add(render::Image image) {
  throw_error();
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(image));
  }
  changed_.notify_all();
  ++frames_;
}

std::string VideoWriter::finish() {
  end_thread();
  throw_error();
  if (frames_ > 0) sink_->finish();
  sink_.reset();
  if (frames_ == 0) return "Nothing was recorded: the simulation did not advance.";
  return "Video saved: " + printable(path_) + text(" (%d × %d, ", video_.width, video_.height) +
         counted(frames_, "frame") + text(", %.1f s).", static_cast<double>(frames_) / video_.frames_per_second);
}

}  // namespace pericenter::app
