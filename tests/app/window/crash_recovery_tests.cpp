#include "app/window/shutdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string>

#include "app/window/frame_timing.h"
#include "sim/core/fault_injection.h"
#include "sim/files/hdf5/reader.h"
#include "tests/support/program.h"
#include "tests/support/running_simulation.h"

// Recovery snapshots, and the detection of a step that does not return.

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

Snapshot recovered_bodies() {
  Snapshot snapshot;
  snapshot.bodies.resize(3);
  snapshot.run.emplace();
  snapshot.run->scene = "plummer";
  snapshot.run->steps = 1234;
  return snapshot;
}

/// Writes only the number of bodies.
SnapshotWriter quick_writer() {
  return {[](const std::string& path, const Snapshot& snapshot, const Progress&) {
            write_text(path, std::to_string(snapshot.bodies.size()));
          },
          [](const Snapshot&) { return 100u; }};
}

class Recovery : public testing::Test {
 protected:
  ~Recovery() override { plan_fault({}); }

  RecoveryPlaces places(const std::string& first) const {
    return {{(folder / first).string(), (folder / "second").string()}, (folder / "note.txt").string()};
  }
  std::string only_file_in(const std::string& name) const {
    std::string found;
    for (const auto& entry : fs::directory_iterator(folder / name)) found += entry.path().string();
    return found;
  }
  /// Runs one step of a Plummer sphere of 100 bodies.
  void run() {
    simulation.request(request::LoadScene{"plummer", {.bodies = 100}});
    simulation.request(request::Step{});
    ASSERT_TRUE(test::eventually([this] { return simulation.state().steps == 1; }));
  }

  TemporaryFolder folder;
  SimulationThread simulation;
};

TEST_F(Recovery, UsesTheFirstFolderAndExplainsHowToContinue) {
  for (const char* name : {"first", "second"}) fs::create_directory(folder / name);
  const std::string message = save_recovery(recovered_bodies(), places("first"), quick_writer()).message;
  const std::string path = only_file_in("first");
  EXPECT_EQ(path.find((folder / "first/pericenter-recovery-plummer-2").string()), 0u) << path;
  EXPECT_TRUE(path.ends_with(".hdf5")) << path;
  EXPECT_EQ(text_of(path), "3");
  EXPECT_EQ(only_file_in("second"), "");
  EXPECT_THAT(message, testing::HasSubstr("pericenter --load '" + path + "'"));
  EXPECT_THAT(message, testing::HasSubstr("step 1"));
}

TEST_F(Recovery, HasAShortNameForALongScene) {
  fs::create_directory(folder / "first");
  Snapshot snapshot = recovered_bodies();
  snapshot.run->scene = std::string(200, 'x') + ".csv and more of a file name with 255 characters, which is legal";
  const std::string message = save_recovery(snapshot, places("first"), quick_writer()).message;
  EXPECT_THAT(message, testing::HasSubstr("were saved"));
  EXPECT_EQ(text_of(only_file_in("first")), "3");
}

TEST_F(Recovery, TwoProgramsHaveTwoFiles) {
  fs::create_directory(folder / "first");
  SnapshotWriter during_another_save = quick_writer();
  during_another_save.write = [&](const std::string& path, const Snapshot& snapshot, const Progress& progress) {
    const pid_t other = ::fork();
    if (other == 0) {
      save_recovery(snapshot, places("first"), quick_writer());
      ::_exit(0);
    }
    ::waitpid(other, nullptr, 0);
    quick_writer().write(path, snapshot, progress);
  };
  save_recovery(recovered_bodies(), places("first"), during_another_save);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "first"), {}), 2);
}

TEST_F(Recovery, PrintsACommandThatIsSafeToPaste) {
  fs::create_directory(folder / "first");
  Snapshot snapshot = recovered_bodies();
  snapshot.run->scene = "x';touch pwned;'\n\x9b";
  const std::string message = save_recovery(snapshot, places("first"), quick_writer()).message;
  const std::string path = only_file_in("first"), command = "pericenter --load ";
  ASSERT_NE(message.find(command), message.npos);
  const std::string word = message.substr(message.find(command) + command.size());
  EXPECT_EQ(message.find('\x9b'), message.npos);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
  write_text(folder / "try.sh", "printf %s " + word + " > '" + (folder / "read").string() + "'");
  EXPECT_EQ(std::system(("bash '" + (folder / "try.sh").string() + "'").c_str()), 0);
  EXPECT_EQ(text_of(folder / "read"), path);
}

TEST_F(Recovery, UsesTheNextFolderIfTheFirstIsNotWritable) {
  fs::create_directory(folder / "second");
  const std::string message = save_recovery(recovered_bodies(), places("not there"), quick_writer()).message;
  EXPECT_THAT(message, testing::HasSubstr(only_file_in("second")));
  EXPECT_THAT(take_recovery(places("first")), testing::ElementsAre(only_file_in("second")));
}

TEST_F(Recovery, ExplainsWhySavingFailed) {
  const std::string message = save_recovery(recovered_bodies(), places("not there"), quick_writer()).message;
  EXPECT_THAT(message, testing::HasSubstr("lost"));
  EXPECT_THAT(message, testing::HasSubstr("second"));
  EXPECT_THAT(take_recovery(places("first")), testing::IsEmpty());
}

TEST_F(Recovery, IsOfferedOnce) {
  fs::create_directory(folder / "first");
  save_recovery(recovered_bodies(), places("first"), quick_writer());
  EXPECT_THAT(take_recovery(places("first")), testing::ElementsAre(only_file_in("first")));
  EXPECT_THAT(take_recovery(places("first")), testing::IsEmpty());
}

TEST_F(Recovery, OffersTheRunsOfBothWindowsThatLostTheirDisplay) {
  fs::create_directory(folder / "first");
  save_recovery(recovered_bodies(), places("first"), quick_writer());
  const std::string first = only_file_in("first");
  save_recovery(recovered_bodies(), places("first"), quick_writer());
  const std::vector<std::string> offered = take_recovery(places("first"));
  ASSERT_EQ(offered.size(), 2u);
  EXPECT_NE(offered[0], first);  // the newest
  EXPECT_EQ(offered[1], first);
}

TEST_F(Recovery, IgnoresANoteThatIsNoFile) {
  ASSERT_EQ(::mkfifo(places("first").note.c_str(), 0600), 0);
  EXPECT_THAT(take_recovery(places("first")), testing::IsEmpty());
  EXPECT_FALSE(fs::exists(places("first").note));
  fs::create_symlink("/dev/zero", places("first").note);
  EXPECT_THAT(take_recovery(places("first")), testing::IsEmpty());
}

TEST_F(Recovery, IsNotOfferedWhenTheFileIsGone) {
  fs::create_directory(folder / "first");
  save_recovery(recovered_bodies(), places("first"), quick_writer());
  fs::remove(only_file_in("first"));
  EXPECT_THAT(take_recovery(places("first")), testing::IsEmpty());
}

TEST_F(Recovery, SavesTheBodiesOfTheLastStep) {
  run();
  const auto bodies = latest_valid_snapshot(simulation, 10);
  ASSERT_TRUE(bodies);
  ASSERT_TRUE(bodies->run);
  EXPECT_EQ(bodies->run->steps, 1u);
  fs::create_directory(folder / "first");
  save_recovery(*bodies, places("first"));
  const Snapshot read = read_hdf5(only_file_in("first"), {});
  ASSERT_TRUE(read.run);
  EXPECT_EQ(read.run->steps, 1u);
  EXPECT_EQ(read.bodies.size(), 100u);
}

TEST_F(Recovery, HasNoSnapshotBeforeTheFirstScene) {
  EXPECT_FALSE(latest_valid_snapshot(simulation, 0.05));
}

/// A stalled step, as on a GPU that does not answer.
TEST_F(Recovery, Fault10UsesTheCheckpointDuringAStalledStep) {
  run();
  ASSERT_EQ(plan_fault("step_hangs"), "");
  simulation.request(request::Step{});
  ASSERT_TRUE(test::eventually([this] { return simulation.state().step_seconds > 0; }));
  const auto start = std::chrono::steady_clock::now();
  const auto bodies = latest_valid_snapshot(simulation, 0.1);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2)) << "the step takes 10 s";
  ASSERT_TRUE(bodies);
  EXPECT_LE(bodies->run->steps, 1u);
  plan_fault({});
}

TEST_F(Recovery, Fault24UsesTheCheckpointIfABodyIsNotFinite) {
  run();
  ASSERT_EQ(plan_fault("not_finite"), "");
  simulation.request(request::Step{});
  ASSERT_TRUE(test::eventually([this] { return simulation.state().steps >= 2; }));
  const auto bodies = latest_valid_snapshot(simulation, 10);
  ASSERT_TRUE(bodies);
  for (const Body& body : bodies->bodies) ASSERT_TRUE(std::isfinite(length(body.position)));
}

/// Result of updates every 1/10 s from time 0 to `end` during a step that starts at `start`.
double stalled(double start, double end, double usual) {
  StallDetector detector;
  for (int k = 0; k < end * 10; ++k) detector.update(std::max(0.0, k / 10.0 - start), usual, k / 10.0);
  return detector.stalled_seconds();
}

TEST(Fault10, AStalledStepIsDetected) {
  EXPECT_EQ(stalled(0, 4.8, 0.01), 0);
  EXPECT_NEAR(stalled(0, 7, 0.01), 7, 0.3);
  EXPECT_NEAR(stalled(0, 7, 0), 7, 0.3);  // the first step of a scene
  EXPECT_NEAR(stalled(20, 27, 0.01), 7, 0.3);
}

TEST(Fault10, AnExpectedLongStepIsNotStalled) {
  EXPECT_EQ(stalled(0, 19, 5), 0);
  EXPECT_GT(stalled(0, 22, 5), 0);
}

TEST(Fault10, ConsecutiveStepsAreNotStalled) {
  StallDetector detector;
  for (int k = 0; k < 1000; ++k) {
    detector.update(k % 20 / 10.0, 0.01, k / 10.0);
    ASSERT_EQ(detector.stalled_seconds(), 0) << k;
  }
}

TEST(Fault10, TheStallEndsWithTheStep) {
  StallDetector detector;
  for (int k = 0; k < 80; ++k) detector.update(k / 10.0, 0.01, k / 10.0);
  ASSERT_GT(detector.stalled_seconds(), 0);
  detector.update(0, 0.01, 8);
  EXPECT_EQ(detector.stalled_seconds(), 0);
}

TEST(Fault40, TimeWhileSuspendedDoesNotCount) {
  StallDetector detector;
  detector.update(0.01, 0.02, 100);
  detector.update(20.01, 0.02, 120);
  EXPECT_EQ(detector.stalled_seconds(), 0);
}

}  // namespace
}  // namespace pericenter::app
