// Images and video of the window: a failure is reported, and the window stays usable.
#include "app/window/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "render/headless_context.h"
#include "sim/core/fault_injection.h"
#include "tests/support/fake_ffmpeg.h"
#include "tests/support/program.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A black window of 64 x 48 pixels.
class CaptureTest : public ::testing::Test {
 protected:
  CaptureTest() {
    ::setenv("XDG_PICTURES_DIR", folder.path().c_str(), 1);
    state.scene = "galaxy";
  }
  ~CaptureTest() override { plan_fault(""); }

  CapturedFrame shot() { return {.frame = {}, .state = state, .view = ui.view, .overlay = {}, .annotated = false}; }
  void save_image() {
    capture.request_image(ui);
    for (int frame = 0; frame < 3; ++frame) capture.update(shot(), {{64, 48}, {64, 48}}, ui);
  }
  void record(int frames) {
    capture.start(shot(), {640, 360}, ui);
    for (int frame = 0; frame < frames && ui.output.recording; ++frame) capture.add(shot(), ui);
  }

  const TemporaryFolder folder;
  render::HeadlessContext context;
  render::Renderer renderer;
  Capture capture{renderer};
  SessionState state;
  UiState ui;
};

TEST_F(CaptureTest, AFullDiskIsReportedAndTheNextImageSaved) {
  plan_fault("disk_full:1");
  save_image();
  EXPECT_TRUE(ui.notices.shown.is_error);
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(folder.names().empty());
  save_image();
  EXPECT_FALSE(ui.notices.shown.is_error);
  EXPECT_TRUE(ui.notices.older.empty()) << "the old error does not come back";
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.png"});
}

// Regression: without a folder for pictures the message had only the name of the file.
TEST_F(CaptureTest, TheMessageShowsTheFolder) {
  const auto before = std::filesystem::current_path();
  const std::string saved = (folder / "pericenter-galaxy-0001.png").string();
  const char* variable = std::getenv("HOME");
  const std::string home = variable ? variable : "";
  // Mesa may create HOME for its cache; below a file it cannot.
  ::setenv("XDG_PICTURES_DIR", "/dev/null/none", 1);
  ::setenv("HOME", "/dev/null/none", 1);
  std::filesystem::current_path(folder.path());
  save_image();
  std::filesystem::current_path(before);
  ::setenv("HOME", home.c_str(), 1);
  EXPECT_THAT(ui.notices.shown.text, testing::StartsWith("Image saved: " + saved + " ("));
  EXPECT_EQ(ui.output.last_path, saved);
}

TEST_F(CaptureTest, AFullDiskAtTheEndOfAVideoIsReported) {
  test::ProgramPath path(false);
  path.add("ffmpeg", test::with_encoders("libx264") + "for last; do :; done; cat > \"${last#file:}\"");
  plan_fault("disk_full");
  record(3);
  EXPECT_TRUE(ui.output.recording);
  capture.stop(ui);
  EXPECT_FALSE(ui.output.recording);
  EXPECT_TRUE(ui.notices.shown.is_error);
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(CaptureTest, AnFfmpegCrashEndsOnlyTheVideo) {
  test::ProgramPath path(false);
  path.add("ffmpeg", test::with_encoders("libx264") + "head -c 1000000 > /dev/null; kill -9 $$");
  record(20);
  EXPECT_FALSE(ui.output.recording);
  EXPECT_TRUE(ui.notices.shown.is_error);
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("ffmpeg failed with exit code 137"));
  EXPECT_TRUE(folder.names().empty());
  save_image();
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.png"});
}

/// The window calls update() in every frame, and add() only while the video does not wait.
TEST_F(CaptureTest, AnFfmpegThatHangsDoesNotStopTheWindow) {
  for (const std::string& script :
       {std::string("exec sleep 1000"), test::with_encoders("libx264") + "exec sleep 1000"}) {
    test::ProgramPath path(false);
    path.add("ffmpeg", script);
    Capture impatient(renderer, 1.0);
    ui.notices.shown = {};
    ui.output.video = VideoSize::small;
    impatient.toggle_recording();
    double slowest = 0;
    for (int frame = 0; frame < 200 && !ui.notices.shown.is_error; ++frame) {
      const auto start = std::chrono::steady_clock::now();
      impatient.update(shot(), {{64, 48}, {64, 48}}, ui);
      if (!impatient.waits()) impatient.add(shot(), ui);
      if (frame > 0) slowest = std::max(slowest, seconds_since(start));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_LT(slowest, 0.5);
    EXPECT_TRUE(ui.notices.shown.is_error);
    EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("ffmpeg"));
    EXPECT_FALSE(ui.output.recording);
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST_F(CaptureTest, AVideoIsFinishedInTheBackground) {
  const TemporaryFolder marks;
  const std::string may_end = (marks / "may end").string();
  test::ProgramPath path(false);
  path.add("ffmpeg", test::with_encoders("libx264") + "for last; do :; done; cat > \"${last#file:}\"; while [ ! -e '" +
                         may_end + "' ]; do sleep 0.02; done");
  record(3);
  capture.toggle_recording();
  for (int frame = 0; frame < 3; ++frame) {
    capture.update(shot(), {{64, 48}, {64, 48}}, ui);
    EXPECT_TRUE(capture.busy());
  }
  write_text(may_end, "");
  EXPECT_TRUE(test::eventually([&] {
    capture.update(shot(), {{64, 48}, {64, 48}}, ui);
    return !capture.busy();
  }));
  EXPECT_THAT(ui.notices.shown.text, testing::HasSubstr("Video saved"));
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.mp4"});
}

}  // namespace
}  // namespace pericenter::app
