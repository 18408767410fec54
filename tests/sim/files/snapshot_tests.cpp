#include <gtest/gtest.h>

#include "sim/files/snapshot.h"
#include "sim/session/simulation_worker.h"

namespace pericenter::tests {
namespace {

SimulationWorker worker() {
  return SimulationWorker([](const SessionState&) { return true; });
}

request::LoadSource three_bodies_at(double time) {
  const auto load = [time](const Progress&) {
    LoadedScene loaded;
    loaded.scene.bodies = {{{1, 0, 0}, {}, 1, 0}, {{0, 1, 0}, {}, 2, 0}, {{0, 0, 1}, {}, 3, 0}};
    loaded.scene.params.dt = 0.25;
    loaded.time = time;
    loaded.steps = 7;
    return loaded;
  };
  return {std::make_shared<SceneSource>(SceneSource{"three", "/data/three.csv", load})};
}

TEST(Snapshots, ContainTheStateToContinue) {
  SimulationWorker w = worker();
  w.apply(request::LoadScene{"two-body", {.bodies = 2, .seed = 5}});
  w.apply(request::SingleStep{});
  w.step(nullptr);
  w.apply(request::TakeSnapshot{});
  const std::optional<Snapshot> taken = w.take_snapshot();
  ASSERT_TRUE(taken && taken->run);
  EXPECT_EQ(taken->bodies.size(), 2u);
  EXPECT_EQ(taken->time, w.state().time);
  EXPECT_GT(taken->time, 0);
  EXPECT_EQ(taken->run->scene, "two-body");
  EXPECT_EQ(taken->run->request.seed, 5u);
  EXPECT_EQ(taken->run->steps, 1u);
  EXPECT_EQ(taken->run->params, w.state().params);
  EXPECT_FALSE(w.take_snapshot());
}

TEST(Sources, ReplaceTheSceneAndReloadOnReset) {
  SimulationWorker w = worker();
  w.apply(request::LoadScene{"two-body", {.bodies = 2}});
  w.apply(three_bodies_at(4));
  EXPECT_EQ(w.state().scene, "three");
  EXPECT_EQ(w.state().file, "/data/three.csv");
  EXPECT_EQ(w.state().bodies, 3u);
  EXPECT_EQ(w.state().time, 4);
  EXPECT_EQ(w.state().steps, 7u);
  EXPECT_EQ(w.state().params.dt, 0.25);
  w.apply(request::SingleStep{});
  w.step(nullptr);
  EXPECT_EQ(w.state().steps, 8u);
  w.apply(request::Reset{});
  EXPECT_EQ(w.state().steps, 7u);
  w.apply(request::LoadScene{"two-body", {.bodies = 2}});
  EXPECT_EQ(w.state().file, "");
  EXPECT_EQ(w.state().bodies, 2u);
}

TEST(Sources, OfAnotherBackendLoseOnlyItsOptions) {
  SimulationWorker w = worker();
  const auto load = [](const Progress&) {
    LoadedScene loaded;
    loaded.scene.bodies = {{{1, 0, 0}, {}, 1, 0}, {{0, 1, 0}, {}, 2, 0}};
    loaded.config = Config{.solver = "hybrid", .backend = Backend::cuda, .dimension = 2};
    loaded.config->solver_options.set(SolverOption::block, 0);
    return loaded;
  };
  w.apply(request::LoadSource{std::make_shared<SceneSource>(SceneSource{"gpu", "gpu.hdf5", load})});
  EXPECT_EQ(w.state().message, "");
  EXPECT_EQ(w.state().config, (Config{.solver = "hybrid", .dimension = 2}));
}

TEST(Sources, FailuresKeepTheCurrentScene) {
  SimulationWorker w = worker();
  w.apply(request::LoadScene{"two-body", {.bodies = 2}});
  const auto fail = [](const Progress&) -> LoadedScene { throw InputError("row 3 is wrong."); };
  w.apply(request::LoadSource{std::make_shared<SceneSource>(SceneSource{"bad", "bad.csv", fail})});
  EXPECT_EQ(w.state().scene, "two-body");
  EXPECT_EQ(w.state().message, "row 3 is wrong.");
  EXPECT_TRUE(w.state().message_is_error);
  EXPECT_FALSE(w.state().busy);
}

}  // namespace
}  // namespace pericenter::tests
