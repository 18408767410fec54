#include "app/window/cluster_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "app/ui/send_requests.h"
#include "app/window/commands.h"
#include "sim/session/simulation_thread.h"
#include "tests/app/cluster/stand_in.h"
#include "tests/support/engine_series.h"
#include "tests/support/running_simulation.h"

// Runs of an engine in the window, with stand-ins for the engine, MPI and ssh.

namespace pericenter::app {
namespace {

using testing::HasSubstr;

class Clusters : public testing::Test {
 protected:
  void frame() {
    const SessionState state = simulation_.state();
    const UiFrame view{.simulation = state};
    update(view, ui_);
    for (const Command& command : std::exchange(ui_.commands, {}))
      apply_command(command, view, {.ui = ui_, .cluster = &cluster_});
    std::optional<Snapshot> snapshot = simulation_.take_snapshot();
    cluster_.update(snapshot, view, ui_);
    if (std::exchange(serial_, state.scene_serial) != state.scene_serial) cluster_.scene_started(state, ui_);
    ui_.requests.send([&](Request request) { return simulation_.request(std::move(request)); });
  }
  bool until(const std::function<bool()>& condition) {
    return test::eventually([&] {
      frame();
      return condition();
    });
  }
  void press(Action action) { ui_.commands.push_back({action}); }
  bool is(RunPhase phase) {
    return until([&] { return ui_.cluster.run && ui_.cluster.run->is_known && ui_.cluster.run->state.phase == phase; });
  }
  void load(const std::string& scene = "collision") {
    simulation_.request(request::LoadScene{scene, {.bodies = 100}});
    ASSERT_TRUE(until([&] { return simulation_.state().scene_serial != 0; }));
  }

  TemporaryFolder folder_;
  test::StandIns stand_ins_;
  UiState ui_;
  SimulationThread simulation_;
  ClusterController cluster_;
  std::uint64_t serial_ = 0;
};

TEST_F(Clusters, SubmitTheBodiesOfThisMomentAndEndTheRun) {
  load();
  simulation_.request(request::Step{5});
  ASSERT_TRUE(until([&] { return simulation_.state().steps == 5; }));
  stand_ins_.set_plan("step 0.25\nwait\n");
  ui_.cluster.form.folder = (folder_ / "run").string();
  press(Action::submit_run);
  ASSERT_TRUE(is(RunPhase::running)) << ui_.cluster.problem;
  const Snapshot exported = read_snapshot((folder_ / "run/ics.hdf5").string(), {});
  EXPECT_EQ(exported.bodies.size(), 100u);
  const RunRecord record = find_run_record((folder_ / "run").string()).value();
  const Scene scene = find_scene("collision")->make({.bodies = 100});
  const double myr = 1 / 977.8, elapsed = 5 * scene.params.dt * scene.units.time_myr * myr;
  EXPECT_NEAR(record.time_end, 2.5 * (scene.highlight_time * scene.units.time_myr * myr - elapsed), 0.01)
      << "five steps are done";
  press(Action::cancel_run);
  frame();
  EXPECT_TRUE(ui_.cluster.confirms_cancel);
  EXPECT_TRUE(is(RunPhase::running)) << "the first press asks";
  press(Action::cancel_run);
  EXPECT_TRUE(is(RunPhase::cancelled));
  ui_.cluster.form.folder = record.folder;
  press(Action::submit_run);
  frame();
  EXPECT_THAT(ui_.cluster.problem, HasSubstr("holds a run")) << "a new run does not replace it";
}

TEST_F(Clusters, AFolderThatIsDroppedIsWatched) {
  const RunRecord record = test::write_engine_series(folder_ / "run", 100, 2);
  open_files({record.folder}, ui_.files, ui_);
  ASSERT_TRUE(until([&] { return simulation_.state().playback && ui_.cluster.run && ui_.cluster.run->is_known; }));
  EXPECT_TRUE(simulation_.state().playback->follows);
  std::filesystem::remove_all(folder_ / "run/output");
  open_files({record.folder}, ui_.files, ui_);
  ASSERT_TRUE(until([&] { return simulation_.state().message_is_error; }));
  EXPECT_THAT(simulation_.state().message, HasSubstr("no snapshots here yet"));
}

// A window in which nothing moves draws no frames.
TEST_F(Clusters, NewsAskForAFrame) {
  const RunRecord record = test::write_engine_series(folder_ / "run", 100, 1);
  EXPECT_FALSE(cluster_.has_news(ui_));
  ui_.cluster.opened = record.folder;
  press(Action::open_run);
  frame();
  EXPECT_TRUE(test::eventually([&] { return cluster_.has_news(ui_); })) << "the state arrived";
  ASSERT_TRUE(until([&] { return ui_.cluster.run && ui_.cluster.run->is_known; }));
  frame();
  EXPECT_FALSE(cluster_.has_news(ui_)) << "the run is over";
}

TEST_F(Clusters, TwoMayLookAfterOneRunOnAnotherMachine) {
  stand_ins_.set_plan("step 0.1\nsnapshot 0000\nsnapshot 0001\nwait\nsnapshot 0002\nstep 9\n");
  const test::Outcome outcome = test::run_program(
      {{"submit", "--engine", "swift", "--host", "far", "-n", "50", "run", "--no-progress"}, folder_.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const RunRecord record = find_run_record((folder_ / "run").string()).value();
  const std::chrono::milliseconds often(50);
  const RunWatch first(record, often), second(record, often);
  stand_ins_.let_go();
  for (const RunWatch* watch : {&first, &second}) {
    EXPECT_TRUE(test::eventually(
        [&] {
          const std::shared_ptr<const RunReport> report = watch->report();
          return report->is_known && report->state.phase == RunPhase::ended && report->state.here == 3;
        },
        std::chrono::seconds(60)))
        << watch->report()->problem;
  }
  EXPECT_EQ(text_of(folder_ / "run/output/snapshot_0002.hdf5"), "snapshot 0002\n");
}

TEST_F(Clusters, SayWhyNothingWasStarted) {
  load();
  ui_.cluster.form.folder = (folder_ / "run").string();
  ui_.cluster.form.program = "/no/such";
  press(Action::submit_run);
  ASSERT_TRUE(until([&] { return !ui_.cluster.problem.empty(); }));
  EXPECT_THAT(ui_.cluster.problem, HasSubstr("apt-get install"));
  EXPECT_FALSE(ui_.cluster.run);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run"));
  ui_.cluster.form = {};
  ui_.cluster.form.folder = (folder_ / "run").string();
  ui_.cluster.form.host = "a b";
  press(Action::submit_run);
  ASSERT_TRUE(until([&] { return ui_.cluster.problem.find("not a host") != std::string::npos; }))
      << ui_.cluster.problem;
}

TEST_F(Clusters, ATemplateWithoutItsCommandIsRefusedBeforeTheExport) {
  load();
  write_text(folder_ / "job.tmpl", "#!/bin/sh\nsrun swift_mpi\n");
  ui_.cluster.form.folder = (folder_ / "run").string();
  ui_.cluster.form.uses_slurm = true;
  ui_.cluster.form.slurm_template = (folder_ / "job.tmpl").string();
  press(Action::submit_run);
  ASSERT_TRUE(until([&] { return !ui_.cluster.problem.empty(); }));
  EXPECT_THAT(ui_.cluster.problem, HasSubstr("{{command}}"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run"));
}

TEST_F(Clusters, BodiesWithoutSofteningAreRefused) {
  load("solar-system");
  ui_.cluster.form.folder = (folder_ / "run").string();
  press(Action::submit_run);
  ASSERT_TRUE(until([&] { return !ui_.cluster.problem.empty(); }));
  EXPECT_THAT(ui_.cluster.problem, HasSubstr("no softening"));
  EXPECT_THAT(ui_.cluster.problem, HasSubstr("panel \"Solver\""));
}

TEST_F(Clusters, ASnapshotOfARunOpensTheRun) {
  const RunRecord record = test::write_engine_series(folder_ / "run", 100, 3);
  simulation_.request(
      request::LoadSource{std::make_shared<const SceneSource>(series_source(series_of(first_snapshot(record)), {}))});
  ASSERT_TRUE(until([&] { return ui_.cluster.run && ui_.cluster.run->is_known; }));
  EXPECT_EQ(ui_.cluster.run->record.folder, record.folder);
  EXPECT_EQ(ui_.cluster.run->state.here, 3u);
  press(Action::close_run);
  frame();
  EXPECT_FALSE(ui_.cluster.run);
  press(Action::watch_run);
  frame();
}

TEST_F(Clusters, WatchFollowsTheSnapshots) {
  const RunRecord record = test::write_engine_series(folder_ / "run", 100, 2);
  ui_.cluster.opened = record.folder;
  press(Action::open_run);
  ASSERT_TRUE(until([&] { return ui_.cluster.run && ui_.cluster.run->is_known; }));
  press(Action::watch_run);
  ASSERT_TRUE(until([&] { return simulation_.state().playback.has_value(); }));
  EXPECT_TRUE(simulation_.state().playback->follows);
  ui_.cluster.opened = folder_.path().string();
  press(Action::open_run);
  frame();
  EXPECT_THAT(ui_.cluster.problem, HasSubstr("no run in the folder"));
}

}  // namespace
}  // namespace pericenter::app
