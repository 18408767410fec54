#include "app/output/video_writer.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/process.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int kMaxSmallVideoPixels = 640 * 480;
constexpr int kMaxGifRate = 50;  // a GIF counts hundredths of a second, and players show one of them as ten

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \r\n");
  if (end == text.npos) return {};
  const std::size_t begin = text.find_last_of("\r\n", end);
  return text.substr(begin + 1, end - begin);  // begin is -1 in a single line
}

/// `text` as one word of a shell.
std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

/// What ffmpeg is told of its input: raw frames, which come through its standard input.
Words input_words(const VideoRequest& film) {
  return {"ffmpeg",      "-hide_banner",
          "-loglevel",   "error",
          "-nostdin",    "-y",
          "-f",          "rawvideo",
          "-pix_fmt",    "rgb24",
          "-video_size", std::to_string(film.width) + "x" + std::to_string(film.height),
          "-framerate",  std::to_string(film.frames_per_second),
          "-i",          "pipe:0"};
}

/// H.264 as every player shows it, or MPEG-4 where ffmpeg was built without; the colours are those of HD television,
/// ITU-R BT.709, and say so.
Words mp4_words(const std::string& encoder) {
  Words words = {"-vf",
                 "scale=out_color_matrix=bt709:out_range=tv",
                 "-pix_fmt",
                 "yuv420p",
                 "-colorspace",
                 "bt709",
                 "-color_range",
                 "tv",
                 "-color_trc",
                 "bt709",
                 "-color_primaries",
                 "bt709",
                 "-c:v",
                 encoder};
  const Words quality = encoder == "libx264" ? Words{"-crf", "18"} : Words{"-q:v", "2"};
  words.insert(words.end(), quality.begin(), quality.end());
  words.insert(words.end(), {"-movflags", "+faststart", "-f", "mp4"});
  return words;
}

/// A palette for the whole film makes the smallest file, but keeps all frames in ffmpeg's memory until the end: large
/// frames get one each. Ordered dither stands still from frame to frame.
Words gif_words(const VideoRequest& film) {
  const bool large = film.width * film.height > kMaxSmallVideoPixels;
  const std::string palette = large ? "stats_mode=single" : "stats_mode=full", use = large ? "new=1:" : "";
  return {"-filter_complex",
          "split[a][b];[a]palettegen=" + palette + "[p];[b][p]paletteuse=" + use + "dither=bayer:bayer_scale=4", "-f",
          "gif"};
}

/// The encoders that ffmpeg lists; nullopt: there is no ffmpeg.
std::optional<std::string> list_of_encoders() {
  try {
    ChildProcess ffmpeg({"ffmpeg", "-hide_banner", "-nostdin", "-encoders"});
    const int code = ffmpeg.finish();
    const std::string list = ffmpeg.output();
    if (code == 0) return list;
    throw FileError(kUnavailable, "ffmpeg is here and does not work (" + last_line(list) +
                                      "); mend it, or choose PNG, which needs none.");
  } catch (const std::system_error& error) {
    if (error.code().value() == ENOENT) return std::nullopt;
    throw FileError(kUnavailable, std::string("ffmpeg cannot be started (") + error.code().message() +
                                      "); mend it, or choose PNG, which needs none.");
  }
}

std::string first_encoder(const std::string& list, VideoFormat format) {
  const Words wanted = format == VideoFormat::mp4 ? Words{"libx264", "mpeg4"} : Words{"gif"};
  for (const std::string& encoder : wanted)
    if (list.find(" " + encoder + " ") != list.npos) return encoder;
  throw FileError(kUnavailable, "ffmpeg was built without " + wanted.front() +
                                    "; install one that has it, or choose PNG, which needs none.");
}

}  // namespace

/// Where the frames go.
class VideoWriter::Sink {
 public:
  virtual ~Sink() = default;
  virtual void add(const render::Image& image) = 0;
  virtual void finish() = 0;
};

namespace {

class FfmpegVideo : public VideoWriter::Sink {
 public:
  FfmpegVideo(const VideoRequest& film, Words encoding) : path_(film.path), file_(film.path) {
    Words words = input_words(film);
    words.insert(words.end(), encoding.begin(), encoding.end());
    words.push_back("file:" + file_.temporary());  // so that no name is an option or an address to it
    try {
      ffmpeg_ = std::make_unique<ChildProcess>(words);
    } catch (const std::system_error& error) {
      throw FileError(kUnavailable, "ffmpeg cannot be started: " + error.code().message() + ".");
    }
  }

  void add(const render::Image& image) override {
    if (!ffmpeg_->write(image.rgb)) fail(ffmpeg_->finish());
  }

  void finish() override {
    // On a full disk ffmpeg may complain and end with 0 all the same; it is told to print errors only.
    if (const int code = ffmpeg_->finish(); code != 0 || !ffmpeg_->output().empty()) fail(code);
    file_.keep();
  }

 private:
  [[noreturn]] void fail(int code) {
    const std::string words = last_line(ffmpeg_->output());
    throw FileError(kIoError, "Cannot write " + path_ + ": ffmpeg ended with " + std::to_string(code) +
                                  (words.empty() ? "" : " (" + words + ")") +
                                  "; is the disk full? Choose another folder, or PNG, which needs no ffmpeg.");
  }

  std::string path_;
  UnfinishedFile file_;
  std::unique_ptr<ChildProcess> ffmpeg_;  // after the file: it must have ended when that goes
};

class FrameFolder : public VideoWriter::Sink {
 public:
  explicit FrameFolder(std::string folder) : folder_(std::move(folder)) {
    std::error_code error;
    made_ = fs::create_directory(folder_, error);
    if (error) throw FileError(kCannotCreate, "Cannot make the folder " + folder_ + ": " + error.message() + ".");
    if (!made_ && !fs::is_empty(folder_, error)) {
      throw FileError(kCannotCreate, "Cannot make the frames in " + folder_ +
                                         ": there are files in it; remove them or choose another name.");
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

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

std::optional<VideoFormat> video_format(std::string_view path) {
  const std::string ending = lower(fs::path(path).extension().string());
  const auto found = std::find(kVideoEndings.begin(), kVideoEndings.end(), ending);
  if (found == kVideoEndings.end()) return std::nullopt;
  return static_cast<VideoFormat>(found - kVideoEndings.begin());
}

VideoWriter::VideoWriter(const VideoRequest& request) : film_(request), path_(request.path) {
  const VideoFormat format = video_format(film_.path).value_or(VideoFormat::png);
  const std::optional<std::string> encoders = format == VideoFormat::png ? std::nullopt : list_of_encoders();
  if (!encoders) {
    open_folder();
    if (format == VideoFormat::png) return;
    note_ =
        "There is no ffmpeg here, so the frames are saved as pictures; with it (package ffmpeg) a film is made by: " +
        std::string("ffmpeg -framerate ") + std::to_string(film_.frames_per_second) + " -i " +
        shell_word(path_ + "/%06d.png") + " -pix_fmt yuv420p " + shell_word(film_.path);
    return;
  }
  const std::string encoder = first_encoder(*encoders, format);
  if (encoder == "mpeg4") note_ = "This ffmpeg has no libx264, so the film is MPEG-4 and not H.264: larger files.";
  if (format == VideoFormat::mp4 && (film_.width % 2 != 0 || film_.height % 2 != 0)) {
    film_.width = std::max(2, film_.width / 2 * 2);
    film_.height = std::max(2, film_.height / 2 * 2);
    note_ += std::string(note_.empty() ? "" : " ") + "H.264 needs even sizes: the film is " +
             text("%d × %d.", film_.width, film_.height);
  }
  if (format == VideoFormat::gif && film_.frames_per_second > kMaxGifRate) {
    film_.frames_per_second = kMaxGifRate;
    note_ = text("A GIF has at most %d frames a second.", kMaxGifRate);
  }
  sink_ = std::make_unique<FfmpegVideo>(film_, format == VideoFormat::gif ? gif_words(film_) : mp4_words(encoder));
}

VideoWriter::~VideoWriter() = default;

void VideoWriter::open_folder() {
  path_ = frame_folder(film_.path);
  sink_ = std::make_unique<FrameFolder>(path_);
}

void VideoWriter::add(const render::Image& image) {
  sink_->add(image);
  ++frames_;
}

std::string VideoWriter::finish() {
  if (frames_ > 0) sink_->finish();
  sink_.reset();
  if (frames_ == 0) return "Nothing was recorded: no time has passed.";
  return "Film saved: " + path_ +
         text(" (%d × %d, %llu frames, %.1f s).", film_.width, film_.height, static_cast<unsigned long long>(frames_),
              static_cast<double>(frames_) / film_.frames_per_second);
}

}  // namespace pericenter::app
