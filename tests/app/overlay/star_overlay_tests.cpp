// Data of a star, ruler and velocity arrows.
#include "app/overlay/star_overlay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "app/overlay/star_text.h"
#include "app/ui/ui_state.h"
#include "app/ui/ui_style.h"

namespace pericenter::app {
namespace {

using testing::ElementsAre;

constexpr std::uint32_t kStar = 7, kOther = 9;

/// Two nuclei, each with a star. A length of 1 is 3.5 kpc, a speed of 1 is 248 km/s, so that with G = 4.30092e-6 kpc
/// (km/s)²/M☉ a mass of 1 is 3.5 · 248² / G = 5.005e10 solar masses.
class StarOverlay : public ::testing::Test {
 protected:
  StarOverlay() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    state.scene = "collision";
    state.units = {3.5, 13.8, 248};
    state.suggested.gravity = 1;
    state.params.dt = 0.1;
    state.time = 10;
    state.diagnostics.mass = 2;
    state.diagnostics.momentum = {0, 1, 0};
    report.time = 10;
    report.nuclei = {{0, {0, 0, 0}, {0, 1, 0}}, {1, {4, 0, 0}, {0, 0, 0}}};
    report.stars = {{kStar, {{1, 0, 0}, {0, 2, 0}, 2.5e-5, make_tag(0, Component::disc, 4)}},
                    {kOther, {{4, 0, 3}, {0, 2, -4}, 0, make_tag(1, Component::halo)}}};
    publish();
    camera.fit(10);
    ui.stars.shown = kStar;
  }
  ~StarOverlay() override { ImGui::DestroyContext(); }

  void publish() { state.stars = std::make_shared<const StarReport>(report); }
  std::vector<std::string> rows(std::uint32_t star) const {
    std::vector<std::string> words;
    for (const StarRow& row : star_rows(state, star)) words.push_back(row.name + ": " + row.value);
    return words;
  }
  AnnotatedFrame frame() const {
    return {.state = state, .view = ui.view, .overlay = overlay_data(ui), .camera = camera, .time = 10};
  }
  /// What draw_stars() covers; empty if it draws nothing.
  std::vector<LabelBox> drawn(const AnnotatedFrame& shown, std::vector<LabelBox> taken = {}, float scale = 1) {
    Fonts fonts = apply_style(scale, ui.view.theme, shown.shown.large ? projector_sizes(1080, 1) : ProjectorSizes{});
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ImGui::GetIO().DisplaySize = {1920, 1080};
    ImGui::GetIO().DeltaTime = 0.1f;
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const int before = list.VtxBuffer.Size;
    const bool large = shown.shown.large;
    const OverlayCanvas canvas{list,
                               large ? fonts.legend : fonts.text,
                               large ? fonts.sizes.legend : 15 * scale,
                               {0, 0},
                               {1920, 1080},
                               {1, 1, 1, 1},
                               {1, 1, 1, 1},
                               {0, 0, 0, 1}};
    const std::size_t first = taken.size();
    draw_velocity_legend(canvas, shown, {0, 1080});
    draw_stars(canvas, fonts, shown, taken);
    drawn_anything = list.VtxBuffer.Size > before;
    ImGui::EndFrame();
    taken.erase(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(first));
    return taken;
  }

  SessionState state;
  StarReport report;
  UiState ui;
  render::Camera camera;
  bool drawn_anything = false;
};

TEST_F(StarOverlay, TheCardHasValuesWithUnits) {
  EXPECT_EQ(star_title(state, 12'345), "Star 12,345");
  EXPECT_THAT(
      rows(kStar),
      ElementsAre("home: Galaxy 1, disc", "mass: 1.3·10⁶ solar masses", "speed relative to its nucleus: 248 km/s",
                  "speed relative to the centre of mass: 372 km/s", "distance from its nucleus: 3.5 kpc",
                  "distance from Galaxy 2: 10.5 kpc", "born at: 4.0 disc scale lengths"));
  EXPECT_THAT(rows(kOther),
              ElementsAre("home: Galaxy 2, dark halo", "mass: none (test particle)",
                          "speed relative to its nucleus: 1109 km/s", "speed relative to the centre of mass: 1059 km/s",
                          "distance from its nucleus: 10.5 kpc", "distance from Galaxy 1: 17.5 kpc"));
  EXPECT_TRUE(rows(8).empty()) << "it is not in the report";
}

TEST_F(StarOverlay, TheCardFollowsScenesAndUnits) {
  state.scene = "milky-way-andromeda";
  EXPECT_THAT(rows(kStar), testing::Contains("home: Milky Way, disc"));
  EXPECT_THAT(rows(kStar), testing::Contains("distance from Andromeda: 10.5 kpc"));
  state.scene = "plummer";
  state.units = {};
  EXPECT_THAT(rows(kStar), testing::Contains("mass: 2.5·10⁻⁵"));
  EXPECT_THAT(rows(kStar), testing::Contains("speed relative to the centre of mass: 1.5"));
  state.scene = "solar-system";
  state.has_planets = true;
  state.units = {4.848137e-9, 1.59e-7, 29.78};
  report.nuclei = {{0, {}, {}}};
  report.stars = {{5, {{5.2, 0, 0}, {0, 0.44, 0}, 9.5e-4, make_tag(0, Component::other)}}};
  publish();
  EXPECT_EQ(star_title(state, 5), "Jupiter");
  EXPECT_THAT(rows(5), testing::Contains("distance from the Sun: 5.2 AU"));
  EXPECT_THAT(rows(5), testing::Contains("speed relative to the Sun: 13.1 km/s"));
}

TEST_F(StarOverlay, FilesWithoutVelocitiesSaySo) {
  report.has_velocities = false;
  publish();
  EXPECT_THAT(rows(kStar), testing::Contains("speed relative to its nucleus: not in these files"));
  EXPECT_EQ(ruler_lines(state, {.on = true, .ends = {}, .start = 0})[1], "relative speed not in these files");
  EXPECT_TRUE(velocity_arrows(frame(), 1).empty());
}

TEST_F(StarOverlay, TheRulerMeasuresStarsAndNuclei) {
  // (3, 0, 3) apart, faster by (0, 0, -4).
  EXPECT_THAT(ruler_lines(state, {.on = true, .ends = {kStar, kOther}, .start = 7.5}),
              ElementsAre("14.8 kpc", "relative speed 992 km/s, approaching", "34 Myr since the second click"));
  EXPECT_THAT(ruler_lines(state, {.on = true, .ends = {}, .start = 10}),
              ElementsAre("14 kpc", "relative speed 248 km/s", "0 Myr since the ruler was laid"));
  EXPECT_TRUE(ruler_lines(state, {.on = true, .ends = {kStar}, .start = 0}).empty()) << "one click";
  EXPECT_TRUE(ruler_lines(state, {.on = true, .ends = {kStar, 3}, .start = 0}).empty()) << "not in the report";
  report.nuclei.pop_back();
  publish();
  EXPECT_TRUE(ruler_lines(state, {.on = true, .ends = {}, .start = 0}).empty()) << "one nucleus";
}

TEST_F(StarOverlay, ArrowsHaveTheLengthOfTheLegendInTheProjection) {
  ui.view.guides.velocities = true;
  ImGui::GetIO().DisplaySize = {1920, 1080};
  ImDrawList list(ImGui::GetDrawListSharedData());
  const OverlayCanvas canvas{list, nullptr, 20, {0, 0}, {1920, 1080}, {}, {}, {}};
  const VelocityScale scale = velocity_scale(canvas, camera, state.units);
  EXPECT_EQ(scale.label, "200 km/s");
  EXPECT_EQ(scale.pixels, 100);
  const glm::mat4 view = camera.view();
  const glm::vec3 right(view[0][0], view[1][0], view[2][0]), towards(view[0][2], view[1][2], view[2][2]);
  const glm::vec3 at = camera.target();
  const auto vec = [](const glm::vec3& v, double length) { return Vec3{v.x, v.y, v.z} * length; };
  report.stars = {{kStar, {vec(at, 1), vec(right, 200 / 248.0), 1, 0}},
                  {kOther, {vec(at, 1), vec(towards, 200 / 248.0), 1, 0}}};
  report.nuclei = {{1, vec(at, 1), vec(right, -400 / 248.0)}};
  publish();
  const std::vector<VelocityArrow> arrows = velocity_arrows(frame(), scale.length);
  ASSERT_EQ(arrows.size(), 3u);
  const Projection on(canvas, camera);
  const auto along = [&](const VelocityArrow& arrow) { return on.point(arrow.to)->x - on.point(arrow.from)->x; };
  EXPECT_EQ(arrows[0].galaxy, 1);
  EXPECT_NEAR(along(arrows[0]), -200, 0.5);
  EXPECT_NEAR(along(arrows[1]), 100, 0.3);
  EXPECT_NEAR(along(arrows[2]), 0, 0.1) << "it points towards the viewer";
  EXPECT_NEAR(on.point(arrows[2].to)->y, on.point(arrows[2].from)->y, 0.1);
}

TEST_F(StarOverlay, BlocksAreInsideTheImageAndCoverNothing) {
  ui.stars.ruler = {.on = true, .ends = {}, .start = 0};
  for (const bool large : {false, true}) {
    for (const float scale : {1.0f, 2.0f}) {
      AnnotatedFrame shown = frame();
      shown.shown.large = large;
      std::vector<LabelBox> boxes = {{{0, 0}, {500, 300}}, {{1400, 0}, {1920, 400}}};
      for (const LabelBox& box : drawn(shown, boxes, scale)) boxes.push_back(box);
      ASSERT_EQ(boxes.size(), 4u) << "ruler and card";
      for (std::size_t a = 2; a < boxes.size(); ++a) {
        EXPECT_TRUE(boxes[a].low.x >= 0 && boxes[a].low.y >= 0 && boxes[a].high.x <= 1920 && boxes[a].high.y <= 1080);
        for (std::size_t b = 0; b < a; ++b)
          EXPECT_FALSE(boxes[a].low.x < boxes[b].high.x && boxes[b].low.x < boxes[a].high.x &&
                       boxes[a].low.y < boxes[b].high.y && boxes[b].low.y < boxes[a].high.y)
              << a << ' ' << b << ' ' << large << ' ' << scale;
      }
    }
  }
}

TEST_F(StarOverlay, ACardTakesAtMostHalfOfTheWidth) {
  for (const float scale : {3.0f, 5.0f}) {
    const std::vector<LabelBox> boxes = drawn(frame(), {}, scale);
    ASSERT_EQ(boxes.size(), 1u);
    EXPECT_LE(boxes[0].high.x - boxes[0].low.x, 970) << scale;
    EXPECT_GE(boxes[0].high.x - boxes[0].low.x, 900) << scale;
  }
}

TEST_F(StarOverlay, NothingIsDrawnWhileAQuestionWaits) {
  ui.stars.ruler = {.on = true, .ends = {}, .start = 0};
  ui.view.guides.velocities = true;
  AnnotatedFrame shown = frame();
  EXPECT_EQ(drawn(shown).size(), 2u);
  shown.shown.hides_results = true;
  EXPECT_TRUE(drawn(shown).empty());
  EXPECT_FALSE(drawn_anything);
}

}  // namespace
}  // namespace pericenter::app
