// Unusual machines: no home folder, a decimal comma, little memory, no build folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/base/system_report.h"
#include "tests/support/paths.h"
#include "tests/support/program.h"

namespace pericenter::test {
namespace {

const Words kMachineRun = {"--headless", "-n", "300",           "--scene", "plummer",
                           "-s",         "2",  "--no-progress", "--size",  "64x48"};

Start run_in(const TemporaryFolder& folder, const Words& more) {
  Start start{kMachineRun, folder.path()};
  start.arguments.insert(start.arguments.end(), more.begin(), more.end());
  return start;
}

TEST(Machine, RunsWithoutEnvironmentVariables) {
  const TemporaryFolder folder;
  Start start = run_in(folder, {"--csv", "a.csv", "--save", "a.hdf5", "--screenshot", "a.png"});
  start.has_nothing_else = true;
#ifdef __SANITIZE_ADDRESS__
  start.environment = {{"ASAN_OPTIONS", "detect_leaks=0"}};  // as for all tests: drivers leak
#endif
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(folder.names(), (Names{"a.csv", "a.hdf5", "a.png"}));
}

TEST(Machine, WritesToTheCurrentFolderWithoutAHome) {
  const TemporaryFolder folder;
  Start start{{"-n", "300", "--dt", "0.5", "--no-progress"}, folder.path()};
  start.environment = {{"HOME", "/proc/none"}, {"XDG_PICTURES_DIR", "/proc/none"}};
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(folder.names(), Names{"pericenter-collision-0001.png"});
}

TEST(Machine, ThreadsAreThoseOfTheGivenCores) {
  cpu_set_t all, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(app::usable_threads(), 1);
  EXPECT_THAT(app::processor(), testing::EndsWith("1 threads"));
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
}

// Fonts and shaders are embedded.
TEST(Machine, NeedsNoFilesNextToTheProgram) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "bin");
  std::filesystem::copy_file(test::kProgram, folder / "bin/alone");
  std::string pictures[2];
  for (const bool alone : {false, true}) {
    Start start = run_in(folder, {"--screenshot", "a.png", "--annotations"});
    if (alone) start.program = folder / "bin/alone";
    const Outcome outcome = run_program(start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    pictures[alone] = text_of(folder / "a.png");
  }
  EXPECT_GT(pictures[0].size(), 500u);
  EXPECT_TRUE(pictures[0] == pictures[1]);
}

TEST(Machine, ReportsTooLittleMemoryBeforeTheRun) {
  const TemporaryFolder folder;
  for (const char* bodies : {"2000000000", "9999999999999999999"}) {
    const Outcome outcome = run_program({{"--headless", "-n", bodies}, folder.path()});
    EXPECT_EQ(outcome.exit_code, 64) << outcome.err;
    EXPECT_LT(outcome.cpu_seconds, 1);
    EXPECT_LT(outcome.peak_bytes, 200u << 20);
  }
}

// Files use a decimal point in every locale.
TEST(Machine, IgnoresADecimalCommaLocale) {
  const TemporaryFolder folder;
  write_text(folder / "source", "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n");
  const std::string place = "cd '" + folder.path().string() + "' && ";
  const int made = std::system((place + "localedef -c -i source -f ANSI_X3.4-1968 ./commas 2> /dev/null").c_str());
  const bool has_locale = made >= 0 && std::filesystem::exists(folder / "commas/LC_NUMERIC");
  std::string tables[2];
  for (const bool german : {false, true}) {
    Start start = run_in(folder, {"--dt", "0.015625", "--theta", "0.75", "--csv", "a.csv", "--screenshot", "a.png"});
    if (german) start.environment = {{"LOCPATH", folder.path()}, {"LC_ALL", "commas"}};
    const Outcome outcome = run_program(start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, testing::Not(testing::HasSubstr("0,75")));
    const std::string table = text_of(folder / "a.csv");
    // Header, step and simulation time, which are deterministic.
    for (std::size_t at = 0; at < table.size(); at = table.find('\n', at) + 1)
      tables[german] += table.substr(at, table.find(',', table.find(',', at) + 1) - at) + "\n";
  }
  EXPECT_THAT(tables[0], testing::HasSubstr("2,0.03125"));
  EXPECT_EQ(tables[0], tables[1]);
  RecordProperty("locale", has_locale ? "with commas" : "not available");
}

TEST(Machine, RejectsInvalidFilesWithinASecond) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::copy_file(std::string(kFixturesFolder) + "/gadget2_little", folder / "cut");
  std::filesystem::resize_file(folder / "cut", 300);
  write_text(folder / "empty", "");
  std::filesystem::create_directory(folder / "folder");
  write_text(folder / "sparse", "m,x,y\n1,0,0\n");
  std::filesystem::resize_file(folder / "sparse", 5'000'000'000);
  for (const auto& [path, code, word] :
       {std::tuple("pipe", 65, "pipe"), std::tuple("/dev/zero", 65, "device"), std::tuple("folder", 66, "no snapshot"),
        std::tuple("empty", 65, "empty"), std::tuple("cut", 65, "Block POS at byte 296"),
        std::tuple("sparse", 65, "")}) {
    const Outcome outcome = run_program({{"--headless", "--no-progress", "--load", path}, folder.path()});
    EXPECT_EQ(outcome.exit_code, code) << path << ": " << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr(word));
    EXPECT_LT(outcome.cpu_seconds, 1) << path;
    EXPECT_LT(outcome.peak_bytes, 200u << 20) << path;
  }
}

}  // namespace
}  // namespace pericenter::test
