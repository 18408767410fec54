// What the window saves: a failure is told, and the window goes on.
#include "app/window/capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "render/headless_context.h"
#include "sim/core/fault_injection.h"
#include "tests/support/fake_ffmpeg.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

/// A window of 64 x 48 pixels in which nothing shines.
class Output : public ::testing::Test {
 protected:
  Output() {
    ::setenv("XDG_PICTURES_DIR", folder.path().c_str(), 1);
    state.scene = "galaxy";
  }
  ~Output() override { plan_fault(""); }

  Shot shot() { return {.frame = {}, .state = state, .view = ui.view, .overlay = {}, .annotated = false}; }
  void save_picture() {
    output.apply({Action::screenshot}, ui);
    for (int frame = 0; frame < 3; ++frame) output.save_wanted(shot(), {{64, 48}, {64, 48}}, ui);
  }
  void record(int frames) {
    output.start(shot(), {640, 360}, ui);
    for (int frame = 0; frame < frames && ui.output.recording; ++frame) output.add(shot(), ui);
  }

  const TemporaryFolder folder;
  render::HeadlessContext context;
  render::Renderer renderer;
  Capture output{renderer};
  SessionState state;
  UiState ui;
};

TEST_F(Output, AFullDiskIsToldAndTheNextPictureIsSaved) {
  plan_fault("disk_full:1");
  save_picture();
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(folder.names().empty());
  save_picture();
  EXPECT_FALSE(ui.notice.is_error);
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.png"});
}

TEST_F(Output, AFullDiskAtTheEndOfAFilmIsTold) {
  tests::ProgramPath path(false);
  path.add("ffmpeg", tests::with_encoders("libx264") + "for last; do :; done; cat > \"${last#file:}\"");
  plan_fault("disk_full");
  record(3);
  EXPECT_TRUE(ui.output.recording);
  output.stop(ui);
  EXPECT_FALSE(ui.output.recording);
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(Output, AnFfmpegThatDiesEndsTheFilmAndNothingElse) {
  tests::ProgramPath path(false);
  path.add("ffmpeg", tests::with_encoders("libx264") + "head -c 1000000 > /dev/null; kill -9 $$");
  record(20);
  EXPECT_FALSE(ui.output.recording);
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_THAT(ui.notice.text, testing::HasSubstr("ffmpeg ended with 137"));
  EXPECT_TRUE(folder.names().empty());
  save_picture();
  EXPECT_EQ(folder.names(), Names{"pericenter-galaxy-0001.png"});
}

}  // namespace
}  // namespace pericenter::app
