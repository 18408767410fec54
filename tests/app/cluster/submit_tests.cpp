// `pericenter submit` with stand-ins for the engine, MPI, ssh and SLURM; tests/engines has the real engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "app/cluster/engine.h"
#include "app/cluster/engine_run.h"
#include "sim/files/snapshot.h"
#include "tests/app/cluster/stand_in.h"
#include "tests/support/bad_input.h"
#include "tests/support/running_simulation.h"

namespace pericenter::test {
namespace {

using app::EngineRunState;
using app::Host;
using app::RunPhase;
using app::RunRecord;
using testing::HasSubstr;
namespace fs = std::filesystem;

class BadSubmits : public testing::TestWithParam<BadInput> {};

TEST_P(BadSubmits, PrintOneErrorAndWriteNothing) {
  const StandIns stand_ins;
  expect_refusal({"submit", "--no-progress"}, GetParam());
}

const std::vector<BadInput> kBadInputs = {
    {{"run"}, 64, {"--engine swift", "--state"}},
    {{"--engine", "swift"}, 64, {"folder of the run"}},
    {{"--engine", "arepo", "run"}, 64, {"'arepo'", "gadget4"}},
    {{"--engine", "swift", "--ranks", "0", "run"}, 64, {"--ranks", "0"}},
    {{"--engine", "swift", "--state", "run"}, 64, {"submitted before"}},
    {{"--state", "--ranks", "2", "run"}, 64, {"--ranks", "no effect"}},
    {{"--engine", "gadget4", "--threads", "2", "run"}, 64, {"--threads", "--ranks"}},
    {{"--engine", "swift", "--remote-folder", "a", "run"}, 64, {"--host"}},
    {{"--engine", "swift", "--launcher", " ", "run"}, 64, {"--launcher"}},
    {{"--engine", "swift", "--host", "-oProxyCommand=touch x", "run"}, 64, {"is not a host", "ssh/config"}},
    {{"--engine", "swift", "--host", "a b", "run"}, 64, {"is not a host"}},
    {{"--engine", "swift", "--host", "a;b", "run"}, 64, {"is not a host"}},
    {{"--engine", "swift", "--slurm", "no.tmpl", "run"}, 66, {"no.tmpl", "default"}},
    {{"--engine", "swift", "--launcher", "no-such-mpi -n 2", "run"}, 69, {"no-such-mpi", "openmpi-bin"}},
    {{"--engine", "swift", "--load", "a.hdf5", "run"}, 66, {"a.hdf5"}},
    {{"--engine", "swift", "-n", "10", "/dev/null"}, 73, {"/dev/null"}},
    {{"--state", "run"}, 66, {"run", "pericenter-run.toml"}},
    {{"--cancel", "run"}, 66, {"run", "pericenter-run.toml"}},
};
INSTANTIATE_TEST_SUITE_P(Cases, BadSubmits, testing::ValuesIn(kBadInputs));

bool is_running(const EngineRunState& run) {
  return run.phase == RunPhase::running;
}
bool has_failed(const EngineRunState& run) {
  return run.phase == RunPhase::failed;
}

class Submits : public testing::Test {
 protected:
  Outcome submit(Words more, const std::string& name = "run") {
    Words words = {"submit", "--no-progress", "--engine", "swift", "-n", "50", name};
    words.insert(words.end(), more.begin(), more.end());
    return run_program({words, folder.path()});
  }
  RunRecord record(const std::string& name = "run") const { return app::find_run_record(folder / name).value(); }
  EngineRunState state(const std::string& name = "run") const {
    const RunRecord of_run = record(name);
    return app::state_of(of_run, Host(of_run.host));
  }
  /// The state when it meets the condition.
  EngineRunState state_when(const std::function<bool(const EngineRunState&)>& condition) const {
    EngineRunState now;
    EXPECT_TRUE(eventually([&] { return condition(now = state()); }));
    return now;
  }
  std::string end_time() const { return std::to_string(record_end); }

  TemporaryFolder folder;
  StandIns stand_ins;
  double record_end = 1.0 + 1e-3;  ///< above the end of `collision` in units of the export
};

TEST_F(Submits, ExportsStartsAndWaits) {
  stand_ins.set_plan("step 0.1\nsnapshot 0000\nstep 0.5\nsnapshot 0001\nstep 9\n");
  const Outcome outcome = submit({"--ranks", "3", "--wait"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("SWIFT was started"));
  EXPECT_THAT(outcome.out, HasSubstr("3 ranks"));
  EXPECT_THAT(outcome.out, HasSubstr("output/snapshot_0000.hdf5' --follow"));
  EXPECT_THAT(outcome.out, HasSubstr("SWIFT: ended"));
  EXPECT_THAT(outcome.out, HasSubstr("2 snapshots"));
  EXPECT_TRUE(fs::exists(folder / "run/ics.hdf5"));
  const EngineRunState now = state();
  EXPECT_EQ(now.phase, RunPhase::ended);
  EXPECT_EQ(now.share, 1);
  EXPECT_EQ(now.here, 2u);
}

TEST_F(Submits, RunsOnWhenTheProgramHasEnded) {
  stand_ins.set_plan("step 0.25\nsnapshot 0000\nhalf 0001\nwait\nstep 0.5\nexit 0\n");
  ASSERT_EQ(submit({}).exit_code, 0);
  EngineRunState now = state_when([](const EngineRunState& run) { return run.snapshots.size() == 2; });
  EXPECT_DOUBLE_EQ(now.time, 0.25);
  EXPECT_DOUBLE_EQ(now.share, 0.25 / record().time_end);
  ASSERT_EQ(now.snapshots.size(), 2u);
  EXPECT_TRUE(now.snapshots[0].is_complete);
  EXPECT_FALSE(now.snapshots[1].is_complete) << "it may still grow";
  EXPECT_THAT(app::state_text(record(), now), HasSubstr("running, "));
  stand_ins.let_go();
  now = state_when(has_failed);  // the end was not reached
  EXPECT_THAT(now.why, HasSubstr("before the end"));
}

TEST_F(Submits, AFailedRunSaysWhatTheEngineSaid) {
  stand_ins.set_plan("step 0.25\nexit 3\n");
  const Outcome outcome = submit({"--wait"});
  EXPECT_EQ(outcome.exit_code, 70);
  EXPECT_THAT(outcome.err, HasSubstr("exit code 3"));
  EXPECT_THAT(outcome.err, HasSubstr("the stand-in ends with 3"));
}

TEST_F(Submits, AKilledRunHasFailed) {
  stand_ins.set_plan("step 0.25\nkill\n");
  ASSERT_EQ(submit({}).exit_code, 0);
  EXPECT_THAT(state_when(has_failed).why, HasSubstr("it was killed"));
}

TEST_F(Submits, CancelEndsTheRun) {
  stand_ins.set_plan("step 0.25\nwait\n");
  ASSERT_EQ(submit({}).exit_code, 0);
  state_when(is_running);
  const Outcome outcome = run_program({{"submit", "--cancel", "run"}, folder.path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cancelled"));
  EXPECT_EQ(run_program({{"submit", "--cancel", "run"}, folder.path()}).exit_code, 0) << "once more";
}

TEST_F(Submits, CancelReturnsWhenTheEngineHasEnded) {
  stand_ins.set_plan("linger\nstep 0.25\nwait\n");
  ASSERT_EQ(submit({}).exit_code, 0);
  state_when([](const EngineRunState& run) { return run.time > 0; });
  ASSERT_EQ(run_program({{"submit", "--cancel", "run"}, folder.path()}).exit_code, 0);
  EXPECT_TRUE(fs::exists(stand_ins / "ended"));
  EXPECT_EQ(text_of(folder / "run/engine.exit"), "3\n");
  EXPECT_EQ(state().phase, RunPhase::cancelled);
}

TEST_F(Submits, TheSnapshotThatARunWasWritingIsIncomplete) {
  stand_ins.set_plan("step 0.1\nsnapshot 0000\nsnapshot 0001\nlist 0000\nexit 1\n");
  EXPECT_EQ(submit({"--wait"}).exit_code, 70);
  const EngineRunState now = state();
  ASSERT_EQ(now.snapshots.size(), 2u);
  EXPECT_TRUE(now.snapshots[0].is_complete);
  EXPECT_FALSE(now.snapshots[1].is_complete) << "SWIFT has not listed it";
  write_text(folder / "run/output/snapshot.xmf", "output=0001, time=0.2 -->\n");
  EXPECT_TRUE(state().snapshots[1].is_complete);
}

TEST_F(Submits, SwiftDoesNotNeedLocks) {
  stand_ins.set_plan("locking\nstep 9\n");
  ASSERT_EQ(submit({"--wait"}).exit_code, 0);
  EXPECT_THAT(text_of(folder / "run/engine.log"), HasSubstr("locking FALSE\n"));
}

TEST_F(Submits, AFullDiskIsSaid) {
  stand_ins.set_plan("step 0.25\nsay errno = 28, error message = 'No space left on device'\nexit 1\n");
  EXPECT_EQ(submit({"--wait"}).exit_code, 70);
  EXPECT_THAT(state().why, HasSubstr("is full"));
}

TEST_F(Submits, TimesHaveAUnitThatShowsTheProgress) {
  stand_ins.set_plan("step 0.25\nwait\n");
  ASSERT_EQ(submit({}).exit_code, 0);
  const EngineRunState now = state_when([](const EngineRunState& run) { return run.time > 0; });
  EXPECT_THAT(app::state_text(record(), now), HasSubstr("244 Myr of 977 Myr"));
  stand_ins.let_go();
}

TEST_F(Submits, ANewRunDoesNotReplaceAnother) {
  stand_ins.set_plan("step 9\n");
  ASSERT_EQ(submit({"--wait"}).exit_code, 0);
  const std::string before = text_of(folder / "run/ics.hdf5");
  const Outcome outcome = submit({"--seed", "2"});
  EXPECT_EQ(outcome.exit_code, 73);
  EXPECT_THAT(outcome.err, HasSubstr("holds a run"));
  EXPECT_EQ(text_of(folder / "run/ics.hdf5"), before);
}

TEST_F(Submits, AMissingEngineIsAnsweredWithItsCommands) {
  for (const char* engine : {"swift", "gadget4"}) {
    const Outcome outcome =
        run_program({{"submit", "--engine", engine, "--program", "/no/such", "-n", "50", "run"}, folder.path()});
    EXPECT_EQ(outcome.exit_code, 69);
    EXPECT_THAT(outcome.err, HasSubstr("no program /no/such"));
    EXPECT_THAT(outcome.err, HasSubstr("apt-get install"));
    EXPECT_THAT(outcome.err, HasSubstr("make -j"));
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST_F(Submits, AnotherProgramIsRefused) {
  struct Case {
    const char *engine, *contents, *says;
  };
  for (const auto& [engine, contents, says] :
       {Case{"swift", "Start as ./Gadget4", "it is another program"},
        Case{"swift", "SPH With Inter-dependent Fine-grained Tasking", "it was built without MPI"},
        Case{"gadget4", "This is Gadget, version `2.0'", "an earlier version"},
        Case{"gadget4", "Start as ./Gadget4 SELFGRAVITY NTYPES=2 IDS_64BIT", "without NTYPES=6 in Config.sh"}}) {
    write_text(folder / "other", std::string("\x7f") + "ELF " + contents);
    const Outcome outcome =
        run_program({{"submit", "--engine", engine, "--program", "./other", "-n", "50", "run"}, folder.path()});
    EXPECT_EQ(outcome.exit_code, 69) << contents;
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_THAT(outcome.err, HasSubstr("make -j"));
    EXPECT_FALSE(fs::exists(folder / "run"));
  }
}

TEST_F(Submits, ARelativeProgramIsFoundInTheFolderOfTheRun) {
  stand_ins.set_plan("step 9\n");
  fs::create_directory(folder / "tools");
  write_text(folder / "tools/engine", "#!/bin/sh\nexec swift_mpi \"$@\"\n");
  fs::permissions(folder / "tools/engine", fs::perms::owner_all);
  const Outcome outcome = submit({"--program", "tools/engine", "--wait"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(record().program, (fs::canonical(folder.path()) / "tools/engine").string());
}

TEST_F(Submits, AnyNameOfAFolderWorks) {
  stand_ins.set_plan("step 9\nsnapshot 0000\n");
  for (const std::string name : {"a b", "it's", "$(touch x)", "./-n", "ü;\"", "c:d"}) {
    Words words = {"submit", "--no-progress", "--engine", "swift", "-n", "50", "--wait", "--host", "far", name};
    const Outcome outcome = run_program({words, folder.path()});
    EXPECT_EQ(outcome.exit_code, 0) << name << ": " << outcome.err;
    EXPECT_TRUE(fs::exists(folder / name / "output/snapshot_0000.hdf5")) << name;
  }
  EXPECT_FALSE(fs::exists(stand_ins / "home/x"));
  EXPECT_EQ(folder.names().size(), 6u);
}

TEST_F(Submits, OnAnotherMachineSnapshotsComeHereWhenTheyAreComplete) {
  stand_ins.set_plan("step 0.25\nsnapshot 0000\nhalf 0001\nwait\nsnapshot 0001\nstep 9\n");
  const std::string remote = "far away/it's";
  const Outcome started = submit({"--host", "me@far", "--remote-folder", remote});
  ASSERT_EQ(started.exit_code, 0) << started.err;
  EXPECT_EQ(record().remote, (fs::canonical(stand_ins / "home") / remote).string());
  EXPECT_TRUE(fs::exists(stand_ins / ("home/" + remote + "/ics.hdf5")));
  EXPECT_TRUE(eventually([&] { return state().snapshots.size() == 2; }));
  const Outcome running = run_program({{"submit", "--state", "run"}, folder.path()});
  EXPECT_THAT(running.out, HasSubstr("2 snapshots (1 here)"));
  EXPECT_TRUE(fs::exists(folder / "run/output/snapshot_0000.hdf5"));
  EXPECT_TRUE(fs::exists(folder / "run/statistics.txt"));
  EXPECT_FALSE(fs::exists(folder / "run/output/snapshot_0001.hdf5")) << "half of it is written";
  stand_ins.let_go();
  const Outcome ended = run_program({{"submit", "--wait", "run", "--no-progress"}, folder.path()});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("2 snapshots (2 here)"));
  EXPECT_EQ(text_of(folder / "run/output/snapshot_0001.hdf5"), "snapshot 0001\n");
  EXPECT_THAT(text_of(stand_ins / "hosts"), testing::StartsWith("me@far\n"));
}

TEST_F(Submits, AMachineThatDoesNotAnswerIsSaid) {
  stand_ins.set_plan("step 0.25\nwait\n");
  write_text(stand_ins / "unreachable", "");
  const Outcome outcome = submit({"--host", "far"});
  EXPECT_EQ(outcome.exit_code, 69);
  EXPECT_THAT(outcome.err, HasSubstr("No route to host"));
  EXPECT_THAT(outcome.err, HasSubstr("'ssh far'"));
  EXPECT_EQ(folder.names(), Names{});
  fs::remove(stand_ins / "unreachable");
  ASSERT_EQ(submit({"--host", "far"}).exit_code, 0);
  write_text(stand_ins / "unreachable", "");
  EXPECT_EQ(run_program({{"submit", "--state", "run"}, folder.path()}).exit_code, 69);
  fs::remove(stand_ins / "unreachable");
  state_when(is_running);  // the run continued
  stand_ins.let_go();
}

TEST_F(Submits, AFolderInUseOnTheHostIsNotTouched) {
  fs::create_directories(stand_ins / "home/pericenter-runs/run");
  write_text(stand_ins / "home/pericenter-runs/run/ics.hdf5", "precious");
  const Outcome outcome = submit({"--host", "far"});
  EXPECT_EQ(outcome.exit_code, 73);
  EXPECT_THAT(outcome.err, HasSubstr("is not empty"));
  EXPECT_EQ(text_of(stand_ins / "home/pericenter-runs/run/ics.hdf5"), "precious");
  EXPECT_EQ(folder.names(), Names{});
}

TEST_F(Submits, AJobOfSlurmWaitsRunsAndEnds) {
  stand_ins.set_plan("step 9\nsnapshot 0000\n");
  const Outcome outcome = submit({"--slurm", "default", "--ranks", "4", "--threads", "2"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("job 4711 of SLURM"));
  const std::string job = text_of(stand_ins / "job");
  EXPECT_THAT(job, HasSubstr("#SBATCH --ntasks=4\n#SBATCH --cpus-per-task=2\n"));
  EXPECT_THAT(job, HasSubstr("--job-name=collision\n"));
  EXPECT_THAT(job, HasSubstr("\nsh ./run.sh 'srun' '--unbuffered' "));
  EXPECT_THAT(job, testing::Not(HasSubstr("{{")));
  EXPECT_EQ(state().phase, RunPhase::queued);
  EXPECT_THAT(app::state_text(record(), state()), HasSubstr("queued (PENDING Priority)"));
  write_text(stand_ins / "job-state", "RUNNING None\n");
  EXPECT_EQ(state().phase, RunPhase::running);
  ASSERT_EQ(std::system(("cd '" + (folder / "run").string() + "' && sh job.slurm").c_str()), 0);
  fs::remove(stand_ins / "job-state");
  EXPECT_EQ(state().phase, RunPhase::ended);
}

TEST_F(Submits, AJobThatSlurmEndedHasFailed) {
  ASSERT_EQ(submit({"--slurm", "default"}).exit_code, 0);
  for (const bool is_listed : {true, false}) {
    if (is_listed) write_text(stand_ins / "job-state", "TIMEOUT\n");
    if (!is_listed) fs::remove(stand_ins / "job-state");
    write_text(stand_ins / "job-last", "TIMEOUT\n");
    const EngineRunState now = state();
    EXPECT_EQ(now.phase, RunPhase::failed);
    EXPECT_THAT(now.why, HasSubstr("TIMEOUT"));
  }
  fs::remove(stand_ins / "job-last");
  write_text(stand_ins / "job-record", "JobId=4711 JobState=OUT_OF_MEMORY Reason=OutOfMemory\n");
  EXPECT_THAT(state().why, HasSubstr("OUT_OF_MEMORY")) << "SLURM without accounting";
  write_text(folder / "run/engine.exit", "143\n");
  EXPECT_THAT(state().why, HasSubstr("OUT_OF_MEMORY")) << "it ended the engine with a signal";
  EXPECT_EQ(run_program({{"submit", "--cancel", "run"}, folder.path()}).exit_code, 70) << "it is over";
  EXPECT_EQ(state().phase, RunPhase::failed);
  write_text(stand_ins / "job-last", "CANCELLED by 1000\n");
  EXPECT_EQ(state().phase, RunPhase::cancelled) << "with scancel, by the user";
}

TEST_F(Submits, ARefusedJobIsSaid) {
  write_text(stand_ins / "full", "");
  const Outcome outcome = submit({"--slurm", "default"});
  EXPECT_EQ(outcome.exit_code, 69);
  EXPECT_THAT(outcome.err, HasSubstr("invalid partition"));
  EXPECT_FALSE(fs::exists(folder / "run/pericenter-run.toml"));
  fs::remove(stand_ins / "full");
  stand_ins.set_plan("step 9\n");
  EXPECT_THAT(submit({}).out, HasSubstr("(process ")) << "the same folder again, without SLURM";
}

TEST(SlurmTemplates, NeedTheirCommand) {
  app::EngineStart three;
  three.ranks = 3;
  EXPECT_THROW(app::slurm_script("#!/bin/sh\nsrun x\n", "a", {}, "c"), app::ExitError);
  EXPECT_EQ(app::slurm_script("a {{name}} {{ranks}}\n{{command}}\n", "x y\nz", three, "c {{name}}"),
            "a x-y-z 3\nc {{name}}\n");
}

TEST(EngineLogs, HaveTimes) {
  using app::ClusterCode;
  EXPECT_EQ(app::time_of_step(ClusterCode::swift, "      12   1.464844e-03    1.0000000   0.0"), 1.464844e-03);
  EXPECT_EQ(app::time_of_step(ClusterCode::swift, "[00012.3] engine_init: 7"), std::nullopt);
  EXPECT_EQ(app::time_of_step(ClusterCode::gadget4, "Sync-Point 3, Time: 0.0125, Systemstep: 0.001, Nsync-grv: 9"),
            0.0125);
  EXPECT_EQ(app::time_of_step(ClusterCode::gadget4, ""), std::nullopt);
}

TEST(RunRecords, AreReadBackAndRefusedWhenDamaged) {
  const TemporaryFolder folder;
  EXPECT_FALSE(app::find_run_record(folder.path()));
  const RunRecord record{.code = app::ClusterCode::gadget4,
                         .name = "it's \"a\"",
                         .folder = folder.path(),
                         .host = "me@far",
                         .remote = "/home/a b",
                         .program = "/opt/Gadget4",
                         .ranks = 64,
                         .threads = 1,
                         .slurm = "4711",
                         .process = "",
                         .bodies = 1'000'000'000'000,
                         .time_end = 2.5,
                         .time_step = 1e-4};
  app::write_run_record(record);
  const RunRecord again = app::find_run_record(folder.path()).value();
  EXPECT_EQ(again.code, record.code);
  EXPECT_EQ(again.name, record.name);
  EXPECT_EQ(again.remote, record.remote);
  EXPECT_EQ(again.ranks, 64);
  EXPECT_EQ(again.slurm, "4711");
  EXPECT_EQ(again.bodies, record.bodies);
  EXPECT_EQ(again.time_end, 2.5);
  const std::string good = text_of(folder / app::kRunRecord);
  for (const std::string& bad : {std::string(), std::string("engine = \"arepo\"\n"), std::string("ranks = ["),
                                 good.substr(0, good.size() / 2)}) {
    write_text(folder / app::kRunRecord, bad);
    EXPECT_THROW(app::find_run_record(folder.path()), InputError) << bad;
  }
}

}  // namespace
}  // namespace pericenter::test
