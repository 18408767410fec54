#include "app/window/camera_controller.h"

#include <gtest/gtest.h>

#include "render/headless_context.h"
#include "tests/support/camera_path.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

TEST(CameraController, WithReducedMotionAPathDoesNotPlayByItself) {
  const render::HeadlessContext context;
  const TemporaryFolder folder;
  const std::string file = folder / "path.csv";
  CameraState stored;
  stored.path = some_path();
  CameraStore(file).save(stored);
  for (const bool reduced : {false, true}) {
    UiState ui;
    ui.presentation.reduced_motion = reduced;
    Viewport view("");
    CameraController(std::string(), view).load(file, ui);
    EXPECT_EQ(ui.camera.path.size(), stored.path.size());
    EXPECT_EQ(ui.camera.playing_path, !reduced);
    play_path(true, ui.camera);
    EXPECT_TRUE(ui.camera.playing_path) << "Play was pressed";
  }
}

}  // namespace
}  // namespace pericenter::app
