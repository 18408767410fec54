#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "app/ui/cost_accuracy.h"
#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

using testing::HasSubstr;

class AccuracyPanel : public Panels {
 protected:
  AccuracyPanel() {
    state.samples_forces = true;
    state.timings[Stage::walk] = 20;
    ui.cost.history.assign(20, state.timings);
  }
  void sample(double mean) {
    state.force_sample.bodies = 1024;
    state.force_sample.errors = {mean, mean, 4 * mean, 10 * mean};
    state.force_sample.seconds = 0.03;
    state.force_sample.share = 0.021;
    state.force_sample.params = state.params;
  }
  void sweep() {
    auto made = std::make_shared<ThetaSweep>();
    for (const char* solver : {"octree", "fmm", "direct"}) {
      SweepCurve curve{.config = {.solver = solver}, .points = {}};
      for (const double theta : kSweptThetas) {
        SweepPoint point{.theta = theta, .ms = 14 / theta};
        point.errors.mean = 3e-3 * std::pow(theta, 4);
        curve.points.push_back(point);
      }
      if (curve.config.solver == "direct") curve.points.resize(1);
      made->curves.push_back(curve);
    }
    made->bodies = 20'000;
    state.sweep = made;
  }
  void drag(float x, float y, float to_x, float to_y) {
    const auto card = find("cost-card");
    ASSERT_TRUE(card);
    const auto at = [&](float share_x, float share_y) {
      move_mouse(card->x0 + share_x * (card->x1 - card->x0), card->y0 + share_y * (card->y1 - card->y0));
    };
    at(x, y);
    frame();
    press_mouse(true);
    frame();
    at(to_x, to_y);
    frame();
  }
};

TEST_F(AccuracyPanel, ShowsErrorsAndCost) {
  frame();
  EXPECT_TRUE(find("sampled-mean") && find("sampled-99") && find("sampled-max"));
  EXPECT_FALSE(find("sample-cost"));
  sample(9e-4);
  frame();
  EXPECT_TRUE(find("sample-cost"));
  EXPECT_THAT(tip_of("sample-forces"), HasSubstr("2.1 % of the computing time"));
}

TEST_F(AccuracyPanel, SwitchesSamplingOff) {
  click("sample-forces");
  ASSERT_TRUE(asked<request::SampleForces>());
  EXPECT_FALSE(asked<request::SampleForces>()->sample);
  state.samples_forces = false;
  click("sample-forces");
  ASSERT_TRUE(asked<request::SampleForces>());
  EXPECT_TRUE(asked<request::SampleForces>()->sample);
}

TEST_F(AccuracyPanel, SweepsChosenSolvers) {
  click("measure-sweep");
  ASSERT_TRUE(asked<request::MeasureSweep>());
  EXPECT_THAT(asked<request::MeasureSweep>()->solvers, testing::ElementsAre("octree", "fmm", "direct"));
  click("sweep-fmm");
  click("sweep-hilbert-bvh");
  click("measure-sweep");
  ASSERT_TRUE(asked<request::MeasureSweep>());
  EXPECT_THAT(asked<request::MeasureSweep>()->solvers, testing::ElementsAre("octree", "hilbert-bvh", "direct"));
  state.bodies = 1'000'000;
  click("measure-sweep");
  ASSERT_TRUE(asked<request::MeasureSweep>());
  EXPECT_THAT(asked<request::MeasureSweep>()->solvers, testing::ElementsAre("octree", "hilbert-bvh"));
  EXPECT_THAT(tip_of("sweep-direct"), HasSubstr("takes too long"));
  state.busy = true;
  click("measure-sweep");
  EXPECT_FALSE(asked<request::MeasureSweep>());
}

TEST_F(AccuracyPanel, DraggingAlongTheCurveSetsTheta) {
  sample(9e-4);
  sweep();
  frame();
  drag(0.5f, 0.5f, 0.95f, 0.9f);  // slow and exact
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_LT(asked<request::SetParams>()->params.theta, 0.35);
  const auto card = find("cost-card");
  move_mouse(card->x0 + 0.2f * (card->x1 - card->x0), card->y0 + 2);
  frame();
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_GT(asked<request::SetParams>()->params.theta, 1.0);
  EXPECT_EQ(asked<request::SetParams>()->params.dt, state.params.dt);
  press_mouse(false);
  frame();
  frame();
  EXPECT_FALSE(asked<request::SetParams>());
  EXPECT_FALSE(ui.cost.held_axes);
}

TEST_F(AccuracyPanel, WithoutASweepDraggingSetsAnError) {
  frame();
  drag(0.5f, 0.5f, 0.5f, 0.1f);
  EXPECT_FALSE(asked<request::SetParams>()) << "nothing is known yet";
  press_mouse(false);
  frame();
  sample(9e-4);
  frame();
  drag(0.5f, 0.5f, 0.5f, 0.1f);
  ASSERT_TRUE(asked<request::SetParams>());
  const double larger = asked<request::SetParams>()->params.theta;
  EXPECT_GT(larger, 0.7);
  frame();
  EXPECT_EQ(ui.edited.params.value().theta, larger) << "the axes do not move under the mouse";
}

TEST_F(AccuracyPanel, DirectSumHasNoAngleToDrag) {
  state.config.solver = "direct";
  sample(1e-7);
  frame();
  drag(0.5f, 0.5f, 0.5f, 0.1f);
  EXPECT_FALSE(asked<request::SetParams>());
}

TEST_F(AccuracyPanel, DraggingSetsTargetErrorOfErrorOpening) {
  state.config.solver = "fmm";
  state.config.solver_options.set(SolverOption::opening, Opening::error);
  sample(9e-4);
  frame();
  drag(0.5f, 0.5f, 0.5f, 0.1f);
  ASSERT_TRUE(asked<request::SetParams>());
  EXPECT_GT(asked<request::SetParams>()->params.accuracy, 2e-3);
  EXPECT_EQ(asked<request::SetParams>()->params.theta, state.params.theta);
}

TEST_F(AccuracyPanel, FitsAtEveryWidth) {
  sample(9e-4);
  sweep();
  for (const float scale : {1.0f, 2.0f}) {
    set_scale(scale);
    ui.layout.side_bar.ems = 1;
    for (int k = 0; k < 3; ++k) frame();
    for (const char* id : {"cost-card", "measure-sweep", "sweep-concurrent-octree", "sample-cost", "sampled-bodies"}) {
      ASSERT_TRUE(find(id)) << id;
      EXPECT_LE(find(id)->x1, ui.layout.panel_width) << id << ' ' << scale;
    }
  }
}

TEST_F(AccuracyPanel, IsNotShownDuringPlayback) {
  state.playback = TimeRange{0, 1};
  frame();
  EXPECT_FALSE(find("accuracy-panel"));
}

}  // namespace
}  // namespace pericenter::app
