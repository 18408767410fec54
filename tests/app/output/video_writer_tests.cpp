#include "app/output/video_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "app/base/atomic_file.h"
#include "tests/support/fake_ffmpeg.h"

namespace pericenter::app {
namespace {

using test::ProgramPath;
using test::with_encoders;

/// Output of a command; empty if it fails.
std::string answer_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen((command + " 2>/dev/null").c_str(), "r"), &::pclose);
  std::string answer;
  for (int letter; pipe && (letter = std::fgetc(pipe.get())) != EOF;) answer += static_cast<char>(letter);
  return answer;
}

bool has(const std::string& program) {
  return !answer_of("command -v " + program).empty();
}

/// Frame `number` of a video: a moving bright bar.
render::Image frame(const VideoWriter& video, int number) {
  const std::size_t width = static_cast<std::size_t>(video.width()), height = static_cast<std::size_t>(video.height());
  render::Image image{video.width(), video.height(), std::vector<std::uint8_t>(3 * width * height, 20)};
  for (std::size_t y = 0; y < height; ++y) image.rgb[3 * (y * width + static_cast<std::size_t>(number))] = 250;
  return image;
}

std::string write_video(const VideoRequest& request, int frames) {
  VideoWriter video(request);
  for (int k = 0; k < frames; ++k) video.add(frame(video, k));
  return video.finish();
}

/// Message of the FileError that writing a video throws; empty if none.
std::string failure_of(const VideoRequest& request, int frames) {
  try {
    write_video(request, frames);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

std::string probe(const std::filesystem::path& video, const std::string& entries) {
  return answer_of("ffprobe -v error -count_frames -show_entries stream=" + entries + " -of csv=p=0 '" +
                   video.string() + "'");
}

TEST(VideoWriter, WritesH264WithSizeRateAndLength) {
  if (!has("ffmpeg") || !has("ffprobe")) GTEST_SKIP() << "ffmpeg is not installed";
  const TemporaryFolder folder;
  const std::string words = write_video({folder / "a film.mp4", 161, 91, 24}, 8);
  EXPECT_THAT(words, testing::HasSubstr("160 × 90, 8 frames, 0.3 s"));
  EXPECT_EQ(folder.names(), Names{"a film.mp4"});
  EXPECT_EQ(probe(folder / "a film.mp4", "codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames"),
            "h264,160,90,yuv420p,24/1,8\n");
  // "+faststart": the index precedes the frames, so that browsers can start playing.
  const std::string bytes = text_of(folder / "a film.mp4");
  EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
}

TEST(VideoWriter, WritesGifWithinItsLimits) {
  if (!has("ffmpeg") || !has("ffprobe")) GTEST_SKIP() << "ffmpeg is not installed";
  const TemporaryFolder folder;
  VideoWriter video({folder / "a.gif", 33, 21, 60});
  EXPECT_EQ(video.frames_per_second(), 50);
  EXPECT_THAT(video.note(), testing::HasSubstr("50"));
  for (int k = 0; k < 5; ++k) video.add(frame(video, k));
  video.finish();
  EXPECT_EQ(folder.names(), Names{"a.gif"});
  EXPECT_EQ(probe(folder / "a.gif", "codec_name,width,height,r_frame_rate,nb_read_frames"), "gif,33,21,50/1,5\n");
}

TEST(VideoWriter, WritesNumberedReproducibleImages) {
  const TemporaryFolder folder;
  for (const char* name : {"one.png", "two.png"}) EXPECT_NE(write_video({folder / name, 33, 21, 60}, 3), "");
  EXPECT_EQ(folder.names(), (Names{"one-frames", "two-frames"}));
  for (const char* name : {"000001.png", "000002.png", "000003.png"}) {
    const std::string picture = text_of(folder / "one-frames" / name);
    EXPECT_GT(picture.size(), 50u) << name;
    EXPECT_EQ(picture, text_of(folder / "two-frames" / name));
  }
  EXPECT_NE(text_of(folder / "one-frames" / "000001.png"), text_of(folder / "one-frames" / "000002.png"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "one-frames"), {}), 3);
}

TEST(VideoWriter, KeepsExistingImages) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a-frames");
  write_text(folder / "a-frames" / "000001.png", "mine");
  EXPECT_THAT(failure_of({folder / "a.png", 8, 8, 60}, 1), testing::HasSubstr("a-frames"));
  EXPECT_EQ(text_of(folder / "a-frames" / "000001.png"), "mine");
}

TEST(VideoWriter, WithoutFfmpegWritesImagesAndExplains) {
  const TemporaryFolder folder;
  const ProgramPath none(true);
  VideoWriter video({folder / "a.mp4", 8, 8, 30});
  video.add(frame(video, 0));
  EXPECT_THAT(video.finish(), testing::HasSubstr("a-frames"));
  EXPECT_THAT(video.note(), testing::HasSubstr("ffmpeg -framerate 30 -i '"));
  EXPECT_THAT(video.note(), testing::HasSubstr("a-frames/%06d.png'"));
  EXPECT_EQ(folder.names(), Names{"a-frames"});
}

TEST(VideoWriter, WithoutH264UsesAnotherEncoder) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg",
           with_encoders("mpeg4 gif") + "for last; do :; done; cat > /dev/null; echo \"$*\" > \"${last#file:}\"");
  VideoWriter video({folder / "a.mp4", 8, 8, 30});
  EXPECT_THAT(video.note(), testing::HasSubstr("MPEG-4"));
  video.add(frame(video, 0));
  video.finish();
  EXPECT_THAT(text_of(folder / "a.mp4"), testing::HasSubstr("-c:v mpeg4 "));
}

TEST(VideoWriter, WithoutEncodersReportsIt) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("flac"));
  const std::string words = failure_of({folder / "a.mp4", 8, 8, 30}, 1);
  EXPECT_THAT(words, testing::HasSubstr("libx264"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(VideoWriter, FfmpegErrorsAreQuotedAndLeaveNothing) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  write_text(folder / "a.mp4", "old");
  path.add("ffmpeg", "echo 'libx264.so: not found' >&2; exit 127");
  EXPECT_THAT(failure_of({folder / "a.mp4", 8, 8, 30}, 1), testing::HasSubstr("libx264.so: not found"));
  // Immediately, between frames, and after the last frame.
  for (const char* end : {"", "head -c 2000000 > /dev/null;", "cat > /dev/null;"}) {
    path.add("ffmpeg", with_encoders("libx264") + end + " echo more >&2; echo 'No space left on device' >&2; exit 1");
    const std::string words = failure_of({folder / "a.mp4", 640, 360, 30}, 8);
    EXPECT_THAT(words, testing::HasSubstr("(No space left on device)"));
    EXPECT_THAT(words, testing::HasSubstr("a.mp4"));
  }
  path.add("ffmpeg", with_encoders("libx264") + "cat > /dev/null; echo 'No space' >&2; exit 0");
  EXPECT_THAT(failure_of({folder / "a.mp4", 640, 360, 30}, 8), testing::HasSubstr("(No space)"));
  path.add("ffmpeg", with_encoders("libx264") + "head -c 100000 > /dev/null; kill -9 $$");
  EXPECT_THAT(failure_of({folder / "a.mp4", 640, 360, 30}, 8), testing::HasSubstr("137"));
  EXPECT_EQ(folder.names(), Names{"a.mp4"});
  EXPECT_EQ(text_of(folder / "a.mp4"), "old");
}

TEST(VideoWriter, AnFfmpegThatHangsIsGivenUp) {
  const TemporaryFolder folder;
  write_text(folder / "a.mp4", "old");
  VideoRequest request{folder / "a.mp4", 640, 360, 30};
  request.patience = [] { return 0.3; };
  // Without an answer, without reading, and after the last frame; with a process of its own or all processor time.
  const std::string sleeps = "sleep 1000; exit 0", computes = "while :; do :; done";
  std::vector<std::string> scripts;
  for (const std::string& hangs : {sleeps, computes}) {
    const std::string encoders = with_encoders("libx264");
    scripts.insert(scripts.end(), {hangs, encoders + hangs, encoders + "cat > /dev/null; " + hangs});
  }
  for (const std::string& script : scripts) {
    ProgramPath path(false);
    path.add("ffmpeg", script);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THAT(failure_of(request, 8), testing::HasSubstr("ffmpeg")) << script;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << script;
    EXPECT_EQ(folder.names(), Names{"a.mp4"});
    EXPECT_EQ(text_of(folder / "a.mp4"), "old");
  }
}

TEST(VideoWriter, AnFfmpegThatWorksForLongIsNotGivenUp) {
  const TemporaryFolder folder;
  VideoRequest request{folder / "a.mp4", 64, 48, 30};
  request.patience = [] { return 1.0; };
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("libx264") +
                         "cat > /dev/null; for last; do :; done; for k in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 0.1; "
                         "echo $k; done > \"${last#file:}\"; echo done > \"${last#file:}\"");
  EXPECT_EQ(failure_of(request, 2), "");
  EXPECT_EQ(text_of(folder / "a.mp4"), "done\n");
}

TEST(VideoWriter, AddingAFrameDoesNotWait) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("libx264") + "exec sleep 1000");
  const auto start = std::chrono::steady_clock::now();
  {
    VideoWriter video({folder / "a.mp4", 640, 360, 30});
    for (int k = 0; k < 8; ++k) video.add(frame(video, k));
    EXPECT_TRUE(video.full());
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

TEST(VideoWriter, AnEmptyVideoDoesNotReplaceTheOldOne) {
  const TemporaryFolder folder;
  write_text(folder / "a.mp4", "old");
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("libx264") + "cat > /dev/null; exit 0");
  EXPECT_THAT(failure_of({folder / "a.mp4", 640, 360, 30}, 8), testing::HasSubstr("wrote nothing"));
  EXPECT_EQ(text_of(folder / "a.mp4"), "old");
}

TEST(VideoWriter, UnfinishedOrEmptyVideosLeaveNothing) {
  const TemporaryFolder folder;
  for (const char* name : {"a.mp4", "a.gif", "a.png"}) {
    EXPECT_THAT(write_video({folder / name, 8, 8, 30}, 0), testing::HasSubstr("Nothing"));
  }
  if (has("ffmpeg")) {
    VideoWriter video({folder / "a.mp4", 8, 8, 30});
    video.add(frame(video, 0));
  }
  EXPECT_TRUE(folder.names().empty()) << folder.names().front();
}

TEST(VideoWriter, NeedsAFolder) {
  const TemporaryFolder folder;
  for (const char* name : {"none/a.mp4", "none/a.png"}) {
    const std::string words = failure_of({folder / name, 8, 8, 30}, 1);
    EXPECT_THAT(words, testing::HasSubstr("none/a"));
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(VideoFormat, IsTheExtensionOfTheName) {
  EXPECT_EQ(video_format("a.mp4"), VideoFormat::mp4);
  EXPECT_EQ(video_format("b/a.GIF"), VideoFormat::gif);
  EXPECT_EQ(video_format("a.b.png"), VideoFormat::png);
  for (const char* other : {"a", "a.avi", "mp4", ".mp4", ""}) EXPECT_FALSE(video_format(other)) << other;
}

}  // namespace
}  // namespace pericenter::app
