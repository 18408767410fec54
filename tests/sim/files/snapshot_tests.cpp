#include <gtest/gtest.h>

#include "sim/files/snapshot.h"
#include "sim/session/session.h"

namespace pericenter::test {
namespace {

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
  Session session;
  session.apply(request::LoadScene{"two-body", {.bodies = 2, .seed = 5}});
  session.apply(request::Step{});
  session.step(nullptr);
  session.apply(request::TakeSnapshot{});
  const std::optional<Snapshot> taken = session.take_snapshot();
  ASSERT_TRUE(taken && taken->run);
  EXPECT_EQ(taken->bodies.size(), 2u);
  EXPECT_EQ(taken->time, session.state().time);
  EXPECT_GT(taken->time, 0);
  EXPECT_EQ(taken->run->scene, "two-body");
  EXPECT_EQ(taken->run->request.seed, 5u);
  EXPECT_EQ(taken->run->steps, 1u);
  EXPECT_EQ(taken->run->params, session.state().params);
  EXPECT_FALSE(session.take_snapshot());
}

TEST(Sources, ReplaceTheSceneAndReloadOnReset) {
  Session session;
  session.apply(request::LoadScene{"two-body", {.bodies = 2}});
  session.apply(three_bodies_at(4));
  EXPECT_EQ(session.state().scene, "three");
  EXPECT_EQ(session.state().file, "/data/three.csv");
  EXPECT_EQ(session.state().bodies, 3u);
  EXPECT_EQ(session.state().time, 4);
  EXPECT_EQ(session.state().steps, 7u);
  EXPECT_EQ(session.state().params.dt, 0.25);
  session.apply(request::Step{});
  session.step(nullptr);
  EXPECT_EQ(session.state().steps, 8u);
  session.apply(request::Reset{});
  EXPECT_EQ(session.state().steps, 7u);
  session.apply(request::LoadScene{"two-body", {.bodies = 2}});
  EXPECT_EQ(session.state().file, "");
  EXPECT_EQ(session.state().bodies, 2u);
}

TEST(Sources, OfAnotherBackendLoseOnlyItsOptions) {
  Session session;
  const auto load = [](const Progress&) {
    LoadedScene loaded;
    loaded.scene.bodies = {{{1, 0, 0}, {}, 1, 0}, {{0, 1, 0}, {}, 2, 0}};
    loaded.config = Config{.solver = "hybrid", .backend = Backend::cuda, .dimension = 2};
    loaded.config->solver_options.set(SolverOption::block, 0);
    return loaded;
  };
  session.apply(request::LoadSource{std::make_shared<SceneSource>(SceneSource{"gpu", "gpu.hdf5", load})});
  EXPECT_EQ(session.state().message, "");
  EXPECT_EQ(session.state().config, (Config{.solver = "hybrid", .dimension = 2}));
}

TEST(Sources, FailuresKeepTheCurrentScene) {
  Session session;
  session.apply(request::LoadScene{"two-body", {.bodies = 2}});
  const auto fail = [](const Progress&) -> LoadedScene { throw InputError("row 3 is wrong."); };
  session.apply(request::LoadSource{std::make_shared<SceneSource>(SceneSource{"bad", "bad.csv", fail})});
  EXPECT_EQ(session.state().scene, "two-body");
  EXPECT_EQ(session.state().message, "row 3 is wrong.");
  EXPECT_TRUE(session.state().message_is_error);
  EXPECT_FALSE(session.state().busy);
}

}  // namespace
}  // namespace pericenter::test
