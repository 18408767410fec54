#include "app/window/running_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/files/hdf5/reader.h"
#include "tests/support/program.h"
#include "tests/support/running_simulation.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;
std::shared_ptr<const Snapshot> checkpoint(std::uint64_t steps) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->bodies.resize(3);
  snapshot->run.emplace().steps = steps;
  return snapshot;
}

/// Writes the number of steps.
SnapshotWriter steps_writer() {
  return {[](const std::string& path, const Snapshot& snapshot, const Progress&) {
            write_text(path, std::to_string(snapshot.run->steps));
          },
          [](const Snapshot&) { return 100u; }};
}

class Copies : public testing::Test {
 protected:
  /// What the copies contain, separated by blanks.
  std::string content() const {
    std::string all;
    for (const std::string& name : folder.names())
      if (name.ends_with(".hdf5")) all += (all.empty() ? "" : " ") + text_of(folder / name);
    return all;
  }
  /// Whether the copy has this step once nothing is being written at time `now`.
  bool has_step(RunningCopy& copy, std::uint64_t step, double now) const {
    const auto latest = checkpoint(step);
    return test::eventually([&] {
      copy.update(latest, now);
      return (" " + content() + " ").find(" " + std::to_string(step) + " ") != std::string::npos;
    });
  }
  /// A process that has written `step` and is killed.
  void kill_after(std::uint64_t step) const {
    const pid_t process = ::fork();
    if (process == 0) {
      RunningCopy copy(folder.path(), steps_writer());
      copy.update(checkpoint(step), 1);
      if (has_step(copy, step, 10)) ::kill(::getpid(), SIGKILL);
      ::_exit(1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(process, &status, 0), process);
    ASSERT_TRUE(WIFSIGNALED(status));
  }

  TemporaryFolder folder;
};

TEST_F(Copies, AKilledProcessLeavesOne) {
  kill_after(7);
  const std::vector<std::string> found = take_copies(folder.path());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(text_of(found[0]), "7");
  EXPECT_THAT(fs::path(found[0]).filename().string(), testing::StartsWith("pericenter-recovery-2"));
  EXPECT_EQ(folder.names().size(), 1u) << "the lock is gone";
  EXPECT_THAT(take_copies(folder.path()), testing::IsEmpty()) << "it is offered once";
}

TEST_F(Copies, AllKilledProcessesLeaveThem) {
  kill_after(7);
  kill_after(8);
  std::vector<std::string> found = take_copies(folder.path());
  for (std::string& path : found) path = text_of(path);
  EXPECT_THAT(found, testing::UnorderedElementsAre("7", "8"));
}

TEST_F(Copies, TheNormalEndLeavesNothing) {
  {
    RunningCopy copy(folder.path(), steps_writer());
    copy.update(checkpoint(7), 1);
    ASSERT_TRUE(has_step(copy, 7, 10));
  }
  EXPECT_THAT(folder.names(), testing::IsEmpty());
}

TEST_F(Copies, ThatOfARunningProcessIsNotTaken) {
  RunningCopy copy(folder.path(), steps_writer());
  copy.update(checkpoint(7), 1);
  ASSERT_TRUE(has_step(copy, 7, 10));
  EXPECT_THAT(take_copies(folder.path()), testing::IsEmpty());
  EXPECT_EQ(content(), "7");
}

TEST_F(Copies, OneThatIsKeptIsOffered) {
  RunningCopy copy(folder.path(), steps_writer());
  copy.update(checkpoint(7), 1);
  ASSERT_TRUE(has_step(copy, 7, 10));
  copy.keep();
  EXPECT_EQ(take_copies(folder.path()).size(), 1u);
}

TEST_F(Copies, TheStartOfASceneNeedsNone) {
  RunningCopy copy(folder.path(), steps_writer());
  for (const double now : {1, 10, 100}) copy.update(checkpoint(0), now);
  EXPECT_EQ(content(), "");
}

TEST_F(Copies, AreWrittenSoonAndThenSeldom) {
  RunningCopy copy(folder.path(), steps_writer());
  copy.update(checkpoint(1), 100);
  copy.update(checkpoint(2), 101);
  EXPECT_EQ(content(), "");
  ASSERT_TRUE(has_step(copy, 3, 102.5));
  copy.stop_writing();
  copy.update(checkpoint(4), 103);  // takes the result; the next is due 10 s later
  copy.update(checkpoint(5), 112);
  copy.stop_writing();
  EXPECT_EQ(content(), "3");
  EXPECT_TRUE(has_step(copy, 6, 113));
}

TEST_F(Copies, TakeLittleTimeAndLittleOfADisk) {
  EXPECT_EQ(RunningCopy::period(0.01, 1e6), 10);
  EXPECT_EQ(RunningCopy::period(1, 1e6), 50);
  EXPECT_EQ(RunningCopy::period(1, 1e9), 250);
}

TEST_F(Copies, AFailedWriteIsReportedOnceAndKeepsTheLastCopy) {
  bool fails = false;
  SnapshotWriter writer = steps_writer();
  writer.write = [&, write = writer.write](const std::string& path, const Snapshot& snapshot,
                                           const Progress& progress) {
    if (fails) throw std::runtime_error("no space");
    write(path, snapshot, progress);
  };
  RunningCopy copy(folder.path(), writer);
  copy.update(checkpoint(1), 100);
  ASSERT_TRUE(has_step(copy, 2, 103));
  copy.stop_writing();
  fails = true;
  std::string problem;
  double now = 200;
  EXPECT_TRUE(test::eventually([&] {
    copy.update(checkpoint(3), now += 20);
    problem = copy.take_problem();
    return !problem.empty();
  }));
  EXPECT_THAT(problem, testing::HasSubstr("no space"));
  EXPECT_EQ(copy.take_problem(), "");
  EXPECT_EQ(content(), "2");
}

TEST_F(Copies, AnotherFolderThanOneForFilesIsNoProblem) {
  for (const fs::path& path : {fs::path(), folder / "missing", fs::path("/proc")}) {
    RunningCopy copy(path.string(), steps_writer());
    copy.update(checkpoint(1), 1);
    copy.update(checkpoint(2), 100);
    EXPECT_EQ(copy.take_problem(), "");
    EXPECT_THAT(take_copies(path.string()), testing::IsEmpty());
  }
}

TEST_F(Copies, AreRealSnapshots) {
  test::RunningSimulation show;
  ASSERT_TRUE(show.load("plummer", 100));
  show.request(request::Step{});
  ASSERT_TRUE(test::eventually([&] { return show.frame() && show.last.steps == 1 && show.thread.checkpoint(); }));
  RunningCopy copy(folder.path());
  Snapshot taken = *show.thread.checkpoint();
  taken.run->steps = 1;
  const auto latest = std::make_shared<const Snapshot>(std::move(taken));
  copy.update(latest, 1);
  ASSERT_TRUE(test::eventually([&] {
    copy.update(latest, 10);
    return !content().empty();
  }));
  copy.keep();
  const Snapshot read = read_hdf5(take_copies(folder.path()).at(0), {});
  EXPECT_EQ(read.bodies.size(), 100u);
  ASSERT_TRUE(read.run);
  EXPECT_EQ(read.run->steps, 1u);
}

}  // namespace
}  // namespace pericenter::app
