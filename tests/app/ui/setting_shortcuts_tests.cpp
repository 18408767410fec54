#include "app/ui/setting_shortcuts.h"

#include <gmock/gmock.h>

#include <set>

#include "sim/solvers/registry.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

using ::testing::HasSubstr;

/// Presses a key as the window does.
class SettingKeys : public Panels {
 protected:
  void key(char character) {
    handle_requests();
    const UiFrame view{.simulation = state, .now = now};
    update(view, ui);
    const auto command = command_of_character(static_cast<unsigned>(character), false, false);
    ASSERT_TRUE(command);
    EXPECT_TRUE(apply_command(*command, view, {ui}));
    if (const auto* params = asked<request::SetParams>()) state.params = params->params;
    if (const auto* config = asked<request::SetConfig>()) state.config = config->config;
  }
};

TEST_F(SettingKeys, ThetaChangesByATenth) {
  state.config.solver = "octree";
  state.params.theta = 0.73;
  key('+');
  EXPECT_NEAR(state.params.theta, 0.8, 1e-12);
  EXPECT_EQ(ui.notices.shown.text, "Opening angle θ = 0.8");
  key('-');
  key('-');
  EXPECT_NEAR(state.params.theta, 0.6, 1e-12);
  for (int k = 0; k < 20; ++k) key('-');
  EXPECT_EQ(state.params.theta, 0);
  for (int k = 0; k < 20; ++k) key('+');
  EXPECT_NEAR(state.params.theta, 1.5, 1e-12);
}

TEST_F(SettingKeys, ThetaKeysSayWhyThereIsNoTheta) {
  state.config.solver = "direct";
  key('+');
  EXPECT_FALSE(asked<request::SetParams>());
  EXPECT_THAT(ui.notices.shown.text, HasSubstr("direct sum"));
  state.config.solver = "octree";
  state.playback = TimeRange{};
  key('-');
  EXPECT_FALSE(asked<request::SetParams>());
  EXPECT_THAT(ui.notices.shown.text, HasSubstr("playback"));
}

TEST_F(SettingKeys, NextSolverVisitsAllThatCanRun) {
  std::set<std::string> seen, runs;
  for (const SolverInfo& info : solvers())
    if (info.runs_on(Backend::cpu)) runs.insert(std::string(info.name));
  for (std::size_t k = 0; k < runs.size(); ++k) {
    key('o');
    seen.insert(state.config.solver);
    EXPECT_EQ(problem_with(state.config), "");
    EXPECT_EQ(ui.notices.shown.text, "Algorithm: " + std::string(find_solver(state.config.solver)->title));
    ASSERT_TRUE(asked<request::ChooseSolver>());
    EXPECT_FALSE(asked<request::ChooseSolver>()->automatically);
  }
  EXPECT_EQ(seen, runs);
}

TEST_F(SettingKeys, NextColorVisitsAllModes) {
  std::set<render::ColorMode> seen;
  state.fields = {{"Temperature", "K"}};
  for (int k = 0; k < render::kColorModes; ++k) {
    key('i');
    seen.insert(ui.view.image.color);
    EXPECT_EQ(asked<request::ShowScalar>() != nullptr, render::shows_values(ui.view.image.color));
    EXPECT_THAT(ui.notices.shown.text, HasSubstr("Colour by "));
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(render::kColorModes));
}

TEST_F(SettingKeys, BackspaceRunsBackwards) {
  const UiFrame view{.simulation = state};
  const auto command = command_of_key({.key = 259}, false);  // GLFW_KEY_BACKSPACE
  ASSERT_TRUE(command);
  apply_command(*command, view, {ui});
  EXPECT_TRUE(asked<request::RunBackwards>());
}

}  // namespace
}  // namespace pericenter::app
