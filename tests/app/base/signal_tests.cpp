// Signals: the first one finishes the files, the second one ends the program at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <thread>

#include "tests/support/fake_ffmpeg.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"
#include "tests/support/running_simulation.h"

namespace pericenter::test {
namespace {

/// After a second of processor time.
Start signalled(const TemporaryFolder& folder, const Words& arguments, const std::vector<int>& signals) {
  Start start{arguments, folder.path()};
  start.signals = signals;
  start.signal_after = 1;
  return start;
}

/// When `file` has a line, which ffmpeg writes when it starts.
Start signalled_at(const std::filesystem::path& file, const TemporaryFolder& folder, const std::vector<int>& signals) {
  Start start{{"--record", "a.mp4", "--size", "640x360", "-n", "300", "-s", "100000", "--no-progress"}, folder.path()};
  start.signals = signals;
  start.signal_when = [file](const std::string&) { return text_of(file).ends_with('\n'); };
  return start;
}

TEST(Signals, ASecondInterruptEndsTheProgramAtOnce) {
  const TemporaryFolder folder;
  const Words minutes = {"--backend", "cpu", "--solver", "direct", "-n", "1000000"};
  Words first_force = {"--headless", "-s", "1"}, bench = {"bench", "--repeats", "1"};
  for (Words* words : {&first_force, &bench}) words->insert(words->end(), minutes.begin(), minutes.end());
  for (const Words& arguments : {first_force, bench}) {
    const Outcome outcome = run_program(signalled(folder, arguments, {SIGINT, SIGINT}));
    EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
    EXPECT_LT(outcome.seconds, 10) << arguments[0];
  }
}

TEST(Signals, OneEndsTheWaitForTheReaderOfAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const Words& arguments :
       {Words{"--headless", "--backend", "cpu", "-n", "300", "-s", "1", "--csv", "pipe"},
        Words{"bench", "--backend", "cpu", "--solver", "direct", "-n", "100", "--repeats", "1", "--csv", "pipe"}}) {
    Start start{arguments, folder.path()};
    start.signals = {SIGTERM};
    start.signal_when = [](const std::string& output) { return output.find(" 1 of 1 ") != output.npos; };
    const Outcome outcome = run_program(start);
    EXPECT_NE(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.exit_code, 124) << "it waits for ever";
    EXPECT_THAT(outcome.err, testing::HasSubstr("pipe"));
    EXPECT_LT(outcome.seconds, 20);
  }
  const Outcome played = run_program({{"--headless", "--play", "pipe"}, folder.path()});
  EXPECT_EQ(played.exit_code, 66) << played.err;
  EXPECT_THAT(played.err, testing::HasSubstr("--play: 'pipe' is no file"));
}

TEST(Signals, AHangupFinishesTheFiles) {
  const TemporaryFolder folder;
  const Words arguments = {"--headless", "-n", "300", "-s", "100000000", "--csv", "run.csv"};
  // A terminal that is closed may send it twice.
  const Outcome outcome = run_program(signalled(folder, arguments, {SIGHUP, SIGHUP}));
  EXPECT_EQ(outcome.exit_code, 129) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("interrupted"));
  EXPECT_EQ(folder.names(), Names{"run.csv"});
}

TEST(Signals, AnInterruptEndsAVideoWhoseFfmpegHangs) {
  const TemporaryFolder folder, marks;
  const std::filesystem::path mark = marks / "started";
  const std::string hangs = "echo > '" + mark.string() + "'; exec sleep 1000";
  for (const std::string& script : {hangs, with_encoders("libx264") + hangs}) {
    ProgramPath path(false);
    path.add("ffmpeg", script);
    std::filesystem::remove(mark);
    Start start = signalled_at(mark, folder, {SIGINT});
    start.signal_when = [later = start.signal_when](const std::string& output) {
      if (!later(output)) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1000));  // until ffmpeg takes no more frames
      return true;
    };
    const Outcome outcome = run_program(start);
    EXPECT_NE(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("ffmpeg"));
    EXPECT_LT(outcome.seconds, 15) << script;
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST(Signals, AnInterruptEndsAVideoWhoseFfmpegWorksForEver) {
  const TemporaryFolder folder, marks;
  ProgramPath path(false);
  path.add("ffmpeg",
           with_encoders("libx264") + "echo > '" + (marks / "started").string() + "'; exec cat /dev/zero > /dev/null");
  const Outcome outcome = run_program(signalled_at(marks / "started", folder, {SIGTERM}));
  EXPECT_NE(outcome.exit_code, 0) << outcome.err;
  EXPECT_LT(outcome.seconds, 20);
}

TEST(Signals, ASecondOneEndsFfmpegToo) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("libx264") + "echo $$ > '" + (folder / "id").string() + "'; exec sleep 1000");
  const Outcome outcome = run_program(signalled_at(folder / "id", folder, {SIGTERM, SIGTERM}));
  EXPECT_EQ(outcome.exit_code, 143) << outcome.err;
  const int id = std::stoi(text_of(folder / "id"));
  EXPECT_TRUE(eventually([&] { return ::kill(id, 0) != 0; }));
}

TEST(Machine, ClosedStreamsAreNotTakenByOtherFiles) {
  const TemporaryFolder folder;
  ProgramPath path(false);
  path.add("ffmpeg", with_encoders("libx264") + "readlink /proc/$PPID/fd/0 /proc/$PPID/fd/1 /proc/$PPID/fd/2 > '" +
                         (folder / "streams").string() + "'; for last; do :; done; cat > \"${last#file:}\"");
  Start start{{"-c", "exec '" + std::string(kProgram) + "' --record a.mp4 --size 64x48 -n 300 -s 1 <&- >&- 2>&-"},
              folder.path()};
  start.program = "/bin/sh";
  run_program(start);
  EXPECT_EQ(text_of(folder / "streams"), "/dev/null\n/dev/null\n/dev/null\n");
}

}  // namespace
}  // namespace pericenter::test
