#include "app/overlay/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
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
  EXPECT_EQ(labels[0].name, "Sun");
  EXPECT_EQ(labels[3].name, "Earth");
  EXPECT_EQ(labels[8].name, "Neptune");
  EXPECT_EQ(labels[8].at.x, 8);
  sample.first.resize(3);
  EXPECT_EQ(object_labels(encounter_state("small-bodies"), sample).size(), 3u);
}

TEST(ObjectLabels, AreShownInTheSolarSystemUnlessTheUserChose) {
  Guides guides;
  EXPECT_TRUE(shows_labels(guides, encounter_state("solar-system")));
  EXPECT_TRUE(shows_labels(guides, encounter_state("small-bodies")));
  EXPECT_FALSE(shows_labels(guides, encounter_state("collision")));
  SessionState file = encounter_state("solar-system");
  file.file = "solar-system.csv";
  EXPECT_FALSE(shows_labels(guides, file)) << "a file may be anything";
  for (const bool chosen : {false, true}) {
    guides.labels = chosen;
    for (const char* scene : {"solar-system", "collision"})
      EXPECT_EQ(shows_labels(guides, encounter_state(scene)), chosen) << scene;
  }
}

TEST(ObjectLabels, LeaveOutWhatHasNoName) {
  render::StarSample sample;
  EXPECT_TRUE(object_labels(encounter_state("collision"), sample).empty()) << "before the first sample";
  add_ball(sample, 0, {0, 0, 0}, 300);
  EXPECT_TRUE(object_labels(encounter_state("plummer"), sample).empty()) << "a star cluster is no galaxy";
  for (render::SampledStar& star : sample.stars) star.position.x = NAN;
  EXPECT_TRUE(object_labels(encounter_state("collision"), sample).empty());
}

TEST(PlaceLabels, AreApartAndInsideTheImage) {
  const LabelBox image{{0, 0}, {800, 600}};
  const LabelBox legend{{600, 0}, {800, 150}};
  std::vector<LabelWish> wishes;
  std::mt19937 random(3);
  for (int k = 0; k < 25; ++k)
    wishes.push_back({{static_cast<float>(random() % 800), static_cast<float>(random() % 600)}, 20, {90, 22}});
  wishes.push_back({wishes[0].at, 20, {90, 22}});  // at the same place
  std::vector<LabelBox> placed = place_labels(wishes, image, {legend});
  ASSERT_EQ(placed.size(), wishes.size());
  int shown = 0;
  placed.push_back(legend);
  for (std::size_t a = 0; a + 1 < placed.size(); ++a) {
    if (placed[a].high.x <= placed[a].low.x) continue;
    ++shown;
    EXPECT_GE(placed[a].low.x, 0);
    EXPECT_LE(placed[a].high.y, 600);
    for (std::size_t b = a + 1; b < placed.size(); ++b) {
      const bool apart = placed[a].high.x <= placed[b].low.x || placed[b].high.x <= placed[a].low.x ||
                         placed[a].high.y <= placed[b].low.y || placed[b].high.y <= placed[a].low.y;
      EXPECT_TRUE(apart) << a << " and " << b;
    }
  }
  EXPECT_GE(shown, 24) << "there is room for them";
}

TEST(PlaceLabels, AreOnTheirSide) {
  const LabelBox image{{0, 0}, {800, 600}};
  const auto placed =
      place_labels({{{400, 300}, 20, {90, 22}, {1, -1}}, {{400, 300}, 20, {90, 22}, {-1, 1}}}, image, {});
  EXPECT_GT(placed[0].low.x, 400);
  EXPECT_LT(placed[0].high.y, 300);
  EXPECT_LT(placed[1].high.x, 400);
  EXPECT_GT(placed[1].low.y, 300);
}

TEST(PlaceLabels, WithoutRoomAreNotDrawn) {
  const auto placed = place_labels({{{50, 50}, 10, {90, 20}}, {{50, 50}, 10, {300, 20}}}, {{0, 0}, {100, 100}}, {});
  EXPECT_GT(placed[0].high.x, placed[0].low.x);
  EXPECT_EQ(placed[1].high.x, placed[1].low.x);
}

}  // namespace
}  // namespace pericenter::app
