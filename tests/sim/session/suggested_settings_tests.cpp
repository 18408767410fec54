// With the settings that a scene suggests, its result can be trusted.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sim/scenes/registry.h"
#include "sim/session/session.h"

namespace pericenter {
namespace {

class SuggestedSettings : public testing::TestWithParam<SceneInfo> {};

TEST_P(SuggestedSettings, AreTrustworthyUntilTheKeyMoment) {
  constexpr std::size_t kBodies = 2000, kLeastSteps = 200;
  Session session({.records = false, .reports_encounters = false});
  session.apply(request::ChooseSolver{true});
  session.load(request::LoadScene{std::string(GetParam().name), {.bodies = kBodies}});
  const double end = std::max(session.state().highlight_time, kLeastSteps * session.state().params.dt);
  while (session.simulation()->time() < end) session.advance(nullptr, false);
  const Health health = session.state().health;
  EXPECT_NE(health.level, HealthLevel::poor) << health.reason;
}

INSTANTIATE_TEST_SUITE_P(, SuggestedSettings, testing::ValuesIn(scenes().begin(), scenes().end()),
                         [](const auto& param) {
                           std::string name(param.param.name);
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace pericenter
