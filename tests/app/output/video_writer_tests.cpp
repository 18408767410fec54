#include "app/output/video_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "app/base/atomic_file.h"
#include "tests/support/fake_ffmpeg.h"

namespace pericenter::app {
namespace {

using tests::ProgramPath;
using tests::with_encoders;

/// What a command prints; empty when it fails.
std::string answer_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen((command + " 2>/dev/null").c_str(), "r"), &::pclose);
  std::string answer;
  for (int letter; pipe && (letter = std::fgetc(pipe.get())) != EOF;) answer += static_cast<char>(letter);
  return answer;
}

bool has(const std::string& program) {
  return !answer_of("command -v " + program).empty();
}

/// Number `number` of a film: a bright bar that moves.
render::Image frame(const VideoWriter& film, int number) {
  const std::size_t width = static_cast<std::size_t>(film.width()), height = static_cast<std::size_t>(film.height());
  render::Image image{film.width(), film.height(), std::vector<std::uint8_t>(3 * width * height, 20)};
  for (std::size_t y = 0; y < height; ++y) image.rgb[3 * (y * width + static_cast<std::size_t>(number))] = 250;
  return image;
}

std::string film_of(const VideoRequest& request, int frames) {
  VideoWriter film(request);
  for (int k = 0; k < frames; ++k) film.add(frame(film, k));
  return film.finish();
}

/// What the FileError says that making a film throws; empty when it throws none.
std::string failure_of(const VideoRequest& request, int frames) {
  try {
    film_of(request, frames);
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

std::string probe(const std::filesystem::path& film, const std::string& entries) {
  return answer_of("ffprobe -v error -count_frames -show_entries stream=" + entries + " -of csv=p=0 '" + film.string() +
                   "'");
}

TEST(VideoWriter, MakesH264OfTheRightLengthSizeAndRate) {
  if (!has("ffmpeg") || !has("ffprobe")) GTEST_SKIP() << "there is no ffmpeg here";
  const TemporaryFolder folder;
  const std::string words = film_of({folder / "a film.mp4", 161, 91, 24}, 8);
  EXPECT_THAT(words, testing::HasSubstr("160 × 90, 8 frames, 0.3 s"));
  EXPECT_EQ(folder.names(), Names{"a film.mp4"});
  EXPECT_EQ(probe(folder / "a film.mp4", "codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames"),
            "h264,160,90,yuv420p,24/1,8\n");
  // "+faststart": what a browser must know before it plays comes before the frames.
  const std::string bytes = text_of(folder / "a film.mp4");
  EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
}

TEST(VideoWriter, MakesAGifAndKeepsToWhatAGifCanDo) {
  if (!has("ffmpeg") || !has("ffprobe")) GTEST_SKIP() << "there is no ffmpeg here";
  const TemporaryFolder folder;
  VideoWriter film({folder / "a.gif", 33, 21, 60});
  EXPECT_EQ(film.frames_per_second(), 50);
  EXPECT_THAT(film.note(), testing::HasSubstr("50"));
  for (int k = 0; k < 5; ++k) film.add(frame(film, k));
  film.finish();
  EXPECT_EQ(folder.names(), Names{"a.gif"});
  EXPECT_EQ(probe(folder / "a.gif", "codec_name,width,height,r_frame_rate,nb_read_frames"), "gif,33,21,50/1,5\n");
}

TEST(VideoWriter, PicturesAreNumberedAndTheSameEachTime) {
  const TemporaryFolder folder;
  for (const char* name : {"one.png", "two.png"}) EXPECT_NE(film_of({folder / name, 33, 21, 60}, 3), "");
  EXPECT_EQ(folder.names(), (Names{"one-frames", "two-frames"}));
  for (const char* name : {"000001.png", "000002.png", "000003.png"}) {
    const std::string picture = text_of(folder / "one-frames" / name);
    EXPECT_GT(picture.size(), 50u) << name;
    EXPECT_EQ(picture, text_of(folder / "two-frames" / name));
  }
  EXPECT_NE(text_of(folder / "one-frames" / "000001.png"), text_of(folder / "one-frames" / "000002.png"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "one-frames"), {}), 3);
}

TEST(VideoWriter, LeavesPicturesThatAreThereAlone) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a-frames");
  write_text(folder / "a-frames" / "000001.png", "mine");
  EXPECT_THAT(failure_of({folder / "a.png", 8, 8, 60}, 1), testing::HasSubstr("a-frames"));
  EXPECT_EQ(text_of(folder / "a-frames" / "000001.png"), "mine");
}

TEST(VideoWriter, WithoutFfmpegMakesPicturesAndSaysHowToGoOn) {
  const TemporaryFolder folder;
  const ProgramPath none(true);
  VideoWriter film({folder / "a.mp4", 8, 8, 30});
  film.add(frame(film, 0));
  EXPECT_THAT(film.finish(), testing::HasSubstr("a-frames"));
  EXPECT_THAT(film.note(), testing::HasSubstr("ffmpeg -framerate 30 -i '"));
  EXPECT_THAT(film.note(), testing::HasSubstr("a-frames/%06d.png'"));
  EXPECT_EQ(folder.names(), Names{"a-frames"});
}

TEST(VideoWriter, WithoutH264TakesAnotherEncoder) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg",
           with_encoders("mpeg4 gif") + "for last; do :; done; cat > /dev/null; echo \"$*\" > \"${last#file:}\"");
  VideoWriter film({folder / "a.mp4", 8, 8, 30});
  EXPECT_THAT(film.note(), testing::HasSubstr("MPEG-4"));
  film.add(frame(film, 0));
  film.finish();
  EXPECT_THAT(text_of(folder / "a.mp4"), testing::HasSubstr("-c:v mpeg4 "));
}

TEST(VideoWriter, WithoutAnyEncoderSaysSo) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("flac"));
  const std::string words = failure_of({folder / "a.mp4", 8, 8, 30}, 1);
  EXPECT_THAT(words, testing::HasSubstr("libx264"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(VideoWriter, AnFfmpegThatFailsIsQuotedAndLeavesNothing) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  write_text(folder / "a.mp4", "the film before");
  path.add("ffmpeg", "echo 'libx264.so: not found' >&2; exit 127");
  EXPECT_THAT(failure_of({folder / "a.mp4", 8, 8, 30}, 1), testing::HasSubstr("libx264.so: not found"));
  // At once, in the middle of the frames, and after the last.
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
  EXPECT_EQ(text_of(folder / "a.mp4"), "the film before");
}

TEST(VideoWriter, WhatIsNotFinishedOrEmptyLeavesNothing) {
  const TemporaryFolder folder;
  for (const char* name : {"a.mp4", "a.gif", "a.png"}) {
    EXPECT_THAT(film_of({folder / name, 8, 8, 30}, 0), testing::HasSubstr("Nothing"));
  }
  if (has("ffmpeg")) {
    VideoWriter film({folder / "a.mp4", 8, 8, 30});
    film.add(frame(film, 0));
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

TEST(VideoFormat, IsTheEndingOfTheName) {
  EXPECT_EQ(video_format("a.mp4"), VideoFormat::mp4);
  EXPECT_EQ(video_format("b/a.GIF"), VideoFormat::gif);
  EXPECT_EQ(video_format("a.b.png"), VideoFormat::png);
  for (const char* other : {"a", "a.avi", "mp4", ".mp4", ""}) EXPECT_FALSE(video_format(other)) << other;
}

}  // namespace
}  // namespace pericenter::app
