#include "app/window/star_marker.h"

#include <glad/gl.h>
#include <gmock/gmock.h>
#include <imgui.h>

#include <cmath>
#include <vector>

#include "render/headless_context.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

class Marker : public Panels {
 protected:
  static constexpr PixelRect kView{0, 0, 400, 400};

  /// A row of stars of two galaxies, from left to right, born at 1 to 8 scale lengths.
  Marker() {
    for (std::uint32_t i = 0; i < 16; ++i)
      stars_.push_back(
          {.x = static_cast<float>(i) / 8 - 0.94f, .attribute = make_tag(i / 8, Component::disc, i % 8 + 1)});
    state.units.length_kpc = 3.5;
    state.bodies = stars_.size();
    buffer_ = render::make_buffer();
    glNamedBufferStorage(buffer_.name(), static_cast<GLsizeiptr>(stars_.size() * sizeof(Vertex)), stars_.data(), 0);
    shown_ = {.stars = {buffer_.name(), stars_.size()}, .scene_serial = state.scene_serial};
    view_.draw(shown_.stars, ui, kView);
  }

  void drawn() override {
    shown_.time = state.time;
    if (ready_) marker_.update(shown_, state, ui);
  }
  void step(float seconds = 1.0f / 60) {
    ready_ = true;
    window_width = window_height = 400;
    ui.layout.show_panel = false;
    frame(seconds);
  }
  void hold_ctrl(bool down) {
#if IMGUI_VERSION_NUM >= 18700
    ImGui::GetIO().AddKeyEvent(ImGuiKey_ModCtrl, down);
#else
    ImGui::GetIO().KeyCtrl = down;
#endif
  }
  void brush(float from, float to) {
    hold_ctrl(true);
    move_mouse(from, 200);
    step();
    press_mouse(true);
    step();
    move_mouse(to, 200);
    step();
    press_mouse(false);
    hold_ctrl(false);
    step();
  }

  render::HeadlessContext context_;
  std::vector<Vertex> stars_;
  render::Buffer buffer_;
  ShownStars shown_;
  Viewport view_{""};
  StarMarker marker_{view_};
  bool ready_ = false;
};

TEST_F(Marker, CtrlDragMarksTheStarsUnderTheBrush) {
  brush(0, 200);
  const std::size_t half = ui.stars.marks.count;
  EXPECT_GE(half, 7u);
  EXPECT_LE(half, 10u);
  EXPECT_NE(view_.frame(shown_.stars, ui).stars.marks, 0u);
  brush(260, 320);
  EXPECT_GT(ui.stars.marks.count, half) << "strokes add";
  ui.stars.marks.wanted = Highlight{};
  step();
  EXPECT_EQ(ui.stars.marks.count, 0u);
  EXPECT_EQ(view_.frame(shown_.stars, ui).stars.marks, 0u);
}

TEST_F(Marker, DragWithoutCtrlMarksNothing) {
  move_mouse(20, 200);
  step();
  press_mouse(true);
  step();
  hold_ctrl(true);  // pressed too late: the drag rotates
  move_mouse(300, 200);
  step();
  press_mouse(false);
  hold_ctrl(false);
  step();
  EXPECT_EQ(ui.stars.marks.count, 0u);
}

TEST_F(Marker, CtrlWheelChangesTheBrush) {
  const float before = ui.stars.marks.brush;
  hold_ctrl(true);
  move_mouse(200, 200);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseWheelEvent(0, 2);
#else
  ImGui::GetIO().MouseWheel = 2;
#endif
  step();
  EXPECT_GT(ui.stars.marks.brush, 1.2f * before);
  hold_ctrl(false);
}

TEST_F(Marker, HighlightOfASlideMarksByOrigin) {
  ui.stars.highlight = {.what = Highlight::What::galaxy, .galaxy = 1};
  step();
  EXPECT_EQ(ui.stars.marks.count, 8u);
  // 2 to 4 scale lengths of 3.5 kpc, in both galaxies.
  ui.stars.highlight = {.what = Highlight::What::birth_radius, .first_kpc = 7, .last_kpc = 14.2};
  step();
  EXPECT_EQ(ui.stars.marks.count, 6u);
  ui.stars.highlight = {};
  step();
  EXPECT_EQ(ui.stars.marks.count, 0u);
}

TEST_F(Marker, MarksByHandOutliveASlideWithoutHighlight) {
  brush(0, 200);
  const std::size_t marked = ui.stars.marks.count;
  ui.stars.highlight = {.what = Highlight::What::galaxy};
  step();
  EXPECT_EQ(ui.stars.marks.count, 8u);
  brush(0, 400);
  ui.stars.highlight = {};
  step();
  EXPECT_GE(ui.stars.marks.count, marked);
}

TEST_F(Marker, HighlightWaitsForTheStarsOfItsSlide) {
  ui.stars.highlight = {.what = Highlight::What::galaxy};
  state.busy = true;
  step();
  EXPECT_EQ(ui.stars.marks.count, 0u);
  state.busy = false;
  shown_.scene_serial = state.scene_serial - 1;
  step();
  EXPECT_EQ(ui.stars.marks.count, 0u);
  shown_.scene_serial = state.scene_serial;
  step();
  EXPECT_EQ(ui.stars.marks.count, 8u);
}

TEST_F(Marker, MarksOutliveRunSeekAndReset) {
  brush(0, 200);
  const std::size_t marked = ui.stars.marks.count;
  state.time = 12;
  step();
  state.time = 3;  // back, or a recorded moment
  state.timeline.rewound = true;
  step();
  EXPECT_EQ(ui.stars.marks.count, marked);
  shown_.scene_serial = ++state.scene_serial;  // the same scene from its start
  step();
  EXPECT_EQ(ui.stars.marks.count, marked);
}

TEST_F(Marker, MarksEndWithOtherBodies) {
  const auto expect_clear_after = [&](const auto& change) {
    brush(0, 200);
    ASSERT_GT(ui.stars.marks.count, 0u);
    change();
    step();
    EXPECT_EQ(ui.stars.marks.count, 0u);
  };
  expect_clear_after([&] { state.scene_request.seed = 2; });
  expect_clear_after([&] { state.scene = "another"; });
  expect_clear_after([&] { state.file = "/tmp/bodies.csv"; });
  expect_clear_after([&] { ++shown_.permutations; });
}

/// Two discs of 500 stars, 20 apart, and ten stars of the first one between them, where none was born.
std::vector<Vertex> discs_with_bridge_and_tail() {
  std::vector<Vertex> stars;
  for (std::uint32_t galaxy = 0; galaxy < 2; ++galaxy) {
    for (int i = 0; i < 500; ++i) {
      const float radius = 0.2f + 4 * static_cast<float>(i * 37 % 500) / 500, angle = 2.4f * static_cast<float>(i);
      stars.push_back({.x = (galaxy == 0 ? -10.0f : 10.0f) + radius * std::cos(angle),
                       .y = radius * std::sin(angle),
                       .attribute = make_tag(galaxy, Component::disc, radius)});
    }
  }
  for (std::size_t k = 0; k < 10; ++k) {
    stars[10 * k].x = k < 4 ? 0 : -30;
    stars[10 * k].y = static_cast<float>(k) / 10;
  }
  return stars;
}

TEST_F(Marker, TailsAreStarsFarFromBothGalaxiesAndNotBetweenThem) {
  const std::vector<Vertex> stars = discs_with_bridge_and_tail();
  const render::Buffer buffer = render::make_buffer();
  glNamedBufferStorage(buffer.name(), static_cast<GLsizeiptr>(stars.size() * sizeof(Vertex)), stars.data(), 0);
  shown_.stars = {buffer.name(), stars.size()};
  state.bodies = stars.size();
  std::vector<std::uint32_t> found = stars_in_tails(shown_.stars);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{40, 50, 60, 70, 80, 90}));
  ui.stars.highlight = {.what = Highlight::What::tails};
  step();
  EXPECT_EQ(ui.stars.marks.count, 6u);
}

TEST_F(Marker, SaysThatThereAreNoTails) {
  ui.stars.marks.wanted = Highlight{.what = Highlight::What::tails};
  step();
  EXPECT_EQ(ui.stars.marks.count, 0u);
  EXPECT_THAT(ui.notices.shown.text, ::testing::HasSubstr("No star is in a tail"));
}

TEST_F(Marker, EscapeClearsTheMarks) {
  brush(0, 200);
  const UiFrame view{.simulation = state};
  apply_command({Action::close_dialogs}, view, {ui});
  step();
  EXPECT_EQ(ui.stars.marks.count, 0u);
}

}  // namespace
}  // namespace pericenter::app
