#include <algorithm>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class OutputPanel : public Panels {
 protected:
  OutputPanel() {
    click("Pictures and films");
    frame();
  }

  bool commanded(Action action) const {
    return std::find(ui.commands.begin(), ui.commands.end(), Command{action}) != ui.commands.end();
  }
};

TEST_F(OutputPanel, ButtonsAskForAPictureAndForAFilm) {
  click("Save a picture");
  EXPECT_TRUE(commanded(Action::screenshot));
  click("Record");
  EXPECT_TRUE(commanded(Action::toggle_recording));
}

TEST_F(OutputPanel, ButtonsCopyAndPasteTheSceneThatTheLineTells) {
  click("Copy scene");
  EXPECT_TRUE(commanded(Action::copy_scene));
  click("Paste scene");
  EXPECT_TRUE(commanded(Action::paste_scene));
  const auto line = find("Scene string");
  ASSERT_TRUE(line);
  const float height = line->y1 - line->y0;
  scene_string += " theta=0.5 dt=0.01 softening-now=0.1 camera=0,0,0,-1.25,0.52,45.494602 solver=tree-sorted";
  frame();
  EXPECT_GT(find("Scene string")->y1 - find("Scene string")->y0, 1.5f * height) << "it is wrapped, not cut off";
}

TEST_F(OutputPanel, SizesFormatAndAnnotationsAreChosen) {
  open_list("Picture size");
  click("7680 × 4320");
  EXPECT_EQ(ui.output.still, StillSize::uhd8k);
  open_list("Film");
  click("GIF");
  EXPECT_EQ(ui.output.format, VideoFormat::gif);
  open_list("Film size");
  click("640 × 360");
  EXPECT_EQ(ui.output.film, VideoSize::small);
  click("With scale bar, clock and legend");
  EXPECT_FALSE(ui.output.annotated);
}

TEST_F(OutputPanel, AFilmInTheMakingKeepsItsFormatAndTellsItsLength) {
  EXPECT_FALSE(find("Recorded"));
  ui.output.recording = true;
  ui.output.recorded_frames = 90;
  frame();
  EXPECT_TRUE(find("Recorded"));
  const VideoFormat before = ui.output.format;
  open_list("Film");
  EXPECT_FALSE(find("GIF"));
  EXPECT_EQ(ui.output.format, before);
  click("Record");
  EXPECT_TRUE(commanded(Action::toggle_recording));
}

TEST_F(OutputPanel, TheRedDotIsThereOnlyWhileRecordingPanelOrNot) {
  for (const bool panel : {true, false}) {
    ui.show_panel = panel;
    ui.output.recording = false;
    frame();
    const int before = ImGui::GetForegroundDrawList()->VtxBuffer.Size;
    ui.output.recording = true;
    frame();
    EXPECT_GT(ImGui::GetForegroundDrawList()->VtxBuffer.Size, before);
  }
}

TEST_F(OutputPanel, TheLastFileIsNamed) {
  EXPECT_FALSE(find("Saved last"));
  ui.output.last_path = "pericenter-galaxy-0001.png";
  frame();
  EXPECT_TRUE(find("Saved last"));
}

}  // namespace
}  // namespace pericenter::app
