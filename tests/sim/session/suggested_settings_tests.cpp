// With the settings that a scene suggests, the health strip stays green.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/scenes/registry.h"
#include "sim/session/session.h"
#include "tests/support/long_form.h"

namespace pericenter {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const SceneInfo& info : scenes()) result.emplace_back(info.name);
  return result;
}

class SuggestedSettings : public testing::TestWithParam<std::string> {};

TEST_P(SuggestedSettings, AreTrustworthyUntilTheKeyMoment) {
  // Fewer bodies are the stricter test, because encounters of pairs are closer to the heavier bodies.
  constexpr std::size_t kLeastSteps = 200;
  const std::size_t bodies = 2000 * static_cast<std::size_t>(test::long_form(2));
  Session session({.diagnostics_period = 0, .records = false, .reports_encounters = false});
  session.apply(request::ChooseSolver{true, true});
  session.load(request::LoadScene{GetParam(), {.bodies = bodies}});
  const double end = std::max(session.state().highlight_time, kLeastSteps * session.state().params.dt);
  while (session.simulation()->time() < end) session.advance(nullptr, false);
  const Health health = session.state().health;
  EXPECT_EQ(health.level, HealthLevel::good)
      << "energy " << health.energy_error.worst << ", forces " << health.force_error.worst << ", softenings "
      << health.fall_per_step.worst << ", " << health.reason;
}

INSTANTIATE_TEST_SUITE_P(, SuggestedSettings, testing::ValuesIn(names()), [](const auto& param) {
  std::string name = param.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace pericenter
