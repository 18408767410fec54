// Images and video of the window: a failure is reported, and the window stays usable.
#include "app/window/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "render/headless_context.h"
#include "sim/core/fault_injection.h"
#include "tests/support/fake_ffmpeg.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

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
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(folder.names().empty());
  save_image();
  EXPECT_FALSE(ui.notice.is_error);
  EXPECT_TRUE(ui.older_notices.empty()) << "the old error does not come back";
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.png"});
}

// Regression: without a folder for pictures the message had only the name of the file.
TEST_F(CaptureTest, TheMessageShowsTheFolder) {
  const auto before = std::filesystem::current_path();
  const std::string saved = (folder / "pericenter-galaxy-0001.png").string();
  ::setenv("XDG_PICTURES_DIR", "/nonexistent", 1);
  ::setenv("HOME", "/nonexistent", 1);
  std::filesystem::current_path(folder.path());
  save_image();
  std::filesystem::current_path(before);
  EXPECT_THAT(ui.notice.text, testing::StartsWith("Image saved: " + saved + " ("));
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
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(CaptureTest, AnFfmpegCrashEndsOnlyTheVideo) {
  test::ProgramPath path(false);
  path.add("ffmpeg", test::with_encoders("libx264") + "head -c 1000000 > /dev/null; kill -9 $$");
  record(20);
  EXPECT_FALSE(ui.output.recording);
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("ffmpeg failed with exit code 137"));
  EXPECT_TRUE(folder.names().empty());
  save_image();
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.png"});
}

}  // namespace
}  // namespace pericenter::app
