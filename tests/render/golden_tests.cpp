// Images against golden images; see golden_image.h for the tolerances.
#include <gtest/gtest.h>

#include "tests/render/golden_image.h"

namespace pericenter::render {
namespace {

TEST(Golden, SplatByComponent) {
  Scene scene = two_spirals(30'000);
  scene.settings.style = StarStyle::splat;
  expect_golden("splat_component", scene);
}

TEST(Golden, SpritesByComponentWithHalo) {
  Scene scene = two_spirals(1'500);
  scene.settings.style = StarStyle::sprites;
  scene.settings.show_halo = true;
  expect_golden("sprites", scene);
}

TEST(Golden, Asinh) {
  Scene scene = two_spirals(30'000);
  scene.settings.tone = ToneCurve::asinh;
  expect_golden("asinh", scene);
}

TEST(Golden, LightBackground) {
  Scene scene = two_spirals(20'000);  // of more, crowds are counted from some without a GPU
  scene.settings.background = Background::light;
  expect_golden("paper", scene);
}

TEST(Golden, FewStarsCloseUp) {
  Scene scene = two_spirals(200);
  scene.camera.zoom(8);
  scene.settings.star_size = 0.6f;  // software rendering would limit larger sprites
  expect_golden("close", scene);
}

TEST(Golden, ManualExposureWithoutBloom) {
  Scene scene = two_spirals(30'000);
  scene.settings.auto_exposure = false;
  scene.settings.exposure = 1;
  scene.settings.bloom = 0;
  expect_golden("manual", scene);
}

TEST(Golden, Cubes) {
  Scene scene = two_spirals(3'000);
  scene.cells = tree_cells(4);
  scene.boxes = {.show = true, .opacity = 0.6f};
  expect_golden("cubes", scene);
}

TEST(Golden, SquaresFromAbove) {
  Scene scene = two_spirals(3'000);
  scene.camera.look_down();
  scene.cells = tree_cells(6);
  scene.boxes = {.show = true, .opacity = 0.6f, .flat = true};
  expect_golden("squares", scene);
}

/// Uses the leaves as interactions of a disc star.
ProbeDrawing walk_over(const std::vector<Box>& cells) {
  ProbeDrawing drawing;
  drawing.star = {-5, -2, 0.4f};
  for (const Box& cell : cells) (cell.level > 2 ? drawing.accepted : drawing.opened).push_back(cell);
  for (int i = 0; i < 20; ++i)
    drawing.bodies.emplace_back(-5 + 0.1f * static_cast<float>(i % 5), -2 - 0.1f * static_cast<float>(i), 0.3f);
  return drawing;
}

TEST(Golden, Probe3D) {
  Scene scene = two_spirals(20'000);
  scene.probe = walk_over(tree_cells(5));
  expect_golden("probe", scene);
}

TEST(Golden, ProbeFromAbove) {
  Scene scene = two_spirals(20'000);
  scene.camera.look_down();
  scene.boxes.flat = true;
  scene.probe = walk_over(tree_cells(5));
  expect_golden("probe_flat", scene);
}

}  // namespace
}  // namespace pericenter::render
