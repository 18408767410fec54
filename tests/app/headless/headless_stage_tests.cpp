#include "app/headless/headless_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "app/lessons/claim_quantities.h"
#include "app/lessons/lesson_file.h"

namespace pericenter::app {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;

Slide slide_of(const std::string& scene, std::size_t bodies) {
  Slide slide{.line = 7, .scene = "pericenter/1 scene=" + scene};
  slide.options.scene = scene;
  slide.options.bodies = bodies;
  slide.options.steps_per_frame = 1;  // 30 steps per second
  return slide;
}

Lesson lesson_of(std::vector<Slide> slides) {
  Lesson lesson;
  lesson.name = "test";
  lesson.slides = std::move(slides);
  return lesson;
}

double measured(std::string_view quantity, const HeadlessStage& run) {
  return quantity_of(quantity).measure(run.runs());
}

class HeadlessStages : public testing::Test {
 protected:
  /// Runs all slides of a lesson.
  HeadlessStage& run_all(Lesson lesson) {
    lesson_ = std::move(lesson);
    run_.emplace(lesson_, machine_, stop_);
    for (const Slide& slide : lesson_.slides) {
      run_->enter(slide);
      run_->finish();
    }
    return *run_;
  }
  const SessionState& a() { return run_->a().session().state(); }
  const SessionState& b() { return run_->b()->session().state(); }

  StopSignals stop_;
  LessonMachine machine_;
  Lesson lesson_;
  std::optional<HeadlessStage> run_;
};

TEST_F(HeadlessStages, ARampTakesThirtyStepsPerSecondAndEndsAtItsLastValue) {
  Slide slide = slide_of("plummer", 200);
  slide.ramp = Ramp{"theta", 0.3, 1.2, 0.5};
  run_all(lesson_of({slide}));
  EXPECT_EQ(a().steps, 15u);
  EXPECT_GT(a().params.theta, 1.1);
  EXPECT_LE(a().params.theta, 1.2);
}

TEST_F(HeadlessStages, SecondsOfTheWallClockAreStepsAsWell) {
  Slide slide = slide_of("plummer", 200);
  slide.until = UntilSeconds{0.2};
  run_all(lesson_of({slide}));
  EXPECT_EQ(a().steps, 6u);
}

TEST_F(HeadlessStages, SecondsAtAPaceAreItsTime) {
  Slide slide = slide_of("plummer", 200);
  slide.options.steps_per_frame.reset();
  slide.options.pace = 2;
  slide.until = UntilSeconds{0.5};
  run_all(lesson_of({slide}));
  EXPECT_THAT(a().time, DoubleNear(1 + a().params.dt / 2, a().params.dt / 2 + 1e-9));
}

TEST_F(HeadlessStages, ASlideWithoutAnEndTakesNoStep) {
  run_all(lesson_of({slide_of("plummer", 200)}));
  EXPECT_EQ(a().steps, 0u);
}

TEST_F(HeadlessStages, ATimeIsReachedWithinAStep) {
  Slide slide = slide_of("collision", 300);
  slide.until = UntilTime{5};
  run_all(lesson_of({slide}));
  const double step = a().params.dt * a().units.time_myr;
  EXPECT_THAT(a().time * a().units.time_myr, DoubleNear(5 + step / 2, step / 2 + 1e-9));
}

TEST_F(HeadlessStages, SettingsOfAContinuingRunLeaveTheOthers) {
  Slide first = slide_of("plummer", 200), second;
  first.ramp = Ramp{"theta", 0.3, 0.9, 0.1};
  first.until = UntilSeconds{0.2};
  second.set = "dt=0.001";
  run_all(lesson_of({first, second}));
  EXPECT_EQ(a().params.dt, 0.001);
  EXPECT_NEAR(a().params.theta, 0.9, 1e-12);
  EXPECT_EQ(a().steps, 6u);
}

TEST_F(HeadlessStages, ComparesTheSameBodiesAtTheSameTime) {
  Slide slide = slide_of("plummer", 400);
  slide.options.theta = 0.3;
  slide.options.config.solver = "octree";
  slide.options.automatic_solver = false;
  slide.compare = "theta=1.2,dt=0.004";
  slide.until = UntilSeconds{0.2};
  HeadlessStage& run = run_all(lesson_of({slide}));
  ASSERT_TRUE(run.b());
  EXPECT_EQ(a().params.theta, 0.3);
  EXPECT_EQ(b().params.theta, 1.2);
  EXPECT_NEAR(a().time, b().time, 0.5 * b().params.dt + 1e-12);
  EXPECT_GT(measured("force error of B", run), 3 * measured("force error", run));
}

TEST_F(HeadlessStages, RunsBackwardsToTheStart) {
  Slide first = slide_of("plummer", 300), second;
  first.until = UntilSeconds{0.3};
  second.action = SlideAction::run_backwards;
  second.until = UntilStart{};
  run_all(lesson_of({first, second}));
  EXPECT_EQ(a().steps, 18u);
  EXPECT_NEAR(a().time, 0, 1e-9);
  EXPECT_LT(a().record->samples.back().start_distance, 1e-3);
}

TEST_F(HeadlessStages, ComparedRunsGoBackwardsTogether) {
  Slide first = slide_of("plummer", 300), second;
  first.until = UntilSeconds{0.3};
  second.action = SlideAction::run_backwards;
  second.compare = "theta=1.2,dt=0.004";
  second.until = UntilStart{};
  run_all(lesson_of({first, second}));
  EXPECT_EQ(a().steps, 18u);
  EXPECT_NEAR(a().time, 0, 1e-9);
  EXPECT_NEAR(b().time, 0, 0.002 + 1e-9);
}

TEST_F(HeadlessStages, UndoTakesBackTheSettings) {
  Slide first = slide_of("plummer", 200), second, third;
  second.set = "dt=0.5";
  third.action = SlideAction::undo;
  run_all(lesson_of({first, second, third}));
  EXPECT_EQ(a().params.dt, a().suggested.dt);
}

TEST_F(HeadlessStages, NamesFileLineAndKeyIfTheEndIsNotReached) {
  machine_.max_steps = 5;
  Slide slide = slide_of("plummer", 100);
  slide.until = UntilEvent{EncounterEventKind::merger};
  try {
    run_all(lesson_of({slide}));
    FAIL() << "no error";
  } catch (const LessonError& error) {
    EXPECT_STREQ(error.what(),
                 "test.toml:7: until: the end of this slide is not reached in 5 steps; use an end that the run "
                 "reaches.");
  }
}

TEST_F(HeadlessStages, NamesTheSettingThatIsRefused) {
  Slide first = slide_of("plummer", 100), second;
  second.line = 12;
  second.set = "solver=unknown";
  try {
    run_all(lesson_of({first, second}));
    FAIL() << "no error";
  } catch (const LessonError& error) {
    EXPECT_THAT(error.what(), HasSubstr("test.toml:12: set: "));
  }
}

TEST_F(HeadlessStages, TheQuickFormHasFewerBodiesUnlessAClaimDependsOnThem) {
  machine_.quick = true;
  Slide slide = slide_of("plummer", 9000);
  run_all(lesson_of({slide}));
  EXPECT_LT(a().bodies, 9000u);
  Slide later;
  later.claims = {
      {.text = "pairs > 1", .quantity = &quantity_of("pairs"), .relation = Claim::Relation::above, .value = 1}};
  run_all(lesson_of({slide, later}));
  EXPECT_EQ(a().bodies, 9000u);
}

// ---- measured quantities

TEST(ClaimValues, EveryQuantityCanBeMeasured) {
  ASSERT_FALSE(claim_quantities().empty());
  for (const ClaimQuantity& row : claim_quantities()) EXPECT_TRUE(row.measure) << row.name;
  EXPECT_THROW(quantity_of("mass of the moon"), std::invalid_argument);
}

// Point masses on a parabola with test particles: q = 1, M = 2, so v = sqrt(2 G M / q) = 2.
TEST_F(HeadlessStages, MeasuresThePericentreOfAParabola) {
  Slide slide = slide_of("toomre-direct", 300);
  slide.until = UntilEvent{EncounterEventKind::pericenter};
  slide.claims = {{.text = "speed at pericentre", .quantity = &quantity_of("speed at pericentre")}};
  HeadlessStage& run = run_all(lesson_of({slide}));
  EXPECT_NEAR(measured("separation at pericentre", run), 25, 0.25);
  EXPECT_NEAR(measured("speed at pericentre", run), 2 * a().units.velocity_kms, 2);
  EXPECT_GT(measured("time of pericentre", run), 0);
  EXPECT_TRUE(std::isnan(measured("time of merger", run)));
  EXPECT_TRUE(std::isnan(measured("energy error of B", run)));
}

TEST_F(HeadlessStages, CountsBodiesPairsAndCells) {
  Slide slide = slide_of("plummer", 1000);
  slide.options.config.solver = "octree";
  slide.options.automatic_solver = false;
  HeadlessStage& run = run_all(lesson_of({slide}));
  EXPECT_EQ(measured("bodies", run), 1000);
  EXPECT_EQ(measured("pairs", run), 499'500);
  EXPECT_GT(measured("tree levels", run), 3);
  EXPECT_GT(measured("tree cells", run), 100);
  EXPECT_GT(measured("interactions per body", run), 50);
  EXPECT_LT(measured("interactions per body", run), 999);
  EXPECT_LT(measured("force error", run), 1);
  EXPECT_GT(measured("direct takes", run), 0);
}

TEST_F(HeadlessStages, TheForceErrorIsThatOfTheSettingsNow) {
  Slide first = slide_of("plummer", 1000), second;
  first.options.config.solver = "octree";
  first.options.automatic_solver = false;
  first.options.theta = 0.2;
  second.set = "theta=1.2";
  const double fine = measured("force error", run_all(lesson_of({first})));
  const double coarse = measured("force error", run_all(lesson_of({first, second})));
  EXPECT_GT(coarse, 10 * fine);
}

}  // namespace
}  // namespace pericenter::app
