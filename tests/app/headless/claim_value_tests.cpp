#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/headless/headless_stage.h"
#include "app/lessons/claim_quantities.h"
#include "sim/core/bodies.h"
#include "sim/scenes/registry.h"

// What claims measure in lessons of several slides, and of B.

namespace pericenter::app {
namespace {

using testing::HasSubstr;

Slide slide_with(const std::string& scene, std::size_t bodies) {
  Slide slide{.line = 7, .scene = "pericenter/1 scene=" + scene};
  slide.options.scene = scene;
  slide.options.bodies = bodies;
  slide.options.steps_per_frame = 1;  // 30 steps per second
  return slide;
}

class ClaimValuesOfSlides : public testing::Test {
 protected:
  void run_all(std::vector<Slide> slides) {
    lesson_.name = "test";
    lesson_.slides = std::move(slides);
    stage_.emplace(lesson_, machine_, stop_);
    for (const Slide& slide : lesson_.slides) {
      stage_->enter(slide);
      stage_->finish();
    }
  }
  double measured(std::string_view quantity) { return quantity_of(quantity).measure(stage_->runs()); }
  const SessionState& a() { return stage_->a().session().state(); }
  const SessionState& b() { return stage_->b()->session().state(); }

  StopSignals stop_;
  LessonMachine machine_;
  Lesson lesson_;
  std::optional<HeadlessStage> stage_;
};

/// Mean distance of the disc stars from the mean position of their disc.
double mean_radius(const Bodies& bodies) {
  std::array<Vec3, 2> sums;
  std::array<double, 2> counts = {};
  const auto each = [&](const auto& visit) {
    for (std::size_t k = 0; k < bodies.size(); ++k)
      if (component_of(bodies[k].tag) == Component::disc) visit(galaxy_of(bodies[k].tag), bodies[k].position);
  };
  each([&](std::uint32_t galaxy, const Vec3& at) { sums[galaxy] += at, ++counts[galaxy]; });
  double sum = 0;
  each([&](std::uint32_t galaxy, const Vec3& at) { sum += length(at - sums[galaxy] * (1 / counts[galaxy])); });
  return sum / (counts[0] + counts[1]);
}

TEST_F(ClaimValuesOfSlides, BirthRadiiAreThoseOfUnequalGalaxies) {
  Slide slide = slide_with("collision", 4000);
  slide.options.encounter = *find_scene("collision")->encounter;
  slide.options.encounter->mass_ratio = 0.1;
  run_all({slide});
  const double radius = mean_radius(stage_->a().simulation().bodies()) * a().units.length_kpc;
  EXPECT_NEAR(measured("disc birth radius"), radius, 0.05 * radius);
}

TEST_F(ClaimValuesOfSlides, OuterRotationIsThatOfTheMassInside) {
  std::array<double, 2> speeds = {};
  for (const std::string scene : {"collision", "without-halos"}) {
    run_all({slide_with(scene, 6000)});
    speeds.at(scene == "collision" ? 0 : 1) = measured("outer rotation");
  }
  EXPECT_NEAR(speeds[0], 180, 15);  // flat: v = 0.72 beyond 10 kpc
  EXPECT_NEAR(speeds[1], 115, 15);  // G M / r of disc and bulge
}

TEST_F(ClaimValuesOfSlides, TheEnergyErrorIsThatOfTheSlideAndNotOfThoseBefore) {
  machine_.records_energy = true;
  Slide bad = slide_with("toomre-direct", 100), back, still;
  bad.options.config.solver = "direct";
  bad.options.automatic_solver = false;
  bad.options.dt = 0.3;
  bad.until = UntilEvent{EncounterEventKind::pericenter};
  run_all({bad});
  const double before = measured("energy error");
  back.action = SlideAction::run_backwards;
  back.until = UntilStart{};
  still.set = "dt=0.001";
  still.until = UntilSeconds{1};
  run_all({bad, back, still});
  EXPECT_LT(measured("energy error"), 0.1 * before) << before;
}

TEST_F(ClaimValuesOfSlides, ARampChangesBothSimulations) {
  Slide slide = slide_with("plummer", 200);
  slide.options.config.solver = "octree";
  slide.options.automatic_solver = false;
  slide.compare = "softening=0.1";
  slide.ramp = Ramp{"theta", 0.3, 1.2, 0.5};
  run_all({slide});
  EXPECT_GT(a().params.theta, 1.1);
  EXPECT_EQ(b().params.theta, a().params.theta);
  EXPECT_NE(b().params.softening, a().params.softening);
}

TEST_F(ClaimValuesOfSlides, AResetForgetsThePassageOfTheRunBefore) {
  Slide slide = slide_with("toomre-direct", 100);
  slide.until = UntilSeconds{0.2};
  slide.claims = {{.text = "speed at pericentre", .quantity = &quantity_of("speed at pericentre")}};
  run_all({slide});
  EXPECT_EQ(stage_->a().nuclei().size(), 6u);
  stage_->a().apply(request::Reset{});
  EXPECT_TRUE(stage_->a().nuclei().empty());
  stage_->a().step();
  ASSERT_EQ(stage_->a().nuclei().size(), 1u);
  EXPECT_NEAR(stage_->a().nuclei()[0].time, a().params.dt, 1e-12);
}

TEST_F(ClaimValuesOfSlides, BFollowsABackwards) {
  Slide slide = slide_with("plummer", 200);
  slide.options.dt = -0.01;
  slide.compare = "dt=-0.005";
  slide.until = UntilSeconds{0.1};
  run_all({slide});
  EXPECT_NEAR(a().time, -0.03, 1e-12);
  EXPECT_NEAR(b().time, a().time, 0.5 * 0.005 + 1e-12);
  EXPECT_LT(measured("energy error of B"), 1);
}

/// One step of A is not a step of B.
TEST_F(ClaimValuesOfSlides, BHasToTakeTheStepsOfAEvenIfThereIsOnlyOne) {
  for (const char* settings : {"dt=0", "dt=-0.01"}) {
    Slide slide = slide_with("plummer", 200);
    slide.options.dt = 0.01;
    slide.compare = settings;
    slide.until = UntilSeconds{0.03};
    run_all({slide});
    ASSERT_EQ(a().steps, 1u);
    try {
      measured("energy error of B");
      ADD_FAILURE() << settings;
    } catch (const NotMeasured& reason) {
      EXPECT_THAT(reason.what(), HasSubstr("has not reached the time of A")) << settings;
    }
  }
}

TEST_F(ClaimValuesOfSlides, ARunThatDoesNotAdvanceDoesNotReachItsEnd) {
  machine_.max_steps = 20;
  Slide slide = slide_with("collision", 100);
  slide.options.dt = 0;
  slide.until = UntilTime{5};
  try {
    run_all({slide});
    ADD_FAILURE() << "no error";
  } catch (const LessonError& error) {
    EXPECT_THAT(error.what(), HasSubstr("until: the end of this slide is not reached in 20 steps"));
  }
}

}  // namespace
}  // namespace pericenter::app
