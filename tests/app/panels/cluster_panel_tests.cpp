#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "tests/support/panel_fixture.h"

namespace pericenter::app {
namespace {

using testing::Contains;
using testing::HasSubstr;

class ClusterPanel : public Panels {
 protected:
  ClusterPanel() {
    ui.layout.side_bar.open["cluster-panel"] = true;
    report_.record.bodies = 20'000;
    report_.record.ranks = 2;
    report_.record.time_end = 1;
    report_.record.folder = "/home/me/run";
    report_.is_known = true;
    report_.state.phase = RunPhase::running;
    report_.state.time = 0.25;
    report_.state.share = 0.25;
    report_.state.seconds_left = 125;
    report_.state.here = 3;
    report_.state.snapshots.resize(3);
  }
  void show() {
    ui.cluster.run = std::make_shared<const RunReport>(report_);
    frame();
    frame();
  }

  RunReport report_;
};

TEST_F(ClusterPanel, SubmitsWhatTheFormSays) {
  frame();
  EXPECT_TRUE(find("cluster-threads"));
  ui.cluster.form.code = ClusterCode::gadget4;
  frame();
  EXPECT_FALSE(find("cluster-threads")) << "GADGET-4 has one thread per process";
  EXPECT_FALSE(find("cluster-template"));
  ui.cluster.form.uses_slurm = true;
  frame();
  EXPECT_TRUE(find("cluster-template"));
  click("submit-run");
  EXPECT_THAT(ui.commands, Contains(Command{Action::submit_run}));
  ui.cluster.starting = 0.5;
  frame();
  EXPECT_FALSE(find("submit-run"));
  click("cancel-submit");
  EXPECT_THAT(ui.commands, Contains(Command{Action::cancel_submit}));
}

TEST_F(ClusterPanel, ShowsHowFarTheRunIs) {
  show();
  EXPECT_THAT(find("run-title")->label, HasSubstr("SWIFT, 2 processes, 20,000 bodies"));
  EXPECT_THAT(find("run-state")->label, HasSubstr("running"));
  EXPECT_THAT(find("run-state")->label, HasSubstr("25 %"));
  EXPECT_THAT(find("run-state")->label, HasSubstr("2 min left"));
  click("watch-run");
  EXPECT_THAT(ui.commands, Contains(Command{Action::watch_run}));
  click("compare-run");
  EXPECT_THAT(ui.commands, Contains(Command{Action::compare_run}));
  click("cancel-run");
  EXPECT_THAT(ui.commands, Contains(Command{Action::cancel_run}));
}

TEST_F(ClusterPanel, AFailedRunShowsWhyAndTheLastLines) {
  report_.state.phase = RunPhase::failed;
  report_.state.why = "SWIFT failed at 250 Myr with exit code 255.";
  report_.state.log = {"one", "Not enough memory"};
  show();
  EXPECT_THAT(find("run-why")->label, HasSubstr("exit code 255"));
  EXPECT_THAT(find("engine-log")->label, HasSubstr("Not enough memory"));
  EXPECT_FALSE(find("cancel-run"));
}

TEST_F(ClusterPanel, ALostConnectionLeavesTheLastState) {
  report_.problem = "ssh failed on far: No route to host.";
  show();
  EXPECT_THAT(find("run-problem")->label, HasSubstr("No route to host. It is tried again"));
  EXPECT_THAT(find("run-state")->label, HasSubstr("25 %"));
}

TEST_F(ClusterPanel, WithoutSnapshotsThereIsNothingToWatch) {
  report_.state.here = 0;
  show();
  click("watch-run");
  EXPECT_THAT(ui.commands, testing::Not(Contains(Command{Action::watch_run})));
}

}  // namespace
}  // namespace pericenter::app
