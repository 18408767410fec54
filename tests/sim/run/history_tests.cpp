#include "sim/run/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/recording_session.h"
#include "tests/support/reference.h"

namespace pericenter::test {
namespace {

constexpr std::size_t kBodies = 10;

/// Bodies at this time, whose positions t^3 and 1 - 2t a cubic represents exactly.
Bodies moving_bodies(double t, std::size_t count = kBodies) {
  return Bodies(count, {.position = {t * t * t, 1 - 2 * t, 0}, .velocity = {3 * t * t, -2, 0}, .mass = 1});
}

/// Records moving_bodies() in steps of 0.5 without a simulation.
struct Recorder {
  explicit Recorder(std::size_t keyframes, const Config& config_used = {}) : config(config_used) {
    history.set_budget(keyframes * kKeyframe);
    history.start(config, kBodies);
    history.begin_segment({0, 0}, config, bodies);
  }
  void run_to(std::uint64_t step) {
    while (history.line().last.step < step) {
      const HistoryMoment now = history.line().last;
      history.note_params({now, params, {}});
      history.note_step({now.step + 1, now.time + params.dt}, 1);
      if (history.wants_keyframe()) record();
    }
  }
  void record() {
    const HistoryMoment now = history.line().last;
    history.add({now, std::make_shared<const PackedMotion>(history.layout(), moving_bodies(now.time))});
  }
  std::vector<std::uint64_t> steps() const {
    std::vector<std::uint64_t> found;
    for (const HistoryKeyframe& keyframe : history.line().keyframes) found.push_back(keyframe.at.step);
    return found;
  }

  static constexpr std::size_t kKeyframe = kBodies * 24;
  Config config;
  Params params{.dt = 0.5};
  Bodies bodies = moving_bodies(0);
  History history;
};

TEST(History, MarksAreInTheOrderOfTheirPositions) {
  Recorder recorder(20);
  recorder.run_to(8);
  recorder.history.add_mark({TimelineMarkKind::configuration, 7, "octree -> fmm"});
  recorder.history.add_mark({TimelineMarkKind::highlight, 3, "key moment"});
  const std::vector<TimelineMark> marks = recorder.history.details()->marks;
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].position, 3);
  EXPECT_EQ(marks[0].kind, TimelineMarkKind::highlight);
  EXPECT_EQ(marks[1].position, 7);
}

TEST(PackedMotion, HasAllBits) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const int dimension : {2, 3}) {
      const Config config{.precision = precision, .dimension = dimension};
      const Bodies bodies = Simulation::create(config, scene_bodies("collision", 10'000))->bodies();
      const PackedMotion packed({bodies.size(), dimension, precision}, bodies);
      EXPECT_TRUE(same_motion(bodies_of(packed, BodyConstants(bodies)), bodies));
    }
  }
}

TEST(PackedMotion, IsInterpolatedAsACubic) {
  const auto at = [](double t) { return moving_bodies(t, 5000); };
  const PackedMotion left({5000, 3, Precision::float64}, at(1)), right({5000, 2, Precision::float32}, at(3));
  std::vector<Vertex> vertices(5000);
  write_motion_vertices({left, right, hermite_weights(0.25, 2)}, BodyConstants(at(1)), {.is_speed = true},
                        host_target(vertices));
  for (const Vertex& vertex : vertices) {
    ASSERT_NEAR(vertex.x, 1.5 * 1.5 * 1.5, 1e-5);
    ASSERT_NEAR(vertex.y, -2, 1e-5);
    ASSERT_EQ(vertex.attribute >> 16, half_bits(static_cast<float>(std::hypot(3 * 1.5 * 1.5, 2))));
  }
}

TEST(History, ShowsFractionsOfUnequalStepsBetweenKeyframes) {
  Recorder run(8);
  std::vector<double> times{0};  // after each step
  const auto step_by = [&](double dt, std::uint64_t last) {
    run.params.dt = dt;
    while (times.size() <= last) {
      run.run_to(times.size());
      times.push_back(run.history.line().last.time);
    }
  };
  step_by(0.05, 19);
  step_by(0.0125, 26);
  run.record();
  run.history.pin_newest();  // as at each turn of the time
  step_by(-0.0125, 29);
  step_by(-0.05, 37);
  ASSERT_THAT(run.steps(), testing::ElementsAre(0, 8, 16, 24, 26, 28, 32));
  Timeline timeline{.last = 37, .last_time = times.back()};
  timeline.details = run.history.details();
  const HistoryLine& line = run.history.line();
  std::vector<Vertex> vertices(kBodies);
  for (double position = 0; position < 37; position += 0.25) {
    SCOPED_TRACE(position);
    const auto step = static_cast<std::size_t>(position);
    const double time = std::lerp(times[step], times[step + 1], position - std::floor(position));
    EXPECT_NEAR(line.time_at(position), time, 1e-12);
    EXPECT_NEAR(timeline.time_at(position), time, 1e-12);
    if (position > 32) continue;  // the last keyframe
    write_motion_vertices(line.around(position), *line.segments[0].constants, {.is_speed = true},
                          host_target(vertices));
    EXPECT_NEAR(vertices[0].x, time * time * time, 1e-6);
    EXPECT_NEAR(vertices[0].y, 1 - 2 * time, 1e-6);
  }
}

TEST(History, DoublesTheSpacingWhenTheBudgetIsFull) {
  Recorder run(8);
  run.run_to(7);
  EXPECT_THAT(run.steps(), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(run.history.spacing(), 1u);
  run.run_to(8);
  EXPECT_THAT(run.steps(), testing::ElementsAre(0, 2, 4, 6, 8));
  EXPECT_EQ(run.history.spacing(), 2u);
  run.run_to(1000);
  EXPECT_EQ(run.history.spacing(), 128u);
  EXPECT_THAT(run.steps(), testing::ElementsAre(0, 128, 256, 384, 512, 640, 768, 896));
  EXPECT_LE(run.history.bytes(), run.history.budget());
}

TEST(History, DoublesTheSpacingWhenKeyframesAreExpensive) {
  Recorder run(100);
  run.run_to(8);
  for (int k = 0; k < 20; ++k) run.history.note_cost(0.019, 0);
  EXPECT_EQ(run.history.spacing(), 1u) << "steps take a second";
  for (int k = 0; k < 20; ++k) run.history.note_cost(0.07, 0);
  EXPECT_EQ(run.history.spacing(), 4u);
  EXPECT_THAT(run.steps(), testing::ElementsAre(0, 4, 8));
  for (int k = 0; k < 20; ++k) run.history.note_cost(0, 1.9);
  EXPECT_EQ(run.history.spacing(), 8u) << "another thread takes long";
}

TEST(History, KeepsTheStartsOfSegments) {
  Recorder run(8);
  run.run_to(3);
  run.config.solver = "fmm";
  run.history.begin_segment({3, 1.5}, run.config, run.bodies);
  run.run_to(100);
  EXPECT_THAT(run.steps(), testing::IsSupersetOf({0, 3}));
  EXPECT_EQ(run.history.line().segment_at(2).config.solver, "octree");
  EXPECT_EQ(run.history.line().segment_at(3).config.solver, "fmm");
  EXPECT_EQ(run.history.line().segments[0].constants, run.history.line().segments[1].constants) << "shared";
}

TEST(History, DropsTheOldestSegmentsLast) {
  Recorder run(8);
  for (std::uint64_t k = 1; k < 30; ++k) {
    run.run_to(k);
    run.config.solver = k % 2 == 0 ? "octree" : "fmm";
    run.history.begin_segment({k, 0.5 * static_cast<double>(k)}, run.config, run.bodies);
  }
  run.run_to(64);
  EXPECT_LE(run.history.bytes(), run.history.budget() + Recorder::kKeyframe);
  EXPECT_GT(run.steps().front(), 0u);
  EXPECT_EQ(run.history.line().segment_at(64).config, run.config);
}

TEST(History, DropsOldGhostsFirst) {
  Recorder run(16);
  run.run_to(10);
  const std::uint64_t first = run.history.branch({6, 3});
  run.run_to(10);
  const std::uint64_t second = run.history.branch({8, 4});
  EXPECT_TRUE(run.history.has_ghost(first));
  run.run_to(12);
  EXPECT_FALSE(run.history.has_ghost(first));
  EXPECT_TRUE(run.history.has_ghost(second));
  run.run_to(15);
  EXPECT_FALSE(run.history.has_ghost(second));
  EXPECT_EQ(run.history.spacing(), 1u) << "not before the ghosts";
  run.run_to(20);
  EXPECT_EQ(run.history.spacing(), 2u);
}

TEST(History, HasALimitedNumberOfKeyframes) {
  Recorder run(1'000'000);
  run.run_to(10'000);
  EXPECT_LE(run.steps().size(), History::kMaxKeyframes);
  EXPECT_GT(run.steps().size(), History::kMaxKeyframes / 4);
}

TEST(History, LeavesReservedMemory) {
  Recorder run(32);
  run.history.set_reserved(16 * Recorder::kKeyframe);
  run.run_to(100);
  EXPECT_LE(run.history.bytes(), 16 * Recorder::kKeyframe);
}

TEST(History, OfTooManyBodiesIsOff) {
  History history;
  history.set_budget(std::size_t{2} << 30);
  EXPECT_FALSE(history.start({}, 500'000'000));
  EXPECT_EQ(history.off_because(),
            "The history is off: one keyframe takes 11445 MB, and at least 8 must fit into the budget of 2048 MB. "
            "Use fewer bodies or a larger budget.");
  EXPECT_TRUE(history.start({}, 10'000'000));
}

TEST(History, DefaultBudgetIsPartOfTheFreeMemory) {
  EXPECT_GT(default_history_budget(), 0u);
  EXPECT_LE(default_history_budget(), std::size_t{2} << 30);
}

TEST(History, NamesChanges) {
  const Params before{.dt = 0.01, .theta = 0.5};
  Params after = before;
  after.theta = 0.9;
  EXPECT_EQ(change_text(before, after), "theta 0.5 -> 0.9");
  EXPECT_EQ(changed_names(before, after), "theta");
  after.dt = -0.01;
  after.gravity = 2;
  EXPECT_EQ(change_text(before, after), "dt 0.01 -> -0.01, theta 0.5 -> 0.9, gravity 1 -> 2");
  EXPECT_EQ(changed_names(before, after), "dt, theta and gravity");
  EXPECT_EQ(change_text({.accuracy = 1e-3, .softening = 0.1}, {.accuracy = 1e-4, .softening = 0.2}),
            "accuracy 0.001 -> 0.0001, softening 0.1 -> 0.2");
  EXPECT_EQ(change_text(Config{}, Config{.solver = "fmm", .precision = Precision::float64, .dimension = 2}),
            "octree -> fmm, float -> double, 3D -> 2D");
  Config options;
  options.solver_options.set(SolverOption::expansion, 0);
  EXPECT_EQ(change_text(Config{}, options), "options of octree");
}

}  // namespace
}  // namespace pericenter::test
