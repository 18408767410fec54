#include <string>
#include <vector>

#include "tests/support/camera_path.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class CameraPanel : public Panels {
 protected:
  CameraPanel() {
    frame();
    click("camera-panel");
  }
  void right_click(const std::string& label) {
    point_at(*find(label));
    frame();
    press_mouse(true, 1);
    frame();
    asked_for = ui.commands;
    press_mouse(false, 1);
    frame();
  }
  std::vector<Command> asked_for;
};

TEST_F(CameraPanel, SavesViewsOnRightClickAndGoesToThemOnLeftClick) {
  right_click("view-3");
  EXPECT_EQ(asked_for, (std::vector<Command>{{Action::save_camera, 2}}));
  click("view-3");  // empty
  EXPECT_EQ(ui.commands, (std::vector<Command>{{Action::save_camera, 2}}));
  ui.camera.saved[2] = render::CameraPose();
  click("view-3");
  EXPECT_EQ(ui.commands, (std::vector<Command>{{Action::go_to_camera, 2}}));
  right_click("view-3");
  EXPECT_EQ(asked_for, (std::vector<Command>{{Action::save_camera, 2}}));
}

TEST_F(CameraPanel, FollowsAvailableTargets) {
  ui.camera.fly = true;
  open_list("follow");
  EXPECT_FALSE(find("follow/galaxy-1"));
  close_list();
  ui.stars.sample = render::StarSample{.stars = {{}, {{}, 1, 0}}, .chosen = {}};
  ui.stars.probed = 17;
  open_list("follow");
  EXPECT_TRUE(find("follow/star-17"));
  EXPECT_FALSE(find("follow/galaxy-3"));
  click("follow/galaxy-2");
  EXPECT_EQ(ui.view.follow, (Follow{.what = Follow::What::galaxy, .galaxy = 1}));
  EXPECT_FALSE(ui.camera.fly);
}

TEST_F(CameraPanel, LabelsAreOnInTheSolarSystemUntilTheyAreSwitchedOff) {
  state.scene = "solar-system";
  state.has_planets = true;
  click("labels");
  EXPECT_EQ(ui.view.guides.labels, false);
  click("labels");
  EXPECT_EQ(ui.view.guides.labels, true);
  ui.view.guides.labels.reset();
  state.scene = "collision";
  state.has_planets = false;
  click("labels");
  EXPECT_EQ(ui.view.guides.labels, true);
}

TEST_F(CameraPanel, TurnsRulerAndVelocityArrowsOn) {
  click("ruler");
  EXPECT_TRUE(ui.stars.ruler.on);
  click("ruler");
  EXPECT_FALSE(ui.stars.ruler.on);
  click("velocities");
  EXPECT_TRUE(ui.view.guides.velocities);
}

TEST_F(CameraPanel, OffersThePathOfTheScene) {
  open_list("follow");
  click("follow/path");
  EXPECT_EQ(ui.view.follow, (Follow{.what = Follow::What::story})) << "there is none";
  close_list();
  ui.camera.scene_path = some_path();
  open_list("follow");
  click("follow/path");
  EXPECT_EQ(ui.view.follow, (Follow{.what = Follow::What::path}));
}

TEST_F(CameraPanel, TheChoiceToFollowTheStoryOrNothingIsKept) {
  open_list("follow");
  click("follow/none");
  EXPECT_EQ(ui.view.follow, Follow());
  EXPECT_FALSE(ui.layout.side_bar.follows_story);
  close_list();
  ui.camera.fly = true;
  open_list("follow");
  click("follow/story");
  EXPECT_EQ(ui.view.follow, (Follow{.what = Follow::What::story}));
  EXPECT_TRUE(ui.layout.side_bar.follows_story);
  EXPECT_FALSE(ui.camera.fly);
}

TEST_F(CameraPanel, TurnsTheDriftOnAndOff) {
  click("drift");
  EXPECT_TRUE(ui.view.drift);
  click("drift");
  EXPECT_FALSE(ui.view.drift);
}

TEST_F(CameraPanel, EditsAndPlaysPath) {
  click("add-to-path");
  EXPECT_EQ(ui.commands, (std::vector<Command>{{Action::add_camera_key}}));
  click("play-path");
  EXPECT_FALSE(ui.camera.playing_path);
  ui.camera.path = some_path();
  click("play-path");
  EXPECT_TRUE(ui.camera.playing_path);
  click("play-path");
  EXPECT_FALSE(ui.camera.playing_path);
  click("go-to-key-3");
  EXPECT_EQ(ui.camera.go_to, ui.camera.path[2].pose);
  click("remove-key-1");
  EXPECT_EQ(ui.camera.path.size(), 3u);
  EXPECT_EQ(ui.camera.path[0].pose, some_path()[1].pose);
}

TEST_F(CameraPanel, IgnoresDragsFromPanel) {
  const auto input = [&](float x) {
    move_mouse(x, 300);
    frame();
    return camera_input(ImGui::GetIO(), false);
  };
  input(ui.layout.panel_width / 2);
  press_mouse(true);
  frame();
  EXPECT_FALSE(input(ui.layout.panel_width + 400).dragging);
  press_mouse(false);
  frame();
  input(ui.layout.panel_width + 400);
  press_mouse(true);
  frame();
  const CameraInput drag = input(ui.layout.panel_width + 450);
  EXPECT_TRUE(drag.dragging);
  EXPECT_EQ(drag.turn, glm::vec2(50, 0));
  EXPECT_TRUE(input(ui.layout.panel_width / 2).dragging);  // a drag that began over the image
}

}  // namespace
}  // namespace pericenter::app
