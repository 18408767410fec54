// The events of whole runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/analysis/structure.h"
#include "sim/core/fault_injection.h"
#include "sim/session/session.h"

namespace pericenter {
namespace {

struct Encountered {
  const char* scene;
  double end = 0;    ///< time after the first pericentre
  double steps = 1;  ///< error of its position; larger for a light companion, whose centre is that of few bodies
  std::size_t bodies = 6000;
};

class EncounterScene : public testing::TestWithParam<Encountered> {};

/// The events of a run until `end`, and the separation after each step, without smoothing.
struct Course {
  std::vector<EncounterEvent> events;
  std::vector<double> separations;
};
Course course_of(const char* scene, std::size_t bodies, double end, const SessionOptions& options = {}) {
  SessionOptions used = options;
  used.diagnostics_period = 1e9;
  used.records = false;
  Session session(used);
  session.load(request::LoadScene{scene, {.bodies = bodies}});
  const StructureMeter meter(session.simulation()->bodies());
  Course course;
  course.separations.push_back(meter.separation(session.simulation()->bodies()));
  while (session.simulation()->time() < end) {
    session.advance(nullptr, false);
    course.separations.push_back(meter.separation(session.simulation()->bodies()));
  }
  course.events = session.run().encounter_events();
  return course;
}

TEST_P(EncounterScene, PericentreIsThatOfAllSteps) {
  const Course course = course_of(GetParam().scene, GetParam().bodies, GetParam().end);
  const auto minimum = std::ranges::min_element(course.separations) - course.separations.begin();
  const auto first = std::ranges::find(course.events, EncounterEventKind::pericenter, &EncounterEvent::kind);
  ASSERT_NE(first, course.events.end()) << "lowest at step " << minimum;
  EXPECT_LE(std::abs(first->position - static_cast<double>(minimum)), GetParam().steps)
      << first->position << ", " << minimum;
  EXPECT_NEAR(first->separation, course.separations[static_cast<std::size_t>(minimum)], 0.05);
  for (const EncounterEvent& event : course.events)
    EXPECT_GE(event.position, first->position) << "tails and mergers come later";
}

INSTANTIATE_TEST_SUITE_P(, EncounterScene,
                         testing::Values(Encountered{"collision", 23}, Encountered{"antennae", 38},
                                         Encountered{"mice", 33}, Encountered{"m51", 25, 1, 20'000},
                                         Encountered{"grand-design", 17, 3}, Encountered{"cartwheel", 12.5},
                                         Encountered{"milky-way-andromeda", 26}, Encountered{"minor-merger", 18},
                                         Encountered{"retrograde", 23}, Encountered{"head-on", 5.5},
                                         Encountered{"toomre-antennae", 7}, Encountered{"toomre-mice", 9.6},
                                         Encountered{"toomre-m51", 4.5}, Encountered{"toomre-direct", 4},
                                         Encountered{"toomre-retrograde", 4}, Encountered{"toomre-ring", 2}),
                         [](const auto& param) {
                           std::string name = param.param.scene;
                           std::erase(name, '-');
                           return name;
                         });

class EncounterWithoutMemory : public testing::TestWithParam<Encountered> {
 protected:
  ~EncounterWithoutMemory() override { plan_fault({}); }
};

TEST_P(EncounterWithoutMemory, ComesFromASample) {
  ASSERT_EQ(plan_fault("snapshot_memory"), "");
  const Course course = course_of(GetParam().scene, GetParam().bodies, GetParam().end, {.encounter_sample = 1500});
  const auto minimum = std::ranges::min_element(course.separations) - course.separations.begin();
  const auto first = std::ranges::find(course.events, EncounterEventKind::pericenter, &EncounterEvent::kind);
  ASSERT_NE(first, course.events.end()) << "lowest at step " << minimum;
  EXPECT_LE(std::abs(first->position - static_cast<double>(minimum)), 3) << first->position << ", " << minimum;
  EXPECT_NEAR(first->separation, course.separations[static_cast<std::size_t>(minimum)], 0.1);
}

INSTANTIATE_TEST_SUITE_P(, EncounterWithoutMemory,
                         testing::Values(Encountered{"collision", 23}, Encountered{"toomre-direct", 4}),
                         [](const auto& param) { return param.index == 0 ? "galaxies" : "pointmasses"; });

TEST(Encounters, OtherScenesHaveNoEvents) {
  for (const char* scene : {"galaxy", "plummer", "uniform", "solar-system"}) {
    Session session({.diagnostics_period = 1e9, .records = false});
    session.load(request::LoadScene{scene, {.bodies = 500}});
    for (int k = 0; k < 300; ++k) session.advance(nullptr, false);
    EXPECT_THAT(session.run().encounter_events(), testing::IsEmpty()) << scene;
  }
}

TEST(Encounters, AreNotWatchedOnRequest) {
  Session session({.diagnostics_period = 1e9, .records = false, .reports_encounters = false});
  session.load(request::LoadScene{"toomre-direct", {.bodies = 200}});
  while (session.simulation()->time() < 4) session.advance(nullptr, false);
  EXPECT_THAT(session.run().encounter_events(), testing::IsEmpty());
}

}  // namespace
}  // namespace pericenter
