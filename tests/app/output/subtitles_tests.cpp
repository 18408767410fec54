#include "app/output/subtitles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/base/atomic_file.h"
#include "sim/scenes/registry.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Frames of a run from `from` to `to`, 0.1 apart.
void add_frames(double from, double to, Subtitles& subtitles) {
  const int count = static_cast<int>(std::lround(std::abs(to - from) / 0.1));
  for (int k = 0; k <= count; ++k) subtitles.add_frame(from + (to - from) * k / count, 0.1);
}

TEST(Subtitles, BeginInTheFrameThatReachesTheMoment) {
  Subtitles subtitles;
  add_frames(0, 60, subtitles);
  const Caption captions[] = {{12.34, "One."}, {50.0, "Two – ten."}};
  EXPECT_EQ(subtitles.srt(captions, 10),
            "1\n00:00:12,400 --> 00:00:17,400\nOne.\n\n"
            "2\n00:00:50,000 --> 00:00:55,000\nTwo – ten.\n\n");
}

TEST(Subtitles, EndWithTheNextOneAndWithTheVideo) {
  Subtitles subtitles;
  add_frames(0, 60, subtitles);
  const Caption captions[] = {{56.05, "One."}, {58.05, "Two."}};
  EXPECT_EQ(subtitles.srt(captions, 10),
            "1\n00:00:56,100 --> 00:00:58,100\nOne.\n\n"
            "2\n00:00:58,100 --> 00:01:00,100\nTwo.\n\n");
}

TEST(Subtitles, VideoOfAReplayHasThemTwice) {
  Subtitles subtitles;
  add_frames(0, 20, subtitles);
  add_frames(5, 20, subtitles);
  const Caption captions[] = {{10.05, "One."}};
  EXPECT_EQ(subtitles.srt(captions, 10),
            "1\n00:00:10,100 --> 00:00:15,100\nOne.\n\n"
            "2\n00:00:25,200 --> 00:00:30,200\nOne.\n\n");
}

TEST(Subtitles, BackwardsTheMomentIsReachedFromBehind) {
  Subtitles subtitles;
  add_frames(20, 0, subtitles);
  const Caption captions[] = {{10.05, "One."}};
  EXPECT_THAT(subtitles.srt(captions, 10), HasSubstr("00:00:10,000 -->"));
}

TEST(Subtitles, MomentsOutsideTheVideoHaveNone) {
  Subtitles subtitles;
  add_frames(5, 10, subtitles);
  const Caption captions[] = {{4, "Before."}, {11, "After."}};
  EXPECT_THAT(subtitles.srt(captions, 10), IsEmpty());
  EXPECT_THAT(Subtitles().srt(captions, 10), IsEmpty());
}

TEST(Subtitles, AreWrittenBesideTheVideo) {
  const test::TemporaryFolder folder;
  const std::string video = folder.path().string() + "/merger.mp4";
  EXPECT_THAT(write_subtitles(video, ""), IsEmpty());
  EXPECT_FALSE(std::filesystem::exists(folder.path().string() + "/merger.srt"));
  EXPECT_THAT(write_subtitles(video, "1\n"), HasSubstr("merger.srt"));
  std::ifstream file(folder.path().string() + "/merger.srt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "1\n");
  EXPECT_THROW(write_subtitles(folder.path().string() + "/missing/merger.mp4", "1\n"), FileError);
}

TEST(Subtitles, CaptionsOfEvents) {
  const EncounterEvent events[] = {{EncounterEventKind::pericenter, 640, 19.3, 4.6},
                                   {EncounterEventKind::pericenter, 1900, 57, 1}};
  const auto captions = captions_of(events, {3.5, 13.8, 248}, "B: ");
  ASSERT_EQ(captions.size(), 2u);
  EXPECT_EQ(captions[0].time, 19.3);
  EXPECT_EQ(captions[0].sentence, "B: The galaxies pass each other: closest approach, 16 kpc apart.");
  EXPECT_THAT(captions[1].sentence, HasSubstr("again"));
}

TEST(Subtitles, OfAnEncounterBeginWithWhatToWatch) {
  SessionState state;
  state.scene = "collision";
  state.highlight_time = 28.3;
  state.params.dt = 0.1;
  const std::vector<Caption> captions = scene_captions(state);
  ASSERT_EQ(captions.size(), 2u);
  EXPECT_EQ(captions[1].time, 28.3);
  EXPECT_THAT(captions[1].sentence, HasSubstr("Tidal tails!"));
  Subtitles subtitles;
  add_frames(0, 30, subtitles);
  EXPECT_THAT(subtitles.srt(captions, 10), testing::StartsWith("1\n00:00:00,100 --> 00:00:05,100\nTwo galaxies fall"));
}

TEST(Subtitles, SayNothingAboutOtherScenesChangedEncountersAndFiles) {
  SessionState state;
  state.scene = "plummer";
  EXPECT_THAT(scene_captions(state), IsEmpty());
  state.scene = "collision";
  state.scene_request.encounter = *find_scene("collision")->encounter;
  state.scene_request.encounter->mass_ratio = 0.5;
  EXPECT_THAT(scene_captions(state), IsEmpty());
  state.scene_request.encounter.reset();
  state.file = "/tmp/run.hdf5";
  EXPECT_THAT(scene_captions(state), IsEmpty());
}

}  // namespace
}  // namespace pericenter::app
