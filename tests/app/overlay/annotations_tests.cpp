#include "app/overlay/annotations.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/base/format.h"

namespace pericenter::app {
namespace {

struct Rectangle {
  float left = 1e9f, top = 1e9f, right = -1e9f, bottom = -1e9f;
  bool empty() const { return left > right; }
  bool touches(const Rectangle& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

class Annotations : public ::testing::Test {
 protected:
  Annotations() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    state.scene = "collision";
    state.units = {3.5, 13.8, 248};
    state.bodies = 1'000'000;
    camera.fit(20);
    ui.view.guides = {.grid = false, .axes = false, .scale_bar = false, .legend = false};
  }
  ~Annotations() override { ImGui::DestroyContext(); }

  /// Bounding rectangle of the annotations of an image of this size.
  Rectangle drawn(ImVec2 low, ImVec2 high, float scale, bool clock) {
    const Fonts fonts = apply_style(scale, ui.view.theme);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ImGui::GetIO().DisplaySize = {8000, 8000};
    ImGui::GetIO().DeltaTime = 0.1f;
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const AnnotatedFrame frame{.state = state,
                               .view = ui.view,
                               .overlay = overlay_data(ui),
                               .camera = camera,
                               .time = 28.3,
                               .every = every,
                               .clock = clock,
                               .covered = covered};
    draw_annotations(list, fonts, scale, frame, low, high);
    Rectangle all;
    for (const ImDrawVert& vertex : list.VtxBuffer) {
      all.left = std::min(all.left, vertex.pos.x);
      all.right = std::max(all.right, vertex.pos.x);
      all.top = std::min(all.top, vertex.pos.y);
      all.bottom = std::max(all.bottom, vertex.pos.y);
    }
    ImGui::EndFrame();
    return all;
  }

  SessionState state;
  UiState ui;
  render::Camera camera;
  float covered = 0;
  std::size_t every = 1;
};

// Regression: in a small image the words about a scene were over the legend, which shone through.
TEST_F(Annotations, TheLegendGivesWayToACard) {
  ui.view.guides.legend = true;
  const auto legend = [&] { return drawn({640, 0}, {1280, 240}, 1, false); };
  const Rectangle alone = legend();
  ASSERT_FALSE(alone.empty());
  covered = 240 - alone.bottom - 10;
  EXPECT_FALSE(legend().empty()) << "the card is below it";
  covered = 240 - alone.bottom + 10;
  EXPECT_TRUE(legend().empty());
}

// Regression: at UI scale 2 they left a fifth of the height for the galaxies of a new scene.
TEST_F(Annotations, AWideLegendGivesWayToACardThatLeavesAStrip) {
  ui.view.guides.legend = true;
  const auto is_shown = [&] { return !drawn({640, 0}, {1280, 594}, 2, false).empty(); };
  EXPECT_TRUE(is_shown()) << "without a card";
  covered = 250;
  EXPECT_FALSE(is_shown());
  ui.view.image.color = render::ColorMode::speed;
  ui.view.image.high = 1;
  EXPECT_TRUE(is_shown()) << "numbers need it";
  ui.view.image.color = render::ColorMode::stars;
  ui.view.follow = {};
  EXPECT_FALSE(is_shown()) << "in lessons, which have no story, too";
  ui.view.follow = {.what = Follow::What::story};
  EXPECT_FALSE(drawn({640, 0}, {1920, 1080}, 2, false).empty()) << "there is room";
}

TEST_F(Annotations, TellWhichShareOfTheBodiesIsShown) {
  const auto bottom = [&](bool clock) { return drawn({0, 0}, {320, 240}, 1, clock).bottom; };
  const float all = bottom(true), without = bottom(false);
  every = 4;
  EXPECT_GT(bottom(true), all + 10);
  EXPECT_EQ(bottom(false), without) << "below the number of bodies";
  EXPECT_EQ(shown_text(every), "1 in 4 shown");
}

TEST_F(Annotations, TheScaleBarHasTheRightLength) {
  for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{600, 900}, ImVec2{7680, 4320}}) {
    for (const float notches : {0.0f, 13.0f, 30.0f, -12.0f}) {
      camera.fit(20);
      camera.zoom(notches);
      const ScaleBar bar = scale_bar(camera, state.units, size, size.x / 5);
      EXPECT_LE(bar.pixels, size.x / 5 * 1.0001);
      EXPECT_GE(bar.pixels, size.x / 5 / 2.51);
      // Distance in pixels between the target and a point to its right.
      const glm::mat4 view = camera.view();
      const glm::vec3 right(view[0][0], view[1][0], view[2][0]);
      const glm::vec4 clip = camera.projection(size.x / size.y) * view *
                             glm::vec4(camera.target() + static_cast<float>(bar.length) * right, 1);
      EXPECT_NEAR(clip.x / clip.w * size.x / 2, bar.pixels, 2e-3 * bar.pixels);
    }
  }
}

TEST_F(Annotations, LengthsAreRoundAndInAstronomicalUnits) {
  EXPECT_DOUBLE_EQ(round_length(1), 1);
  EXPECT_DOUBLE_EQ(round_length(1.99), 1);
  EXPECT_DOUBLE_EQ(round_length(2), 2);
  EXPECT_DOUBLE_EQ(round_length(4.99), 2);
  EXPECT_DOUBLE_EQ(round_length(7), 5);
  EXPECT_DOUBLE_EQ(round_length(0.5), 0.5);
  EXPECT_DOUBLE_EQ(round_length(99), 50);
  EXPECT_DOUBLE_EQ(round_length(100), 100);
  EXPECT_NEAR(round_length(1e-7), 1e-7, 1e-20);
  const auto label = [&](float radius, double kpc) {
    camera.fit(radius);
    return scale_bar(camera, {kpc, 0, 0}, {1000, 1000}, 200).label;
  };
  EXPECT_EQ(label(20, 3.5), "20 kpc");
  EXPECT_EQ(label(0.01f, 3.5), "10 pc");
  EXPECT_EQ(label(2e4f, 3.5), "20 Mpc");
  EXPECT_EQ(label(20, 4.848137e-9), "5 AU");
  EXPECT_EQ(label(4000, 4.848137e-9), "1,000 AU");
  EXPECT_EQ(label(0.02f, 4.848137e-9), "1,000,000 km");
  EXPECT_EQ(label(20, 0), "5");
}

TEST_F(Annotations, DoNotOverlapAtAnySize) {
  ui.view.follow = {.what = Follow::What::center_of_mass};
  for (const Theme theme : {Theme::dark, Theme::light}) {
    ui.view.theme = theme;
    for (const auto& [low, high, scale] :
         {std::tuple{ImVec2{368, 0}, ImVec2{1280, 690}, 1.0f}, std::tuple{ImVec2{640, 0}, ImVec2{1280, 660}, 2.0f},
          std::tuple{ImVec2{0, 0}, ImVec2{3840, 2160}, 3.0f}}) {
      std::vector<Rectangle> parts;
      parts.push_back(drawn(low, high, scale, true));
      ui.view.follow = {};
      ui.view.guides.scale_bar = true;
      parts.push_back(drawn(low, high, scale, false));
      ui.view.guides = {.grid = false, .axes = true, .scale_bar = false, .legend = false};
      parts.push_back(drawn(low, high, scale, false));
      ui.view.guides.axes = false;
      ui.view.follow = {.what = Follow::What::center_of_mass};
      for (std::size_t a = 0; a < parts.size(); ++a) {
        ASSERT_FALSE(parts[a].empty()) << a;
        EXPECT_GE(parts[a].left, low.x) << a;
        EXPECT_GE(parts[a].top, low.y) << a;
        EXPECT_LE(parts[a].right, high.x) << a;
        EXPECT_LE(parts[a].bottom, high.y) << a;
        for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(parts[a].touches(parts[b])) << a << ' ' << b;
      }
    }
  }
}

TEST_F(Annotations, TheLegendIsNotCutOffInANarrowImage) {
  ui.view.guides.legend = true;
  for (const float scale : {1.0f, 2.0f}) {
    for (const float width : {150.0f, 330.0f, 1280.0f}) {
      for (const render::ColorMode mode : {render::ColorMode::stars, render::ColorMode::origin}) {
        ui.view.image.color = mode;
        const Rectangle legend = drawn({100, 0}, {100 + width, 700}, scale, false);
        EXPECT_GE(legend.left, 100) << width << ' ' << scale;
        EXPECT_LE(legend.right, 100 + width) << width << ' ' << scale;
      }
    }
  }
}

TEST_F(Annotations, TheGridFillsTheImageAndFadesEdgeOn) {
  ui.view.guides.grid = true;
  const auto vertices = [&] {
    drawn({0, 0}, {1280, 720}, 1, false);
    return ImGui::GetBackgroundDrawList()->VtxBuffer.Size;
  };
  EXPECT_GT(vertices(), 1000);
  const Rectangle all = drawn({0, 0}, {1280, 720}, 1, false);
  EXPECT_LT(all.left, 100);
  EXPECT_GT(all.right, 1180);
  // In the plane, far away and close: all coordinates must be finite.
  for (const float pitch : {0.0f, 0.3f, 1.57f, -1.57f}) {
    for (const float notches : {-30.0f, 0.0f, 40.0f}) {
      camera.fit(20);
      camera.zoom(notches);
      render::CameraPose pose = camera.pose();
      pose.pitch = pitch;
      camera.set_pose(pose);
      const Rectangle seen = drawn({0, 0}, {1280, 720}, 1, false);
      EXPECT_TRUE(std::isfinite(seen.left + seen.right + seen.top + seen.bottom)) << pitch << ' ' << notches;
    }
  }
}

TEST_F(Annotations, SideBySideBothHalvesHaveTheSameGrid) {
  ui.view.guides.grid = true;
  ui.comparison.phase = ComparisonState::Phase::on;
  ui.comparison.side_by_side = true;
  ui.comparison.divider = 0.2f;
  drawn({0, 0}, {1280, 720}, 1, false);
  const ImVector<ImDrawVert>& vertices = ImGui::GetBackgroundDrawList()->VtxBuffer;
  constexpr float kBelowLabels = 100, kHalf = 640;
  const auto has = [&](float x, float y) {
    return std::any_of(vertices.begin(), vertices.end(), [&](const ImDrawVert& one) {
      return std::abs(one.pos.x - x) < 0.05f && std::abs(one.pos.y - y) < 0.05f;
    });
  };
  int compared = 0;
  for (const ImDrawVert& one : vertices) {
    const bool is_divider = std::abs(one.pos.x - kHalf) < 4;
    if (one.pos.y < kBelowLabels || one.pos.y > 600 || is_divider) continue;
    EXPECT_TRUE(has(one.pos.x + kHalf, one.pos.y) || has(one.pos.x - kHalf, one.pos.y)) << one.pos.x;
    ++compared;
  }
  EXPECT_GT(compared, 500);
}

TEST_F(Annotations, DisabledOnesAreNotDrawn) {
  EXPECT_TRUE(drawn({0, 0}, {1280, 720}, 1, false).empty());
  ui.view.guides = {.grid = true, .axes = true, .scale_bar = true, .legend = true};
  state.scene.clear();  // before the first scene
  EXPECT_TRUE(drawn({0, 0}, {1280, 720}, 1, true).empty());
}

}  // namespace
}  // namespace pericenter::app
