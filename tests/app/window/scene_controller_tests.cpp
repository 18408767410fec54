#include "app/window/scene_controller.h"

#include <gtest/gtest.h>

#include "render/headless_context.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class SceneControllers : public Panels {
 protected:
  SceneControllers() {
    options_.paused = true;
    ui.view.pause_at_highlight = true;
    state.highlight_time = 10;
  }
  /// Whether the controller pauses when the time is `time`, after it was `before`.
  bool pauses(double before, double time, double dt) {
    state.params.dt = dt;
    state.time = before;
    controller_.update(state);
    ui.requests.clear();
    state.time = time;
    controller_.update(state);
    const auto play = asked<request::Play>();
    return play && !play->running;
  }

 private:
  Options options_;

 protected:
  render::HeadlessContext context_;
  SimulationThread simulation_;
  Viewport view_{""};
  SceneController controller_{options_, simulation_, view_, ui};
};

// Regression: the error of an earlier paste came back after a successful one.
TEST_F(SceneControllers, ASuccessfulPasteClearsEarlierErrors) {
  const UiFrame view{.simulation = state, .now = 1};
  add_notice({"The scene is too large.", true, 0, {}, NoticeSource::simulation}, ui);
  ImGui::SetClipboardText("no scene");
  controller_.paste(view);
  controller_.paste(view);
  EXPECT_TRUE(ui.notice.is_error);
  EXPECT_EQ(ui.older_notices.size(), 1u) << "a second error replaces the first";
  ImGui::SetClipboardText("pericenter/1 scene=plummer n=100");
  controller_.paste(view);
  EXPECT_EQ(ui.notice.text, "Scene string pasted.");
  EXPECT_TRUE(ui.older_notices.empty());
}

TEST_F(SceneControllers, PauseAtTheHighlightInBothDirections) {
  EXPECT_TRUE(pauses(9.9, 10, 0.1));
  EXPECT_FALSE(pauses(10, 10.1, 0.1)) << "Play continues";
  EXPECT_TRUE(pauses(10.1, 9.95, -0.1));
  EXPECT_FALSE(pauses(10, 9.9, -0.1));
  EXPECT_FALSE(pauses(12, 9, 0.1)) << "a jump back, such as Reset";
  EXPECT_FALSE(pauses(9, 12, -0.1));
  ui.view.pause_at_highlight = false;
  EXPECT_FALSE(pauses(10.1, 9.95, -0.1));
}

}  // namespace
}  // namespace pericenter::app
