#include "app/overlay/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/bodies.h"

namespace pericenter::app {
namespace {

using testing::ElementsAre;

std::vector<std::string> label_names(const std::vector<ObjectLabel>& labels) {
  std::vector<std::string> names;
  for (const ObjectLabel& label : labels) names.push_back(label.name);
  return names;
}

/// Adds `count` stars around a centre, the denser the nearer.
void add_ball(render::StarSample& sample, std::uint32_t galaxy, const glm::vec3& center, int count) {
  std::mt19937 random(galaxy + 1);
  std::normal_distribution<float> normal;
  for (int k = 0; k < count; ++k) {
    const float radius = 0.1f + 0.01f * static_cast<float>(k);
    const glm::vec3 to = glm::normalize(glm::vec3(normal(random), normal(random), normal(random)));
    sample.stars.push_back({.position = center + radius * to,
                            .tag = make_tag(galaxy, k % 3 == 0 ? Component::bulge : Component::disc),
                            .scalar = 0});
  }
}

SessionState encounter_state(const char* scene) {
  SessionState state;
  state.scene = scene;
  state.has_planets = state.scene == "solar-system" || state.scene == "small-bodies";
  state.units = {3.5, 13.8, 248};
  return state;
}

TEST(ObjectLabels, NameGalaxiesAndNucleiWhereTheyAre) {
  render::StarSample sample;
  add_ball(sample, 0, {-10, 0, 0}, 600);
  add_ball(sample, 1, {10, 5, 0}, 600);
  const auto labels = object_labels(encounter_state("collision"), sample);
  ASSERT_THAT(label_names(labels), ElementsAre("Galaxy 1", "Galaxy 2", "nucleus", "nucleus"));
  EXPECT_LT(glm::distance(labels[0].at, glm::vec3(-10, 0, 0)), 0.3f);
  EXPECT_LT(glm::distance(labels[1].at, glm::vec3(10, 5, 0)), 0.3f);
  EXPECT_EQ(labels[2].at, labels[0].at);
  EXPECT_NEAR(labels[0].extent, 0.1f + 0.8f * 6, 0.3f);
}

TEST(ObjectLabels, FindTheNucleusBesideATail) {
  render::StarSample sample;
  add_ball(sample, 0, {0, 0, 0}, 500);
  for (int k = 0; k < 400; ++k)  // a tail with almost as many stars, far away
    sample.stars.push_back(
        {.position = {8 + 0.05f * static_cast<float>(k), 3, 0}, .tag = make_tag(0, Component::disc), .scalar = 0});
  const auto labels = object_labels(encounter_state("galaxy"), sample);
  ASSERT_THAT(label_names(labels), ElementsAre("Galaxy", "nucleus"));
  EXPECT_LT(glm::length(labels[1].at), 0.3f);
}

TEST(ObjectLabels, HaveTheNamesOfKnownGalaxies) {
  render::StarSample sample;
  add_ball(sample, 0, {-10, 0, 0}, 300);
  add_ball(sample, 1, {10, 0, 0}, 300);
  SessionState state = encounter_state("milky-way-andromeda");
  EXPECT_EQ(object_labels(state, sample)[1].name, "Andromeda");
  state.file = "/data/milky-way-andromeda.hdf5";
  EXPECT_EQ(object_labels(state, sample)[1].name, "Galaxy 2") << "a file may be anything";
}

TEST(ObjectLabels, NucleiThatHaveMergedShareALabel) {
  render::StarSample sample;
  add_ball(sample, 0, {0, 0, 0}, 600);
  add_ball(sample, 1, {0.1f, 0, 0}, 600);
  EXPECT_THAT(label_names(object_labels(encounter_state("collision"), sample)),
              ElementsAre("Galaxy 1", "Galaxy 2", "nuclei"));
}

TEST(ObjectLabels, NameTheSunAndThePlanets) {
  render::StarSample sample;
  for (int k = 0; k < 16; ++k) sample.first.push_back({.position = {static_cast<float>(k), 0, 0}, .tag = 0});
  const auto labels = object_labels(encounter_state("solar-system"), sample);
  ASSERT_EQ(labels.size(), 9u);
  for (const auto& [index, name] :
       {std::pair(0, "Sun"), {1, "Mercury"}, {3, "Earth"}, {5, "Jupiter"}, {8, "Neptune"}}) {
    const auto label = std::ranges::find(labels, name, &ObjectLabel::name);
    ASSERT_NE(label, labels.end()) << name;
    EXPECT_EQ(label->at.x, static_cast<float>(index)) << name;
  }
  EXPECT_EQ(labels.front().name, "Sun") << "the heaviest first";
  EXPECT_EQ(labels.back().name, "Mercury");
  sample.first.resize(3);
  EXPECT_EQ(object_labels(encounter_state("small-bodies"), sample).size(), 3u);
}

TEST(ObjectLabels, PointMassesAreNamedWhereTheyAre) {
  render::StarSample sample;
  add_ball(sample, 0, {-10, 0, 0}, 300);
  for (int k = 0; k < 16; ++k) sample.first.push_back({.position = {static_cast<float>(k), 0, 0}, .tag = 0});
  const auto labels = object_labels(encounter_state("toomre-direct"), sample);
  ASSERT_THAT(label_names(labels), ElementsAre("Galaxy", "point mass", "point mass"));
  for (int k = 0; k < 2; ++k)
    EXPECT_EQ(labels[1 + k].at.x, static_cast<float>(k)) << "the body itself, not the densest place";
}

TEST(ObjectLabels, AreShownInTheSolarSystemUnlessTheUserChose) {
  Guides guides;
  EXPECT_TRUE(shows_labels(guides, encounter_state("solar-system")));
  EXPECT_TRUE(shows_labels(guides, encounter_state("small-bodies")));
  EXPECT_FALSE(shows_labels(guides, encounter_state("collision")));
  SessionState file = encounter_state("solar-system");
  file.file = "solar-system.csv";
  file.has_planets = false;
  EXPECT_FALSE(shows_labels(guides, file)) << "a file may be anything";
  file.has_planets = true;
  EXPECT_TRUE(shows_labels(guides, file)) << "a table of asteroids, to which they were added";
  EXPECT_EQ(point_masses(file).count, 9u);
  EXPECT_EQ(planet_name(file, 5), "Jupiter");
  for (const bool chosen : {false, true}) {
    guides.labels = chosen;
    for (const char* scene : {"solar-system", "collision"})
      EXPECT_EQ(shows_labels(guides, encounter_state(scene)), chosen) << scene;
  }
}

// Seen from above, the lines are on the ellipse around the place of the star.
TEST(Orbits, AreDrawnAroundTheStar) {
  ImGui::CreateContext();
  ImGui::GetIO().Fonts->Build();
  {
    ImDrawList draw(ImGui::GetDrawListSharedData());
    draw._ResetForNewFrame();
    const OverlayCanvas canvas{.draw = draw,
                               .font = ImGui::GetIO().Fonts->Fonts[0],
                               .em = 16,
                               .low = {0, 0},
                               .high = {400, 400},
                               .foreground = {1, 1, 1, 1},
                               .dim = {1, 1, 1, 1},
                               .halo = {0, 0, 0, 1}};
    render::Camera camera;
    camera.fit(4);
    camera.look_down();
    camera.move_target({1, 0, 0});
    render::StarSample sample;
    draw_orbits(canvas, camera, {{.body = 1, .around = 0, .center = {}, .major = {2, 0, 0}, .minor = {0, 1, 0}}},
                sample);
    EXPECT_EQ(draw.VtxBuffer.Size, 0) << "the star is not known";
    sample.first = {{.position = {1, 0, 0}, .tag = 0}};
    draw_orbits(canvas, camera, {{.body = 1, .around = 0, .center = {}, .major = {2, 0, 0}, .minor = {0, 1, 0}}},
                sample);
    ASSERT_GT(draw.VtxBuffer.Size, 100);
    const float pixel = 400 / (2 * camera.distance() * std::tan(0.5f * camera.field_of_view()));
    for (const ImDrawVert& vertex : draw.VtxBuffer) {
      const float x = (vertex.pos.x - 200) / (2 * pixel), y = (vertex.pos.y - 200) / pixel;
      ASSERT_NEAR(std::hypot(x, y), 1, 0.06);
    }
  }
  ImGui::DestroyContext();
}

TEST(ObjectLabels, LeaveOutWhatHasNoName) {
  render::StarSample sample;
  EXPECT_TRUE(object_labels(encounter_state("collision"), sample).empty()) << "before the first sample";
  add_ball(sample, 0, {0, 0, 0}, 300);
  EXPECT_TRUE(object_labels(encounter_state("plummer"), sample).empty()) << "a star cluster is no galaxy";
  for (render::SampledStar& star : sample.stars) star.position.x = NAN;
  EXPECT_TRUE(object_labels(encounter_state("collision"), sample).empty());
}

/// A label of 90 × 22 pixels for this pixel.
LabelWish wish_at(float x, float y) {
  return {{x, y}, 20, {90, 22}};
}

bool is_apart(const LabelBox& a, const LabelBox& b) {
  return a.high.x <= b.low.x || b.high.x <= a.low.x || a.high.y <= b.low.y || b.high.y <= a.low.y;
}

TEST(PlaceLabels, AreApartAndInsideTheImage) {
  const LabelBox image{{0, 0}, {800, 600}};
  const LabelBox legend{{600, 0}, {800, 150}};
  std::vector<LabelWish> wishes;
  std::mt19937 random(3);
  while (wishes.size() < 25) {
    const LabelWish wish = wish_at(static_cast<float>(random() % 800), static_cast<float>(random() % 600));
    if (is_apart({wish.at, wish.at}, legend)) wishes.push_back(wish);  // others are not drawn
  }
  wishes.push_back(wishes[0]);  // at the same place
  const std::vector<PlacedLabel> placed = place_labels(wishes, image, {legend});
  ASSERT_EQ(placed.size(), wishes.size());
  std::vector<LabelBox> boxes = {legend};
  for (const PlacedLabel& label : placed) {
    if (!label.side) continue;
    EXPECT_GE(label.box.low.x, 0);
    EXPECT_LE(label.box.high.y, 600);
    for (const LabelBox& other : boxes) EXPECT_TRUE(is_apart(label.box, other));
    boxes.push_back(label.box);
  }
  EXPECT_GE(boxes.size() - 1, 24u) << "there is room for them";
}

TEST(PlaceLabels, AreOnTheirSide) {
  const LabelBox image{{0, 0}, {800, 600}};
  const auto placed =
      place_labels({{{400, 300}, 20, {90, 22}, {1, -1}}, {{400, 300}, 20, {90, 22}, {-1, 1}}}, image, {});
  EXPECT_GT(placed[0].box.low.x, 400);
  EXPECT_LT(placed[0].box.high.y, 300);
  EXPECT_LT(placed[1].box.high.x, 400);
  EXPECT_GT(placed[1].box.low.y, 300);
}

TEST(PlaceLabels, WithoutRoomAreNotDrawn) {
  const auto placed = place_labels({{{50, 50}, 10, {90, 20}}, {{50, 50}, 10, {300, 20}}}, {{0, 0}, {100, 100}}, {});
  EXPECT_TRUE(placed[0].side);
  EXPECT_FALSE(placed[1].side);
}

TEST(PlaceLabels, GiveWayToEarlierOnesAndReturnWhenOneZoomsIn) {
  const auto placed = [](float zoom) {
    std::vector<LabelWish> wishes;
    for (const int k : {0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6})
      wishes.push_back(wish_at(1000 + zoom * static_cast<float>(k), 1000));
    return place_labels(wishes, {{0, 0}, {2000, 2000}}, {});
  };
  const auto is_shown = [](const PlacedLabel& label) { return label.side.has_value(); };
  EXPECT_TRUE(placed(1)[0].side);
  EXPECT_LT(std::ranges::count_if(placed(1), is_shown), 12);
  EXPECT_EQ(std::ranges::count_if(placed(60), is_shown), 13);
}

TEST(PlaceLabels, NeitherCoverLinesOfOthersNorPlacesWhereThereIsRoom) {
  const LabelBox image{{0, 0}, {800, 600}};
  std::mt19937 random(5);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<LabelWish> wishes;
    for (int k = 0; k < 5; ++k)
      wishes.push_back(wish_at(360 + static_cast<float>(random() % 80), 270 + static_cast<float>(random() % 60)));
    const auto placed = place_labels(wishes, image, {});
    for (std::size_t a = 0; a < placed.size(); ++a) {
      for (std::size_t b = 0; b < placed.size(); ++b) {
        if (a == b || !placed[a].side || !placed[b].side) continue;
        const ImVec2 at = wishes[a].at, end{std::clamp(at.x, placed[a].box.low.x, placed[a].box.high.x),
                                            std::clamp(at.y, placed[a].box.low.y, placed[a].box.high.y)};
        for (const float along : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
          const ImVec2 on{at.x + along * (end.x - at.x), at.y + along * (end.y - at.y)};
          EXPECT_TRUE(is_apart({on, on}, placed[b].box)) << "line of " << a << " below label " << b;
        }
      }
    }
  }
  const auto placed = place_labels({wish_at(400, 300), wish_at(430, 270)}, image, {});
  EXPECT_TRUE(is_apart({{430, 270}, {430, 270}}, placed[0].box)) << "the usual side is above the other place";
}

TEST(PlaceLabels, StayOnTheirSideWhileItIsFree) {
  const LabelBox image{{0, 0}, {800, 600}};
  LabelWish wish = wish_at(400, 300);
  const PlacedLabel usual = place_labels({wish}, image, {}).front();
  const PlacedLabel other = place_labels({wish}, image, {usual.box}).front();
  EXPECT_TRUE(is_apart(usual.box, other.box));
  wish.last = other.side;
  wish.at.x += 5;  // the body moves
  const PlacedLabel kept = place_labels({wish}, image, {}).front();
  EXPECT_EQ(kept.box.low.x, other.box.low.x + 5);
  EXPECT_EQ(kept.box.low.y, other.box.low.y);
  const PlacedLabel moved = place_labels({wish}, image, {kept.box}).front();
  EXPECT_TRUE(is_apart(moved.box, kept.box));
}

}  // namespace
}  // namespace pericenter::app
