#include "app/settings/comparison_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/settings/command_line.h"
#include "app/settings/command_line_error.h"

namespace pericenter::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Options parsed(std::vector<const char*> words) {
  words.insert(words.begin(), {"pericenter", "--backend", "cpu"});
  return parse_command_line(static_cast<int>(words.size()), words.data()).options;
}

std::string error_of(const std::vector<const char*>& words) {
  try {
    parsed(words);
  } catch (const CommandLineError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ComparisonOptions, ChangeOnlyTheNamedSettings) {
  const Options a = parsed({"--theta", "0.4", "--compare", "theta=1.2,precision=double,dt=0.01"});
  const SceneOptions b = compared_options(a);
  EXPECT_EQ(a.theta, 0.4);
  EXPECT_EQ(b.theta, 1.2);
  EXPECT_EQ(b.dt, 0.01);
  EXPECT_EQ(b.config.precision, Precision::float64);
  EXPECT_TRUE(b.given.precision);
  EXPECT_EQ(b.config.solver, a.config.solver);
}

TEST(ComparisonOptions, SetSolverThreadsAndEncounter) {
  const SceneOptions b = compared_options(parsed({"--compare", "solver=direct,threads=1,i1=180,i2=180"}));
  EXPECT_EQ(b.config.solver, "direct");
  EXPECT_FALSE(b.automatic_solver);
  EXPECT_EQ(b.config.threads, 1);
  ASSERT_TRUE(b.encounter);
  EXPECT_EQ(b.encounter->first.inclination, 180);
}

TEST(ComparisonOptions, SceneTakesOnlyTheEncounterOfAScene) {
  const SceneOptions b = compared_options(parsed({"-n", "500", "--compare", "scene=retrograde,i2=170"}));
  EXPECT_EQ(b.scene, "collision");
  EXPECT_EQ(b.bodies, 500u);
  Encounter twin = *find_scene("retrograde")->encounter;
  EXPECT_NE(b.encounter, twin);
  twin.second.inclination = 170;
  EXPECT_EQ(b.encounter, twin);
  EXPECT_THAT(error_of({"--compare", "scene=galaxy"}), HasSubstr("--compare scene must be"));
  EXPECT_THAT(error_of({"--scene", "plummer", "--compare", "scene=retrograde"}), HasSubstr("needs an encounter"));
}

TEST(ComparisonOptions, MistakesAreNamed) {
  EXPECT_THAT(error_of({"--compare", "theta"}), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(error_of({"--compare", "theta=much"}), HasSubstr("--compare theta"));
  EXPECT_THAT(error_of({"--compare", "theta=5"}), HasSubstr("theta"));
  EXPECT_THAT(error_of({"--compare", "n=5"}), AllOf(HasSubstr("cannot set 'n'"), HasSubstr("allowed: ")));
  EXPECT_THAT(error_of({"--compare", "color-by=speed"}), HasSubstr("cannot set"));
  EXPECT_THAT(error_of({"--compare", "theta=1", "--headless"}), HasSubstr("needs a window"));
  EXPECT_THAT(error_of({"--compare", ""}), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(error_of({"--compare-view", "wipe"}), HasSubstr("needs --compare"));
  EXPECT_THAT(error_of({"--compare", "theta=1", "--compare-view", "both"}), HasSubstr("side-by-side"));
}

}  // namespace
}  // namespace pericenter::app
