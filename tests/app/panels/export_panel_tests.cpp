#include <algorithm>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class ExportPanel : public Panels {
 protected:
  ExportPanel() {
    click("export-panel");
    frame();
  }

  bool commanded(Action action) const {
    return std::find(ui.commands.begin(), ui.commands.end(), Command{action}) != ui.commands.end();
  }
};

TEST_F(ExportPanel, SavesImageAndRecords) {
  click("save-image");
  EXPECT_TRUE(commanded(Action::screenshot));
  click("record");
  EXPECT_TRUE(commanded(Action::toggle_recording));
}

TEST_F(ExportPanel, CopiesAndPastesScene) {
  click("copy-scene");
  EXPECT_TRUE(commanded(Action::copy_scene));
  click("paste-scene");
  EXPECT_TRUE(commanded(Action::paste_scene));
  const auto line = find("scene-string");
  ASSERT_TRUE(line);
  const float height = line->y1 - line->y0;
  scene_string += " theta=0.5 dt=0.01 softening-now=0.1 camera=0,0,0,-1.25,0.52,45.494602 solver=tree-sorted";
  frame();
  EXPECT_GT(find("scene-string")->y1 - find("scene-string")->y0, 1.5f * height) << "it is wrapped, not cut off";
}

TEST_F(ExportPanel, CopiesAndShowsTheSystemReport) {
  EXPECT_FALSE(find("system-report"));
  click("copy-report");
  EXPECT_STREQ(ImGui::GetClipboardText(), system_report.c_str());
  EXPECT_EQ(ui.notices.shown.text, "System report copied.");
  click("show-report");
  EXPECT_TRUE(find("system-report"));
  click("show-report");
  frame();
  EXPECT_FALSE(find("system-report"));
}

TEST_F(ExportPanel, AddsASlideToTheLessonOfThisName) {
  EXPECT_EQ(ui.lessons.add_to, "my-lesson");
  click("lesson-name");
  type("s");
  EXPECT_EQ(ui.lessons.add_to, "my-lessons");
  click("add-slide");
  EXPECT_TRUE(commanded(Action::add_slide));
}

TEST_F(ExportPanel, SelectsSizeFormatAndAnnotations) {
  choose("image-size", "8k");
  EXPECT_EQ(ui.output.still, StillSize::uhd8k);
  choose("video-format", "gif");
  EXPECT_EQ(ui.output.format, VideoFormat::gif);
  choose("video-size", "small");
  EXPECT_EQ(ui.output.video, VideoSize::small);
  click("annotate");
  EXPECT_FALSE(ui.output.annotated);
}

TEST_F(ExportPanel, LocksFormatWhileRecording) {
  EXPECT_FALSE(find("recorded"));
  ui.output.recording = true;
  ui.output.recorded_frames = 90;
  frame();
  EXPECT_TRUE(find("recorded"));
  const VideoFormat before = ui.output.format;
  open_list("video-format");
  EXPECT_FALSE(find("video-format/gif"));
  EXPECT_EQ(ui.output.format, before);
  click("record");
  EXPECT_TRUE(commanded(Action::toggle_recording));
}

TEST_F(ExportPanel, DrawsRecordingMark) {
  for (const bool panel : {true, false}) {
    ui.layout.show_panel = panel;
    ui.output.recording = false;
    frame();
    const int before = ImGui::GetForegroundDrawList()->VtxBuffer.Size;
    ui.output.recording = true;
    frame();
    EXPECT_GT(ImGui::GetForegroundDrawList()->VtxBuffer.Size, before);
  }
}

TEST_F(ExportPanel, ShowsLastFile) {
  EXPECT_FALSE(find("last-saved"));
  ui.output.last_path = "pericenter-galaxy-0001.png";
  frame();
  EXPECT_TRUE(find("last-saved"));
}

// Regression: it was drawn over them.
TEST_F(Panels, TheRecordingMarkIsBelowTheLabelsOfAComparison) {
  ui.output.recording = true;
  frame();
  ASSERT_TRUE(find("recorded-0"));
  const float alone = find("recorded-0")->y0;
  ui.comparison.phase = ComparisonState::Phase::on;
  ui.comparison.differences = {{"θ", "0.3", "0.7"}, {"dt", "1", "2"}};
  frame();
  EXPECT_GE(find("recorded-0")->y0, alone + 2 * 1.2f * fonts.text->FontSize);
}

}  // namespace
}  // namespace pericenter::app
