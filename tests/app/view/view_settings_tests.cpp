#include "app/view/view_settings.h"

#include <gtest/gtest.h>

#include "app/view/camera_control.h"
#include "sim/scenes/solar_system.h"

namespace pericenter::app {
namespace {

// Regression: an asteroid belt was a glowing ring.
TEST(SceneLooks, ManySingleBodiesAreFaintPoints) {
  ViewSettings view;
  const render::Stars few{.count = 9}, many{.count = 20'000};
  const auto drawn = [&](const render::Stars& stars, bool points) {
    return frame_of(view, stars, {}, {.points = points}).settings;
  };
  EXPECT_EQ(drawn(many, false).style, render::StarStyle::automatic);
  EXPECT_EQ(drawn(few, true).style, render::StarStyle::automatic) << "planets are discs";
  EXPECT_EQ(drawn(many, true).style, render::StarStyle::splat);
  EXPECT_LT(drawn(many, true).exposure, drawn(many, false).exposure);
  EXPECT_LT(drawn(many, true).bloom, drawn(many, false).bloom);
  EXPECT_TRUE(frame_of(view, few, {}, {.points = true, .masses = true}).settings.by_mass);
  EXPECT_FALSE(frame_of(view, few, {}, {.points = true}).settings.by_mass);
  view.image.style = render::StarStyle::sprites;
  EXPECT_FALSE(frame_of(view, few, {}, {.points = true, .masses = true}).settings.by_mass) << "as the user has chosen";
  EXPECT_EQ(drawn(many, true).style, render::StarStyle::sprites) << "as the user has chosen";
}

// Regression: star clusters were lamps, and a lattice a fog without rows.
TEST(SceneLooks, StarsOfClustersArePointsBrighterThanAsteroids) {
  const render::Stars many{.count = 20'000};
  SessionState state;
  const auto drawn = [&](const char* scene) {
    state.scene = scene;
    return frame_of({}, many, {}, look_of(state)).settings;
  };
  const float galaxy = drawn("collision").exposure;
  EXPECT_EQ(drawn("nfw").style, render::StarStyle::automatic) << "a sample of a halo";
  for (const char* scene : {"plummer", "head-on", "uniform", "lattice", "cold-collapse"}) {
    EXPECT_EQ(drawn(scene).style, render::StarStyle::splat) << scene;
    EXPECT_LT(drawn(scene).exposure, galaxy) << scene;
  }
  const float stars = drawn("plummer").exposure;
  state.units = solar_units();
  EXPECT_GT(stars, drawn("solar-system").exposure);
  state.file = "cluster.hdf5";
  state.units = {};
  EXPECT_FALSE(look_of(state).points) << "of a file it is not known what its bodies are";
}

// Regression: the shells of "minor-merger" were not to be seen, because both galaxies had one colour.
TEST(SceneColors, AreThoseInWhichASceneIsBestSeenUnlessOthersWereChosen) {
  using render::ColorMode;
  EXPECT_EQ(color_of_scene("minor-merger", "collision", ColorMode::stars), ColorMode::origin);
  EXPECT_EQ(color_of_scene("head-on", "minor-merger", ColorMode::origin), ColorMode::origin);
  EXPECT_EQ(color_of_scene("collision", "head-on", ColorMode::origin), ColorMode::stars);
  EXPECT_EQ(color_of_scene("", "head-on", ColorMode::origin), ColorMode::stars) << "a file";
  EXPECT_EQ(color_of_scene("minor-merger", "collision", ColorMode::speed), ColorMode::speed)
      << "as the user has chosen";
  EXPECT_EQ(color_of_scene("galaxy", "collision", ColorMode::origin), ColorMode::origin) << "as the user has chosen";
}

// Regression: "on one closed path" was said of stars without a path.
TEST(SceneTrails, AreShownWherePathsAreTheSubjectUnlessTheUserHasChosen) {
  EXPECT_TRUE(trails_of_scene("figure-eight", "collision", false));
  EXPECT_TRUE(trails_of_scene("two-body", "figure-eight", true));
  EXPECT_FALSE(trails_of_scene("collision", "two-body", true));
  EXPECT_FALSE(trails_of_scene("figure-eight", "two-body", false)) << "as the user has chosen";
  EXPECT_TRUE(trails_of_scene("galaxy", "collision", true)) << "as the user has chosen";
}

TEST(SceneAge, IsTheTimeInGyrIfThereArePhysicalUnits) {
  EXPECT_FLOAT_EQ(scene_age(28, {3.5, 13.8, 248}), 0.3864f);
  EXPECT_EQ(scene_age(-28, {3.5, 13.8, 248}), 0) << "before the start";
  EXPECT_EQ(scene_age(28, {}), 0);
}

TEST(SceneLooks, PlanetarySystemsHaveSingleBodies) {
  SessionState state;
  state.scene = "collision";
  state.units = {3.5, 13.8, 248};
  EXPECT_FALSE(look_of(state).points);
  state.units = solar_units();
  EXPECT_TRUE(look_of(state).points) << "also in a file";
  EXPECT_FALSE(look_of(state).masses);
  state.units = {};
  EXPECT_FALSE(look_of(state).points);
  state.scene = "random-masses";
  EXPECT_TRUE(look_of(state).points);
  EXPECT_TRUE(look_of(state).masses);
}

}  // namespace
}  // namespace pericenter::app
