// A full disk: the old file is kept, no temporary file remains, and the other files of the run are written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>

#include "tests/support/fake_ffmpeg.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace pericenter::test {
namespace {

const Words kRun = {"--headless", "-n", "300", "--scene", "plummer", "-s", "4", "--no-progress", "--size", "64x48"};

Outcome run_with(const TemporaryFolder& folder, const Words& more, const std::string& fault) {
  Start start{kRun, folder.path()};
  start.arguments.insert(start.arguments.end(), more.begin(), more.end());
  start.environment = {{"PERICENTER_FAULT", fault}};
  return run_program(start);
}

/// An option and the file that it writes.
struct Writes {
  const char *option, *file;
  friend void PrintTo(const Writes& writes, std::ostream* out) { *out << writes.option << ' ' << writes.file; }
};
class FullDisk : public testing::TestWithParam<Writes> {};
INSTANTIATE_TEST_SUITE_P(Outputs, FullDisk,
                         testing::Values(Writes{"--csv", "a.csv"}, Writes{"--screenshot", "a.png"},
                                         Writes{"--save", "a.hdf5"}, Writes{"--record", "a.mp4"},
                                         Writes{"--record", "a.gif"}));

TEST_P(FullDisk, KeepsTheOldFileAndReportsIt) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("libx264 gif") + "for last; do :; done; cat > \"${last#file:}\"");
  write_text(folder / GetParam().file, "old");
  const Outcome outcome = run_with(folder, {GetParam().option, GetParam().file}, "disk_full");
  EXPECT_EQ(outcome.exit_code, 74) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr(GetParam().file));
  EXPECT_THAT(outcome.err, testing::HasSubstr("the disk is full; free some space"));
  EXPECT_EQ(folder.names(), Names{GetParam().file});
  EXPECT_EQ(text_of(folder / GetParam().file), "old");
}

TEST(FullDisk, LosesOneFileAndNotTheOthers) {
  const Words all = {"--csv", "a.csv", "--screenshot", "a.png", "--save", "a.hdf5"};
  const Names names = {"a.csv", "a.hdf5", "a.png"};
  const std::string in_order[] = {"a.csv", "a.png", "a.hdf5"};
  for (int which = 0; which < 3; ++which) {
    const TemporaryFolder folder;
    const Outcome outcome = run_with(folder, all, "disk_full:" + std::to_string(which + 1));
    EXPECT_EQ(outcome.exit_code, 74) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr(in_order[which]));
    EXPECT_THAT(outcome.out, testing::HasSubstr("energy error"));
    Names others = names;
    std::erase(others, in_order[which]);
    EXPECT_EQ(folder.names(), others);
  }
}

TEST(FullDisk, KeepsTheOldFileOfAnExport) {
  const TemporaryFolder folder;
  const Words words = {"export", "--for", "gadget4", "a", "-n", "300", "--no-progress"};
  ASSERT_EQ(run_program({words, folder.path()}).exit_code, 0);
  Start start{words, folder.path()};
  const auto sizes = [&] {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
      if (entry.is_regular_file()) all += entry.path().string() + text_of(entry.path());
    return all;
  };
  const std::string before = sizes();
  start.arguments.insert(start.arguments.end(), {"--seed", "2"});
  start.environment = {{"PERICENTER_FAULT", "disk_full"}};
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 74) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("the disk is full"));
  EXPECT_TRUE(sizes() == before);
}

// Frames of 640 x 360 fill the pipe, so that the error occurs during the run.
TEST(BrokenVideo, DoesNotEndTheRun) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("libx264") + "head -c 1000000 > /dev/null; echo 'out of everything' >&2; exit 1");
  Start start{kRun, folder.path()};
  start.arguments.insert(start.arguments.end(), {"--size", "640x360", "-s", "40", "--record", "a.mp4"});
  const Outcome alone = run_program(start);
  EXPECT_EQ(alone.exit_code, 74) << alone.err;
  EXPECT_THAT(alone.err, testing::HasSubstr("out of everything"));
  EXPECT_TRUE(folder.names().empty());
  start.arguments.insert(start.arguments.end(), {"--csv", "a.csv"});
  const Outcome with_table = run_program(start);
  EXPECT_EQ(with_table.exit_code, 74) << with_table.err;
  EXPECT_EQ(folder.names(), Names{"a.csv"});
  const std::string table = text_of(folder / "a.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 42) << "one header, the start and 40 steps";
}

// Regression: some commands ended with exit code 0 although nobody could read what they printed.
TEST(LostOutput, IsReportedByEveryCommand) {
  const TemporaryFolder folder;
  write_text(folder / "a.toml",
             "title = 'a'\nminutes = 1\naudience = 'all'\ngoal = 'none'\n[[slides]]\nscene = "
             "'pericenter/1 scene=plummer n=20'\ncaption = 'a'\n");
  for (const std::string command :
       {"--headless --scene plummer -n 20 -s 1", "worksheet a.toml a.html", "check-lessons a.toml",
        "export --for swift out --scene plummer -n 50", "bench scenes --scene plummer -n 50 --repeats 1",
        "bench -n 50 --repeats 1 --solver direct --backend cpu", "--list-scenes"}) {
    Start start{{"-c", "exec '" + std::string(kProgram) + "' " + command + " >/dev/full"}, folder.path()};
    start.program = "/bin/sh";
    const Outcome outcome = run_program(start);
    EXPECT_EQ(outcome.exit_code, 74) << command << ": " << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("cannot write to standard output")) << command;
  }
}

}  // namespace
}  // namespace pericenter::test
