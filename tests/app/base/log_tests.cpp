#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>

#include "app/base/format.h"
#include "app/base/log.h"
#include "app/base/system_report.h"
#include "sim/core/printable.h"
#include "tests/support/program.h"

namespace pericenter::app {
namespace {

using test::Outcome;
using test::run_program;
using test::Words;
using testing::HasSubstr;
using testing::Not;

/// A short run without a window that writes run.log.
Words logged_run(const Words& more = {}) {
  Words words = {"--headless", "--no-progress", "--backend", "cpu", "-n", "100", "-s", "2", "--log", "run.log"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(LogFile, HasReportSceneAndEnd) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({logged_run({"--scene", "plummer", "--theta", "0.6"}), folder.path()});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string log = text_of(folder / "run.log");
  for (const char* part : {"Pericenter: ", "Build: ", "Kernel: Linux", "Processor: ", "Memory: ", "DISPLAY: ",
                           "Settings: ", "CUDA cannot be used: ", "plummer, 100 bodies, ", " on the CPU",
                           "pericenter/1 scene=plummer", "theta=0.6", "end      exit code 0\n"})
    EXPECT_THAT(log, HasSubstr(part));
  const std::regex entry(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z +\+\d+\.\d{3} s  [a-z]+ +\S.*|    \S.*)");
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(std::regex_match(line, entry)) << line;
}

TEST(LogFile, HasTheErrorOfAFailedLoadWithoutTheHomeFolder) {
  const TemporaryFolder folder;
  const std::string home = folder / "home", bad = folder / "home/bad.hdf5";
  std::filesystem::create_directory(home);
  write_text(bad, "no snapshot");
  const Outcome outcome = run_program({.arguments = {"--headless", "--load", bad, "--log", "run.log"},
                                       .folder = folder.path(),
                                       .environment = {{"HOME", home}, {"XDG_CONFIG_HOME", home + "/.config"}}});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr(bad));
  const std::string log = text_of(folder / "run.log");
  EXPECT_THAT(log, HasSubstr("warning  ~/bad.hdf5"));
  EXPECT_THAT(log, HasSubstr("end      exit code 65; last error: ~/bad.hdf5"));
  EXPECT_THAT(log, HasSubstr("Settings: ~/.config/pericenter"));
  EXPECT_THAT(log, Not(HasSubstr(home)));
}

TEST(LogFile, KeepsEarlierRuns) {
  const TemporaryFolder folder;
  const std::string before = "2026-11-25T18:50:12.345Z +0.000 s  start";
  write_text(folder / "run.log", before + "\n");
  ASSERT_EQ(run_program({logged_run(), folder.path()}).exit_code, 0);
  EXPECT_THAT(text_of(folder / "run.log"), testing::StartsWith(before + "\n2"));
}

TEST(LogFile, ThatIsNoLogStaysAsItIs) {
  const TemporaryFolder folder;
  for (const std::string text : {"m,x,y\n1,0,0\n", "2026", "\n"}) {
    write_text(folder / "run.log", text);
    const Outcome outcome = run_program({logged_run(), folder.path()});
    EXPECT_EQ(outcome.exit_code, 73);
    EXPECT_THAT(outcome.err, HasSubstr("'run.log' exists and is no log; choose another name."));
    EXPECT_EQ(text_of(folder / "run.log"), text);
  }
}

TEST(LogFile, ThatCannotBeCreatedIsAnErrorBeforeTheRun) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({logged_run({"--log", "none/run.log", "--csv", "run.csv"}), folder.path()});
  EXPECT_EQ(outcome.exit_code, 73);
  for (const char* part : {"--log", "'none/run.log'", "No such file", "Name a file in a folder that exists"})
    EXPECT_THAT(outcome.err, HasSubstr(part));
  EXPECT_TRUE(folder.names().empty());
}

TEST(LogFile, OnAFullDiskDoesNotEndTheRun) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({logged_run({"--log", "/dev/full", "--csv", "run.csv"}), folder.path()});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* part : {"'/dev/full'", "No space left on device", "continues without the log"})
    EXPECT_THAT(outcome.err, HasSubstr(part));
  EXPECT_EQ(outcome.err.find("--log"), outcome.err.rfind("--log")) << "reported once";
  EXPECT_EQ(folder.names(), Names{"run.csv"});
}

TEST(LogFile, OfAKilledRunIsCompleteExceptForItsEnd) {
  const TemporaryFolder folder;
  const auto has_scene = [&](const std::string&) {
    return std::filesystem::exists(folder / "run.log") &&
           text_of(folder / "run.log").find("pericenter/1") != std::string::npos;
  };
  const Outcome outcome = run_program({.arguments = logged_run({"-s", "100000000"}),
                                       .folder = folder.path(),
                                       .signal_when = has_scene,
                                       .signals = {SIGKILL}});
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
  EXPECT_THAT(text_of(folder / "run.log"), HasSubstr("Memory: "));
  EXPECT_THAT(text_of(folder / "run.log"), Not(HasSubstr("exit code")));
}

TEST(LogFile, TakesWhatIsPrintedToStandardErrorAsWholeMessages) {
  const TemporaryFolder folder;
  {
    Log log;
    log.open(folder / "a.log");
    std::cerr << "pericenter: two lines:\n  " << 2 << '\n';
    log.write("notice", "same");
    log.write("notice", "same");
    log.end(1);
  }
  std::cerr << "after\n";
  const std::string text = text_of(folder / "a.log");
  EXPECT_THAT(text, HasSubstr("warning  two lines:\n      2\n"));
  EXPECT_EQ(text.find("same"), text.rfind("same"));
  EXPECT_THAT(text, HasSubstr("exit code 1; last error: two lines:"));
  EXPECT_THAT(text, Not(HasSubstr("after")));
}

TEST(PersonalData, IsReplacedInWholeWordsOnly) {
  std::array<char, 256> host{};
  ASSERT_EQ(::gethostname(host.data(), host.size() - 1), 0);
  const passwd* user = ::getpwuid(::getuid());
  ASSERT_TRUE(user);
  const std::string name = user->pw_name, home = user->pw_dir;
  EXPECT_EQ(without_personal_data("in " + home + "/a, " + home), "in ~/a, ~");
  EXPECT_EQ(without_personal_data("/media/" + name + "/disk"), "/media/USER/disk");
  for (const std::string& other : {"/x" + name, "/" + name + "x", "the " + name + " of"})
    EXPECT_EQ(without_personal_data(other), other);
  EXPECT_EQ(without_personal_data(std::string("/net/") + host.data() + "/a"), "/net/HOST/a");
  EXPECT_EQ(without_personal_data("OpenGL 4.5"), "OpenGL 4.5");
}

TEST(PersonalData, IsReplacedInEveryFormOfAPath) {
  const char* before = std::getenv("HOME");
  const std::string old = before ? before : "";
  for (const char* home :
       {"/home/a b", "/home/Jörg", "/home/a&b", "/home/a'b", "/home/a(b", "/home/a%b", "/home/a\\b", "/home/a\tb"}) {
    ::setenv("HOME", home, 1);
    const std::string file = std::string(home) + "/x.csv";
    EXPECT_EQ(without_personal_data("file=" + url_encoded(file)), "file=~/x.csv") << home;
    EXPECT_EQ(without_personal_data("read " + file), "read ~/x.csv") << home;
    EXPECT_EQ(without_personal_data("read " + printable(file)), "read ~/x.csv") << home;
    EXPECT_THAT(without_personal_data("--load " + shell_word(file)), HasSubstr("'~/x.csv'")) << home;
  }
  ::setenv("HOME", old.c_str(), 1);
}

TEST(SystemReport, IsPrintedWithTheReasonWhyCudaIsMissing) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({{"--system-report"}, folder.path()});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* part : {"Pericenter: ", "Build: ", "Kernel: Linux", "CUDA", "OpenGL"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace pericenter::app
