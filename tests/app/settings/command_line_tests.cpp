#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/core/device.h"
#include "sim/files/hdf5/reader.h"
#include "sim/solvers/registry.h"
#include "tests/support/bad_input.h"
#include "tests/support/file_fixtures.h"
#include "tests/support/png_chunks.h"
#include "tests/support/program.h"

// The built program: its output, files and exit codes.

namespace pericenter::test {
namespace {

Outcome run_in(const TemporaryFolder& folder, const Words& arguments) {
  return run_program({arguments, folder.path()});
}

class BadInputs : public testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, ReportOneErrorAndWriteNothing) {
  expect_refusal({}, GetParam());
}

const std::vector<BadInput> kBadInputs = {
    {{"--scene", "colision"}, 64, {"colision", "plummer", "did you mean collision?"}},
    {{"--scene", ""}, 64, {"empty", "plummer"}},
    {{"--scene"}, 64, {"--scene needs a value"}},
    {{"--solver", "octre"}, 64, {"octre", "direct", "did you mean octree?"}},
    {{"--language", "german"}, 64, {"--language", "'german'", "two-letter lower-case code", "de"}},
    {{"--headles"}, 64, {"--headles", "did you mean --headless?"}},
    {{"--theta=1", "--frobnicate=3"}, 64, {"--frobnicate"}},
    {{"collision"}, 64, {"collision", "--help"}},
    {{"-q"}, 64, {"-q"}},
    {{"-n", "0"}, 64, {"-n", "'0'", "at least 1"}},
    {{"-n", "-5"}, 64, {"'-5'", "at least 1"}},
    {{"--bodies", "many"}, 64, {"'many'", "at least 1"}},
    {{"-n", "1.5"}, 64, {"'1.5'"}},
    {{"-n", "2000000000"}, 64, {"2000000000", "memory", "GiB", "free"}},
    {{"-n", "9999999999999999999"}, 64, {"memory", "free"}},
    {{"-n", "99999999999999999999999999"}, 64, {"-n", "99999999999999999999999999", "18446744073709551615"}},
    {{"--scene", "two-body", "-n", "5"}, 64, {"two-body", "2 bodies", "5"}},
    {{"--theta", "-0.1"}, 64, {"theta", "-0.1", "between 0"}},
    {{"--theta", "nan"}, 64, {"theta", "nan", "between 0"}},
    {{"--accuracy", "0"}, 64, {"accuracy", "between 1e-06 and 0.1"}},
    {{"--theta", "wide"}, 64, {"--theta", "'wide'"}},
    {{"--softening", "-1"}, 64, {"softening", "-1", "0 or more"}},
    {{"--softening", "inf"}, 64, {"softening", "inf", "finite"}},
    {{"--softening", "automatic"}, 64, {"--softening", "automatic", "number"}},
    {{"--softening", "auto", "--scene", "two-body"}, 64, {"auto", "two-body", "give a length"}},
    {{"--softening", "auto", "--scene", "solar-system"}, 64, {"auto", "solar-system"}},
    {{"--scene-string", "pericenter/1 softening=auto"}, 64, {"softening", "auto"}},
    {{"--dt", "nan"}, 64, {"dt", "nan", "finite"}},
    {{"--adaptive-steps", "-1"}, 64, {"adaptive-steps", "-1", "0 (off)"}},
    {{"--adaptive-steps", "nan"}, 64, {"adaptive-steps", "nan", "between 1e-06 and 1"}},
    {{"--dt", "inf"}, 64, {"dt", "inf", "finite"}},
    {{"--dt", "1e30"}, 64, {"dt", "1e+30", "at most"}},
    {{"--size", "0x720"}, 64, {"0x720", "from 1"}},
    {{"--size", "1280"}, 64, {"'1280'", "1280x720"}},
    {{"--size", "99999x99999"}, 64, {"99999x99999", "16384"}},
    {{"--seed", "luck"}, 64, {"--seed", "'luck'"}},
    {{"--seed", "-1"}, 64, {"'-1'"}},
    {{"--seed", "99999999999999999999999999"}, 64, {"--seed", "99999999999999999999999999", "18446744073709551615"}},
    {{"--headless", "-s", "99999999999999999999999999"}, 64, {"999999", "18446744073709551615"}},
    {{"--softening", "1e-400"}, 64, {"--softening", "1e-400", "1.8e308"}},
    {{"--dt", "-1e400"}, 64, {"--dt", "-1e400", "1.8e308"}},
    {{"--scene-string", "pericenter/1 softening=1e-400"}, 64, {"softening", "1e-400"}},
    {{"--scene-string", "pericenter/1 seed=99999999999999999999999999"}, 64, {"seed", "999999"}},
    {{"--threads", "-2"}, 64, {"'-2'", "1024"}},
    {{"--dimension", "4"}, 64, {"'4'", "2 or 3"}},
    {{"--walk", "sideways"}, 64, {"--walk", "'sideways'", "group, warp, skip, climb, stack or vote"}},
    {{"--depth", "11"}, 64, {"--depth", "'11'", "did you mean"}},
    {{"--upper-level", "global"}, 64, {"did you mean --upper-levels?"}},
    {{"--backend", "cpu", "--walk", "warp"}, 64, {"walk cannot be 'warp'", "on the CPU"}},
    {{"--backend", "cpu", "--order", "shuffled"}, 64, {"order cannot be 'shuffled'", "group walk"}},
    {{"--backend", "cpu", "--solver", "direct", "--walk", "skip"}, 64, {"'direct' has no option 'walk'", "CPU"}},
    {{"--backend", "cpu", "--solver", "hybrid", "--block", "64"}, 64, {"'hybrid' has no option 'block'", "CPU"}},
    {{"--backend", "cpu", "--solver", "octree", "--parallel", "std"},
     64,
     {"'octree' has no option 'parallel' on the CPU", "concurrent-octree, hilbert-bvh, direct, direct-pairs"}},
    {{"--parallel", "tbb"}, 64, {"--parallel", "'tbb'", "own or std"}},
    {{"--multipole", "octupole"}, 64, {"'octupole'", "monopole or quadrupole"}},
    {{"--precision", "half"}, 64, {"'half'", "float or double"}},
    {{"--simd", "sse"}, 64, {"'sse'", "avx2"}},
    {{"--backend", "gpu"}, 64, {"'gpu'", "cpu"}},
    {{"--gpus", "0"}, 64, {"--gpus", "1"}},
    {{"--gpus", "2", "--backend", "cpu"}, 64, {"--gpus 2", "--backend cuda"}},
    {{"--ui-scale", "9"}, 64, {"9", "0.75"}},
    {{"--projector-size", "3"}, 64, {"3", "0.5"}},
    {{"--steps-per-frame", "0"}, 64, {"'0'", "from 1"}},
    {{"--pace", "0"}, 64, {"--pace is 0", "between"}},
    {{"--pace", "-3"}, 64, {"--pace is -3", "between"}},
    {{"--pace", "1e30"}, 64, {"--pace is 1e30", "between"}},
    {{"--pace", "nan"}, 64, {"nan"}},
    {{"-s", "-1", "--headless"}, 64, {"'-1'"}},
    {{"-s", "5"}, 64, {"--steps", "--headless"}},
    {{"--headless", "--energy-every", "5"}, 64, {"--energy-every", "--csv"}},
    {{"--headless", "--csv", "a.csv", "--energy-every", "0"}, 64, {"--energy-every"}},
    {{"--headless", "--save-every", "5"}, 64, {"--save-every", "--save"}},
    {{"--csv", "a.csv"}, 64, {"--csv", "--headless"}},
    {{"--bridge", "copied"}, 64, {"'copied'", "auto, interop or staged"}},
    {{"--bridge", "interop", "--backend", "cpu"}, 64, {"--bridge interop", "--backend cuda"}},
    {{"--color-by", "colour"}, 64, {"'colour'", "origin", "force-error"}},
    {{"--color-map", "jet"}, 64, {"'jet'", "viridis", "cividis"}},
    {{"--headless", "--screenshot", "a.png", "--color-by", "force-error"}, 64, {"force-error", "panel"}},
    {{"--headless", "--no-progress", "-n", "500", "-s", "0", "--screenshot", "a.png", "--color-by", "type"},
     65,
     {"type", "--load"}},
    {{"--shader-dir", "/no/such/folder"}, 66, {"/no/such/folder"}},
    {{"--shader-dir", std::string(4096, 'x')}, 66, {"--shader-dir", "xxx"}},
    {{"--load", "/no/such\n\x9b.hdf5"}, 66, {"/no/such\\x0a\\x9b.hdf5"}},
    {{"--theme", "blue"}, 64, {"--theme", "blue", "dark", "light"}},
    {{"--camera-path", "/no/such.csv"}, 66, {"--camera-path", "/no/such.csv"}},
    {{"--camera-path", "/proc/self/status"}, 65, {"--camera-path", "line 1", "view", "key"}},
    {{"--camera-path", "/dev/null"}, 65, {"--camera-path", "/dev/null", "key"}},
    {{"--headless", "--csv", "/no/such/folder/a.csv"}, 73, {"/no/such/folder/a.csv", "does not exist"}},
    {{"--headless", "--screenshot", "."}, 73, {"folder"}},
    {{"--headless", "--csv", "/dev/null/a.csv"}, 73, {"/dev/null/a.csv"}},
    {{"--record", "a.avi"}, 64, {"'a.avi'", ".mp4, .gif or .png"}},
    {{"--record", "/no/such/folder/a.mp4", "-n", "300"}, 73, {"/no/such/folder/a.mp4", "does not exist"}},
    {{"--record", "/no/such/folder/a.png", "-n", "300"}, 73, {"/no/such/folder/a-frames"}},
    {{"--fps", "0"}, 64, {"'0'", "240"}},
    {{"--no-annotations=99999999999999999999"}, 64, {"flag", "--help"}},
    {{"--load", "/no/such.hdf5"}, 66, {"--load", "/no/such.hdf5"}},
    {{"--play", "/proc"}, 66, {"--play", "/proc", "folder"}},
    {{"--load", "/dev/null", "--scene", "galaxy"}, 64, {"--load", "--scene"}},
    {{"--load", "/dev/null", "-n", "5"}, 64, {"--load", "-n"}},
    {{"--play", "/dev/null", "--seed", "5"}, 64, {"--play", "--seed"}},
    {{"--load", "/dev/null", "--play", "/dev/null"}, 64, {"--load", "--play"}},
    {{"--headless", "--no-progress", "--load", "/proc/self/status"}, 65, {"/proc/self/status"}},
    {{"--skip-bad"}, 64, {"--skip-bad", "--load"}},
    {{"--every", "9"}, 64, {"--every", "--region", "--load"}},
    {{"--every", "0", "--load", "/dev/null"}, 64, {"--every", "'0'", "1"}},
    {{"--types", "gas,stras", "--load", "/dev/null"}, 64, {"--types", "'gas,stras'", "gas (0)", "star (4)"}},
    {{"--region", "1 2 3", "--load", "/dev/null"}, 64, {"--region", "'1 2 3'", "x y z"}},
    {{"--periodic", "-1", "--load", "/dev/null"}, 64, {"--periodic", "'-1'", "0 or more"}},
    {{"--units", "kpc", "--load", "/dev/null"}, 64, {"--units", "'kpc'", "length=kpc"}},
    {{"--follow"}, 64, {"--follow", "--play"}},
    {{"--follow", "--headless", "--play", "/proc/self/status"}, 64, {"--follow", "--headless", "window"}},
    {{"--follow", "/proc/self/status", "/proc/self/stat"}, 64, {"--follow", "one file"}},
    {{"--save", "a.hdf5"}, 64, {"--save", "--headless", "Ctrl+S"}},
    {{"--headless", "--csv", "x", "--save", "./x"}, 64, {"--csv", "--save", "same file", "./x"}},
    {{"--headless", "--csv", "x", "--log", "x"}, 64, {"--csv", "--log", "same file"}},
    {{"--headless", "--load", "/proc/meminfo", "--log", "/proc/meminfo"}, 64, {"--load", "--log", "same file"}},
    {{"--headless", "--screenshot", "x", "--csv", "x"}, 64, {"--csv", "--screenshot", "same file"}},
    {{"--headless", "--record", "a.png", "--csv", "a-frames/x"}, 64, {"--csv", "--record", "a-frames"}},
    {{"--headless", "--record", "a.mp4", "--screenshot", "./a-frames"}, 64, {"--screenshot", "--record", "a-frames"}},
    {{"--headless", "--save", "a.b", "--save-every", "9", "--csv", "./a_000009.b"}, 64, {"--csv", "--save-every"}},
    {{"--headless", "--load", "/proc/../proc/meminfo", "--csv", "/proc/meminfo"}, 64, {"--csv", "--load", "same file"}},
    {{"--headless", "--save", "/no/such/folder/a.hdf5"}, 73, {"/no/such/folder/a.hdf5", "does not exist"}},
};
INSTANTIATE_TEST_SUITE_P(CommandLine, BadInputs, testing::ValuesIn(kBadInputs));

TEST(CommandLine, CudaOptionsReportWhyCudaIsMissing) {
  const std::string missing = cuda_status().missing;
  if (missing.empty()) GTEST_SKIP() << "this machine has a CUDA device";
  const TemporaryFolder folder;
  for (const Words& arguments : {Words{"--backend", "cuda"}, Words{"--headless", "--backend", "cuda"},
                                 Words{"--bridge", "interop"}, Words{"--headless", "--gpus", "2"}}) {
    const Outcome outcome = run_in(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 69) << outcome.err;
    if (arguments.back() == std::string("2")) {
      EXPECT_THAT(outcome.err, testing::HasSubstr("Leave out --gpus"));
    }
    EXPECT_THAT(outcome.err, testing::HasSubstr(arguments.back()));
    EXPECT_THAT(outcome.err, testing::HasSubstr(missing));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST(CommandLine, AutoSelectsAnAvailableBackend) {
  const TemporaryFolder folder;
  const CudaStatus cuda = cuda_status();
  const std::string device = cuda.available() ? "CUDA, " + cuda.devices.front().name : "CPU";
  for (const Words& backend : {Words{}, Words{"--backend", "auto"}, Words{"--backend", "cuda", "--backend", "auto"}}) {
    Words arguments = {"--headless", "-n", "300", "-s", "1", "--no-progress"};
    arguments.insert(arguments.end(), backend.begin(), backend.end());
    const Outcome outcome = run_in(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, testing::HasSubstr(", " + device + ","));
  }
  const Outcome cpu = run_in(folder, {"--headless", "-n", "300", "-s", "1", "--no-progress", "--backend", "cpu"});
  EXPECT_THAT(cpu.out, testing::HasSubstr(", CPU,"));
}

TEST(CommandLine, Fault03And02UnsupportedGpuFallsBackToTheCpu) {
  const TemporaryFolder folder;
  const Words arguments = {"--headless", "-n", "300", "-s", "1", "--dt", "0.01", "--no-progress"};
  for (const auto& [fault, advice] :
       {std::pair{"old_driver", "update the driver to 580"}, std::pair{"no_kernel_image", "compute capability 3.5"}}) {
    const Outcome outcome =
        run_program({.arguments = arguments, .folder = folder.path(), .environment = {{"PERICENTER_FAULT", fault}}});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, testing::HasSubstr(", CPU,"));
    EXPECT_THAT(outcome.err, testing::HasSubstr(advice));
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST(CommandLine, HelpHasOptionsExamplesAndExitCodes) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in(folder, {"--theta", "-1", "--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* word : {"--scene", "-n, --bodies", "--headless", "--screenshot", "--annotations, --no-annotations",
                           "(default: 100)", "Examples:", "Exit codes:"}) {
    EXPECT_THAT(outcome.out, testing::HasSubstr(word)) << word;
  }
}

TEST(CommandLine, ScenesAreListedByGroup) {
  const TemporaryFolder folder;
  const std::string list = run_in(folder, {"--list-scenes"}).out;
  EXPECT_EQ(list.rfind("Encounters\n", 0), 0u) << list;
  EXPECT_LT(list.find("\nClusters\n"), list.find("  plummer\n"));
  EXPECT_LT(list.find("  plummer\n"), list.find("\nTextbook cases\n"));
}

TEST(CommandLine, VersionAndLists) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_in(folder, {"--version"}).out.rfind("pericenter 0.", 0), 0u);
  const std::string scenes = run_in(folder, {"--list-scenes"}).out;
  for (const char* scene : {"collision", "galaxy", "plummer", "uniform", "two-body"}) {
    EXPECT_THAT(scenes, testing::HasSubstr(std::string(scene) + "\n    ")) << scene;
  }
  const std::string solvers = run_in(folder, {"--list-solvers"}).out;
  EXPECT_THAT(solvers, testing::HasSubstr("octree\n    "));
  EXPECT_THAT(solvers, testing::HasSubstr("direct\n    "));
  EXPECT_THAT(solvers, testing::HasSubstr("Backends: CPU, CUDA\n"));
}

using Table = std::vector<std::vector<std::string>>;

Table read_csv(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    table.emplace_back();
    std::istringstream cells(line + ",");
    for (std::string cell; std::getline(cells, cell, ',');) table.back().push_back(cell);
  }
  return table;
}

std::size_t column(const Table& table, const std::string& name) {
  const auto found = std::find(table.front().begin(), table.front().end(), name);
  EXPECT_NE(found, table.front().end()) << name;
  return static_cast<std::size_t>(found - table.front().begin());
}

TEST(Headless, CsvHasARowPerStepAndEnergyEveryTenth) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_in(folder, {"--headless", "--scene", "plummer", "-n", "300", "-s", "25", "--csv", "run.csv"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(folder.names(), Words{"run.csv"});
  const Table table = read_csv(text_of(folder / "run.csv"));
  ASSERT_EQ(table.size(), 27u);
  const std::size_t step = column(table, "step"), total = column(table, "total_ms"), walk = column(table, "walk_ms");
  const std::size_t error = column(table, "energy_error");
  for (std::size_t row = 1; row < table.size(); ++row) {
    ASSERT_EQ(table[row].size(), table.front().size()) << row;
    const std::size_t number = row - 1;
    EXPECT_EQ(table[row][step], std::to_string(number));
    const bool evaluated = number % 10 == 0 || number == 25;
    EXPECT_EQ(table[row][error].empty(), !evaluated) << row;
    if (evaluated) {
      EXPECT_LT(std::abs(std::stod(table[row][error])), 0.01);
    }
    if (number == 0) continue;  // no step, no times
    EXPECT_GT(std::stod(table[row][total]), std::stod(table[row][walk]));
    EXPECT_GT(std::stod(table[row][walk]), 0);
  }
  EXPECT_EQ(table[1][error], "0");
}

TEST(Headless, SaysThatThereAreNoCheckpoints) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({{"--headless", "-n", "300", "-s", "1", "--no-progress"},
                                       folder.path(),
                                       0,
                                       {},
                                       {{"PERICENTER_FAULT", "snapshot_memory"}}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, testing::StartsWith("pericenter: Without checkpoints: a copy of these bodies takes 0.0 GB"));
}

TEST(Headless, Fault9LostGpuGivesTheSameBodies) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& fault, const std::string& name) {
    return run_program({{"--headless", "--scene", "plummer", "-n", "300", "-s", "12", "--csv", name, "--no-progress"},
                        folder.path(),
                        0,
                        {},
                        {{"PERICENTER_FAULT", fault}}});
  };
  const Outcome sound = run("", "sound.csv"), lost = run("device_lost:8", "lost.csv");
  EXPECT_EQ(sound.err, "");
  EXPECT_EQ(lost.exit_code, 0);
  EXPECT_THAT(lost.err, testing::HasSubstr("the GPU was lost ("));
  EXPECT_THAT(lost.err, testing::HasSubstr("continuing from t = "));
  const auto conserved = [](const Outcome& outcome) { return outcome.out.substr(outcome.out.find("energy")); };
  EXPECT_EQ(conserved(lost), conserved(sound));
  const auto rows = [&](const char* name) { return std::ranges::count(text_of(folder / name), '\n'); };
  EXPECT_EQ(rows("lost.csv"), rows("sound.csv"));
}

TEST(Headless, GpuLostAtEachStepEndsTheRun) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({{"--headless", "--scene", "plummer", "-n", "300", "-s", "3", "--no-progress"},
                                       folder.path(),
                                       0,
                                       {},
                                       {{"PERICENTER_FAULT", "device_lost"}}});
  EXPECT_EQ(outcome.exit_code, 70);
}

TEST(Headless, LostGpuGivesNoImage) {
  for (const Words& output : {Words{"--screenshot", "a.png"}, Words{"--record", "a.mp4"}}) {
    const TemporaryFolder folder;
    Words arguments = {"--headless", "-n", "300", "-s", "1", "--size", "64x64", "--save", "a.hdf5", "--no-progress"};
    arguments.insert(arguments.end(), output.begin(), output.end());
    const Outcome outcome = run_program({arguments, folder.path(), 0, {}, {{"PERICENTER_FAULT", "gl_context_lost"}}});
    EXPECT_EQ(outcome.exit_code, 69) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("The image is lost: "));
    EXPECT_FALSE(std::filesystem::exists(folder / output[1]));
    EXPECT_TRUE(std::filesystem::exists(folder / "a.hdf5")) << "other outputs are written";
  }
}

TEST(Headless, WarnsOnceOfLargeTimeSteps) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in(folder, {"--headless", "--scene", "plummer", "-n", "300", "-s", "30", "--dt", "0.2",
                                          "--softening", "0.05", "--csv", "steps.csv", "--no-progress"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err.find("pericenter: the strongest acceleration moves "), 0u) << outcome.err;
  EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
}

TEST(Headless, AutomaticSofteningIsSavedAsANumber) {
  const TemporaryFolder folder;
  const Words scene = {"--headless", "--scene", "plummer", "-n", "30000", "-s", "0", "--no-progress", "--softening"};
  const auto with = [&](const Words& more) {
    Words words = scene;
    words.insert(words.end(), more.begin(), more.end());
    return run_in(folder, words);
  };
  EXPECT_THAT(with({"auto", "--save", "auto.hdf5"}).out, testing::HasSubstr("softening 0.018,"));
  EXPECT_THAT(with({"auto", "--softening", "0.03"}).out, testing::HasSubstr("softening 0.03,")) << "the last counts";
  const Outcome again = run_in(folder, {"--headless", "--load", "auto.hdf5", "-s", "0", "--no-progress"});
  EXPECT_THAT(again.out, testing::HasSubstr("softening 0.018,"));
  const Outcome refused =
      run_in(folder, {"--headless", "--load", "auto.hdf5", "-s", "0", "--softening", "auto", "--no-progress"});
  EXPECT_EQ(refused.exit_code, 64);
  EXPECT_THAT(refused.err, testing::HasSubstr("the bodies come from a file"));
}

TEST(Headless, WarnsOfShortOrbitsWithoutSoftening) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in(folder, {"--headless", "--scene", "solar-system", "-n", "100", "-s", "2", "--dt",
                                          "0.1", "--no-progress", "--integrator", "leapfrog"});
  EXPECT_THAT(outcome.err,
              testing::HasSubstr("pericenter: This result is doubtful: the time step cannot follow an orbit"));
  EXPECT_THAT(outcome.err, testing::HasSubstr("at least 20 resolve it. Use --dt below 0.05."));
}

// Regression: Halley's comet was thrown out of the solar system without a word, because it has no mass.
TEST(Headless, NamesACometThatTheStepCannotFollow) {
  const TemporaryFolder folder;
  std::ofstream(folder / "halley.csv") << "#unit length=AU mass=Msun velocity=km/s\nm,x,y,z,vx,vy,vz\n"
                                          "1,0,0,0,0,0,0\n0,35.0795,0,0,0,0.91353,0\n";
  const auto run = [&](const char* dt) {
    return run_in(folder, {"--headless", "--load", "halley.csv", "-s", "200", "--dt", dt, "--no-progress",
                           "--integrator", "leapfrog"});
  };
  const Outcome bad = run("0.02");
  EXPECT_THAT(bad.err, testing::HasSubstr("body 1 comes within 0.589 AU of body 0, where a circular orbit takes 0.4"));
  EXPECT_THAT(bad.err, testing::HasSubstr("Use --dt below 0.0004"));
  EXPECT_THAT(bad.out, testing::HasSubstr("This result cannot be trusted: the orbit of body 1 about body 0 is wrong"));
  const Outcome good = run("0.0004");
  EXPECT_THAT(good.err + good.out, testing::Not(testing::HasSubstr("This result")));
}

TEST(Headless, RefusesAnIntegratorForTooManyBodiesAsAWrongOption) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in(folder, {"--headless", "--scene", "plummer", "-n", "200", "-s", "1", "--integrator",
                                          "gauss-radau", "--no-progress"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, testing::HasSubstr("takes at most 100 bodies with mass, and any number without; here are "
                                              "200. Use leapfrog.\n"));
}

TEST(Headless, PlaybackReportsOnlyWhatIsKnown) {
  const TemporaryFolder folder;
  for (const char* file : {"run_000.hdf5", "run_001.hdf5"}) {
    const char* steps = file[6] == '0' ? "2" : "4";
    ASSERT_EQ(run_in(folder, {"--headless", "--scene", "plummer", "-n", "50", "-s", steps, "--save", file}).exit_code,
              0);
  }
  const Outcome outcome =
      run_in(folder, {"--headless", "--play", "run_000.hdf5", "-s", "10", "--csv", "steps.csv", "--no-progress"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::Not(testing::HasSubstr("nan")));
  EXPECT_THAT(outcome.out, testing::HasSubstr("unknown: a playback has no forces"));
  const std::string table = text_of(folder / "steps.csv");
  EXPECT_THAT(table, testing::Not(testing::HasSubstr("nan")));
  EXPECT_THAT(table, testing::EndsWith(",,,,\n"));
}

TEST(Headless, ReportHasStagesRatesAndConservation) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in(folder, {"--headless", "-n", "500", "-s", "10"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* word : {"10 steps", "Myr", "steps/s", "bodies/s", "ms per step", "walk", "% of step", "total",
                           "energy error", "virial ratio", "momentum drift", "interactions"}) {
    EXPECT_THAT(outcome.out, testing::HasSubstr(word)) << word << " is not in:\n" << outcome.out;
  }
  EXPECT_THAT(outcome.err, testing::HasSubstr("10 of 10 steps"));
  EXPECT_THAT(outcome.err, testing::Not(testing::HasSubstr("\r"))) << "a terminal progress bar in a file";
}

TEST(Headless, SolverIsChosenByTheBodiesUnlessGiven) {
  const TemporaryFolder folder;
  const auto says = [&](Words arguments, const std::string& solver) {
    for (const char* word : {"--headless", "-s", "0", "--no-progress"}) arguments.emplace_back(word);
    const Outcome outcome = run_in(folder, arguments);
    EXPECT_THAT(outcome.out, testing::HasSubstr(": " + solver + ",")) << outcome.out << outcome.err;
  };
  says({"--backend", "cpu", "--scene", "uniform", "-n", "500"}, "octree");
  says({"--backend", "cpu", "--scene", "uniform", "-n", "30000", "--save", "many.hdf5"}, "fmm");
  says({"--backend", "cpu", "--scene", "uniform", "-n", "30000", "--solver", "auto"}, "fmm");
  says({"--backend", "cpu", "--scene", "uniform", "-n", "30000", "--solver", "octree"}, "octree");
  says({"--backend", "cpu", "--scene", "uniform", "-n", "30000", "--walk", "skip"}, "octree");
  says({"--backend", "cpu", "--scene-string", "pericenter/1 scene=uniform n=30000"}, "fmm");
  says({"--backend", "cpu", "--scene-string", "pericenter/1 scene=uniform n=30000 solver=octree"}, "octree");
  says({"--backend", "cpu", "--load", "many.hdf5"}, "fmm");
  says({"--backend", "cpu", "--load", "many.hdf5", "--solver", "auto", "--multipole", "monopole"}, "octree");
  says({"--backend", "cpu", "--load", "many.hdf5", "--solver", "direct-tiled"}, "direct-tiled");
}

// The energy of a parabola is almost zero, so an error relative to it is meaningless.
TEST(Headless, EnergyErrorOfAParabolaIsRelativeToKineticEnergy) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in(folder, {"--headless", "--scene", "toomre-direct", "-n", "2", "-s", "240",
                                          "--no-progress", "--csv", "run.csv", "--integrator", "leapfrog"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::HasSubstr("of K/10, which is more than |E|, at the start"));
  const Table table = read_csv(text_of(folder / "run.csv"));
  const double error = std::stod(table.back()[column(table, "energy_error")]);
  EXPECT_LT(std::abs(error), 2e-3);
  EXPECT_GT(std::abs(error), 1e-6);
  EXPECT_THAT(run_in(folder, {"--headless", "-n", "300", "-s", "1"}).out, testing::HasSubstr("of |E| at the start"));
}

TEST(Headless, NoProgressIsSilent) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_in(folder, {"--headless", "-n", "300", "-s", "3", "--no-progress"}).err, "");
}

TEST(Headless, EverySceneSolverPrecisionAndDimensionRuns) {
  const TemporaryFolder folder;
  for (const char* scene : {"collision", "galaxy", "plummer", "uniform", "two-body"}) {
    for (const char* solver : {"octree", "direct"}) {
      for (const char* dimension : {"2", "3"}) {
        const char* precision = solver[0] == 'o' ? "float" : "double";
        Words arguments = {"--headless", "--scene",     scene,     "--solver", solver, "--dimension",
                           dimension,    "--precision", precision, "-s",       "2",    "--no-progress"};
        if (scene != std::string("two-body")) arguments.insert(arguments.end(), {"-n", "200"});
        const Outcome outcome = run_in(folder, arguments);
        EXPECT_EQ(outcome.exit_code, 0) << scene << ' ' << solver << ' ' << dimension << "D: " << outcome.err;
        EXPECT_THAT(outcome.out, testing::Not(testing::HasSubstr("no longer finite")));
      }
    }
  }
}

TEST(Headless, EverySolverRunsWithEachValueOfItsOptions) {
  const TemporaryFolder folder;
  for (const SolverInfo& solver : solvers()) {
    Config config;
    config.solver = solver.name;
    for (const SupportedOption& row : solver.options) {
      const SolverOptionInfo& info = solver_option_info(row.which);
      for (std::size_t choice = 0; choice < info.values.size(); ++choice) {
        config.solver_options = {};
        config.solver_options.set(row.which, static_cast<int>(choice));
        if (!problem_with(config).empty()) continue;
        const Outcome outcome = run_in(
            folder, {"--headless", "--backend", "cpu", "--scene", "plummer", "-n", "100", "-s", "1", "--no-progress",
                     "--solver", config.solver, "--" + std::string(info.name), std::string(info.values[choice].name)});
        EXPECT_EQ(outcome.exit_code, 0) << config.solver << ' ' << info.name << ' ' << outcome.err;
      }
    }
  }
}

TEST(Snapshots, ResumeTheRunExactly) {
  const TemporaryFolder folder;
  const Words common = {"--headless", "--scene", "plummer", "-n", "200", "--solver", "direct", "--no-progress"};
  const auto run = [&](Words start, const Words& rest) {
    start.insert(start.end(), rest.begin(), rest.end());
    const Outcome outcome = run_in(folder, start);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  };
  run(common, {"--dt", "0.02", "-s", "7", "--csv", "whole.csv"});
  run(common, {"--dt", "0.02", "-s", "4", "--save", "half.hdf5"});
  run({"--headless", "--load", "half.hdf5", "--no-progress"},
      {"-s", "3", "--csv", "rest.csv", "--screenshot", "a.png", "--size", "32x32"});
  const Table whole = read_csv(text_of(folder / "whole.csv")), rest = read_csv(text_of(folder / "rest.csv"));
  ASSERT_EQ(rest.size(), 5u);
  for (const char* name : {"step", "time", "kinetic", "potential", "energy_error", "momentum", "angular_momentum"}) {
    EXPECT_EQ(rest.back()[column(rest, name)], whole.back()[column(whole, name)]) << name;
  }
  const Snapshot half = read_hdf5(folder / "half.hdf5", {});
  ASSERT_TRUE(half.run);
  EXPECT_EQ(half.run->scene_string.find("pericenter/1 scene="), 0u);
  EXPECT_THAT(half.run->scene_string, testing::HasSubstr(" dt=0.02 steps=4"));
  const std::string file = text_of(folder / "a.png");
  const std::string settings = png_texts({file.begin(), file.end()}).at("Settings");
  EXPECT_THAT(settings, testing::HasSubstr("file=half.hdf5 solver=direct steps=3'"));
  EXPECT_THAT(settings, testing::HasSubstr(" -s 3 --screenshot"));
  EXPECT_EQ(folder.names(), (Words{"a.png", "half.hdf5", "rest.csv", "whole.csv"}));
}

TEST(Load, NotesAboutTheFileAreOnStderr) {
  const TemporaryFolder folder;
  std::ofstream(folder / "table.csv") << "m,x,y,vx\n4,-20,0,1\n4,20,0,-1\n";
  std::string gadget = text_of(fixture_path("gadget1_little"));
  gadget[4 + 96] = 99;  // the total of type 0
  std::ofstream(folder / "gadget", std::ios::binary) << gadget;
  const auto notes = [&](const std::string& file) {
    const Outcome outcome = run_in(folder, {"--headless", "--load", file, "-s", "1", "--no-progress"});
    EXPECT_EQ(outcome.exit_code, 0);
    return outcome.err;
  };
  EXPECT_THAT(notes("table.csv"), testing::HasSubstr("G = 1 is assumed. 1 unit of length = 20 of the file"));
  EXPECT_THAT(notes("gadget"), testing::HasSubstr("particles in total, but this file, the only one, has 21"));
}

TEST(Snapshots, FullDiskLeavesTheOldFile) {
  const TemporaryFolder folder;
  write_text(folder / "a.hdf5", "old");
  const Outcome outcome = run_program(
      {{"--headless", "-n", "3000", "-s", "1", "--no-progress", "--save", "a.hdf5"}, folder.path(), 20'000});
  EXPECT_EQ(outcome.exit_code, 74) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("a.hdf5"));
  EXPECT_EQ(folder.names(), Words{"a.hdf5"});
  EXPECT_EQ(text_of(folder / "a.hdf5"), "old");
}

struct Frame {
  int width = 0, height = 0;
  int bright = 0;  ///< pixels brighter than the background
};

Frame read_picture(const std::filesystem::path& file) {
  Frame picture;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load(file.c_str(), &picture.width, &picture.height, &channels, 3), &stbi_image_free);
  if (!pixels) return picture;
  for (int k = 0; k < picture.width * picture.height; ++k) {
    const stbi_uc* rgb = pixels.get() + 3 * k;
    if (rgb[0] + rgb[1] + rgb[2] > 120) ++picture.bright;
  }
  return picture;
}

std::vector<stbi_uc> pixels_of(const std::filesystem::path& file) {
  int width = 0, height = 0, channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(stbi_load(file.c_str(), &width, &height, &channels, 3),
                                                         &stbi_image_free);
  EXPECT_TRUE(pixels) << file;
  if (!pixels) return {};
  return {pixels.get(), pixels.get() + 3 * width * height};
}

TEST(Headless, ScreenshotHasTheSizeAndTheGalaxies) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_in(folder, {"--headless", "-n", "3000", "-s", "1", "--screenshot", "a.png", "--size", "400x300"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Frame picture = read_picture(folder / "a.png");
  EXPECT_EQ(picture.width, 400);
  EXPECT_EQ(picture.height, 300);
  EXPECT_GT(picture.bright, 200);
  EXPECT_LT(picture.bright, 60'000);
}

TEST(Headless, ScreenshotCanBeLightAsNumbers) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_in(folder, {"--headless", "-n", "3000", "-s", "0", "--screenshot", "a.pfm", "--size", "40x30"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string header = "PF\n40 30\n-1.0\n", file = text_of(folder / "a.pfm");
  EXPECT_EQ(file.substr(0, header.size()), header);
  EXPECT_EQ(file.size(), header.size() + 40 * 30 * 3 * sizeof(float));
}

TEST(Headless, ScreenshotHasMetadata) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in(folder, {"--headless", "--scene", "plummer", "-n", "300", "-s", "4", "--seed", "7",
                                          "--screenshot", "a.png", "--size", "64x48", "--no-progress"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string file = text_of(folder / "a.png");
  const auto texts = png_texts({file.begin(), file.end()});
  EXPECT_EQ(texts.at("Software").rfind("Pericenter ", 0), 0u);
  for (const char* line : {"scene: plummer\n", "bodies: 300\n", "seed: 7\n", "steps: 4\n", " -s 4 --screenshot"}) {
    EXPECT_THAT(texts.at("Settings"), testing::HasSubstr(line)) << line << " is not in:\n" << texts.at("Settings");
  }
}

Words video_options(const std::string& name, const std::string& steps) {
  return {"--record", name, "--size", "160x90", "--fps", "30", "-n", "300", "--scene", "plummer", "-s", steps};
}

TEST(Video, HasAFrameBeforeTheFirstStepAndAfterEachSteps) {
  const TemporaryFolder folder;
  Words arguments = video_options("a.png", "11");
  arguments.insert(arguments.end(), {"--steps-per-frame", "2", "--screenshot", "last.png"});
  const Outcome outcome = run_in(folder, arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("6 of 6 frames"));
  EXPECT_THAT(outcome.out, testing::HasSubstr("a-frames (160 × 90, 6 frames, 0.2 s)"));
  EXPECT_THAT(outcome.out, testing::HasSubstr("energy error"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "a-frames"), {}), 6);
  EXPECT_EQ(read_picture(folder / "a-frames/000006.png").width, 160);

  // Frame 1 is the initial state; every later frame differs.
  const Outcome still = run_in(folder, {"--headless", "-n", "300", "--scene", "plummer", "-s", "0", "--size", "160x90",
                                        "--screenshot", "first.png", "--no-progress", "--annotations"});
  EXPECT_EQ(still.exit_code, 0) << still.err;
  EXPECT_EQ(pixels_of(folder / "first.png"), pixels_of(folder / "a-frames/000001.png"));
  for (int frame = 1; frame < 6; ++frame) {
    const std::string name = "a-frames/00000" + std::to_string(frame) + ".png";
    const std::string next = "a-frames/00000" + std::to_string(frame + 1) + ".png";
    EXPECT_NE(pixels_of(folder / name), pixels_of(folder / next)) << frame;
  }
}

TEST(Video, AdvancesByTheSameTimeFromFrameToFrame) {
  const TemporaryFolder folder;
  const auto frames = [&](const std::string& name, const Words& more) {
    Words arguments = {"--record", name + ".png", "--size",   "64x36",        "--fps",
                       "10",       "--scene",     "two-body", "--no-progress"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_in(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return std::distance(std::filesystem::directory_iterator(folder / (name + "-frames")), {});
  };
  EXPECT_EQ(frames("story", {}), 1 + 250) << "25 s";
  EXPECT_EQ(frames("coarse", {"--dt", "0.1"}), 1 + 250) << "whatever the steps";
  EXPECT_EQ(frames("fast", {"--pace", "1", "-s", "100"}), 1 + 10);
  EXPECT_EQ(frames("slow", {"--pace", "0.01", "-s", "3"}), 1 + 30) << "ten frames show one step";
}

// With a scene whose story begins in the direction of the camera at rest.
TEST(Video, KeepsTheStoryInTheFrameUnlessACameraIsChosen) {
  const TemporaryFolder folder;
  const Words run = {"--scene", "cartwheel", "-n", "300", "-s", "0", "--size", "160x90", "--no-progress"};
  const auto first_frame = [&](const std::string& name, const Words& more) {
    Words arguments = {"--record", name + ".png"};
    arguments.insert(arguments.end(), run.begin(), run.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_in(folder, arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return pixels_of(folder / (name + "-frames/000001.png"));
  };
  const auto path = first_frame("path", {"--camera-path", "scene"});
  const auto still = first_frame("still", {"--camera-path", "off"}), story = first_frame("story", {});
  EXPECT_NE(path, still);
  EXPECT_NE(story, still);
  EXPECT_NE(story, path) << "only its direction";
  EXPECT_EQ(first_frame("reduced", {"--reduced-motion"}), still) << "its story has no view of its own";
  EXPECT_EQ(first_frame("follow", {"--scene-string", "pericenter/1 follow=path camera=0,0,0,1,1,50"}), path);
  const auto camera = first_frame("camera", {"--scene-string", "pericenter/1 camera=0,0,0,1,1,50"});
  EXPECT_NE(camera, path);
  EXPECT_NE(camera, still);
}

TEST(Video, DriftCountsTheTimeOfTheVideo) {
  const TemporaryFolder folder;
  const auto frames = [&](const std::string& name, const Words& more) {
    Words arguments = video_options(name + ".png", "1");
    arguments.insert(arguments.end(), {"--dt", "1e-9", "--steps-per-frame", "1", "--no-progress"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run_in(folder, arguments).exit_code, 0);
    return std::pair(pixels_of(folder / (name + "-frames/000001.png")),
                     pixels_of(folder / (name + "-frames/000002.png")));
  };
  const auto [first, second] = frames("still", {"--fps", "1"});
  const auto [first_drifted, second_drifted] = frames("drift", {"--fps", "1", "--drift", "on"});
  EXPECT_EQ(first, first_drifted);
  EXPECT_NE(second, second_drifted);
  EXPECT_EQ(frames("reduced", {"--fps", "1", "--drift", "on", "--reduced-motion"}).second,
            frames("rests", {"--fps", "1", "--reduced-motion"}).second);
}

TEST(Video, HasTheSentencesOfTheScene) {
  const TemporaryFolder folder;
  const auto last_frame = [&](const std::string& name, const Words& more) {
    Words arguments = {"--record", name + ".png", "--steps-per-frame", "1", "-n", "300", "-s", "1",
                       "--size",   "320x180",     "--no-progress"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run_in(folder, arguments).exit_code, 0);
    return pixels_of(folder / (name + "-frames/000002.png"));
  };
  EXPECT_NE(last_frame("spoken", {}), last_frame("silent", {"--no-narrator"}));
  EXPECT_THAT(text_of(folder / "spoken.srt"), testing::HasSubstr("Two galaxies fall towards each other."));
  EXPECT_FALSE(std::filesystem::exists((folder / "silent.srt")));
}

TEST(Video, InterruptFinishesTheVideo) {
  const TemporaryFolder folder;
  Start start{video_options("a.mp4", "1000000"), folder.path()};
  start.signal_after = 1.5;
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  ASSERT_EQ(folder.names().size(), 1u) << folder.names().front();
  const bool has_ffmpeg = folder.names().front() == "a.mp4";
  EXPECT_THAT(outcome.out, testing::HasSubstr(has_ffmpeg ? "Video saved: a.mp4" : "Video saved: a-frames"));
  if (has_ffmpeg) {
    EXPECT_THAT(text_of(folder / "a.mp4"), testing::HasSubstr("moov")) << "the video was not finished";
  }
}

TEST(Video, FullDiskLeavesNothing) {
  const TemporaryFolder folder;
  Start start{video_options("a.png", "100"), folder.path(), 1000};
  start.arguments.insert(start.arguments.end(), {"--no-progress", "--no-annotations"});
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 74) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("000001.png"));
  EXPECT_TRUE(folder.names().empty()) << folder.names().front();
}

TEST(Headless, ScreenshotHasTheChosenColors) {
  const TemporaryFolder folder;
  std::vector<std::string> pictures;
  for (const Words& colors : {Words{}, Words{"--color-by", "origin"}, Words{"--color-by", "speed"},
                              Words{"--color-by", "speed", "--color-map", "magma"}}) {
    Words arguments = {"--headless", "-n", "1000", "-s", "1", "--size", "160x90", "--screenshot", "a.png"};
    arguments.insert(arguments.end(), colors.begin(), colors.end());
    EXPECT_EQ(run_in(folder, arguments).exit_code, 0);
    int width = 0, height = 0, channels = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load((folder / "a.png").c_str(), &width, &height, &channels, 3), stbi_image_free);
    ASSERT_TRUE(pixels);
    pictures.emplace_back(reinterpret_cast<const char*>(pixels.get()), 3 * width * height);
    for (std::size_t k = 0; k + 1 < pictures.size(); ++k) EXPECT_TRUE(pictures[k] != pictures.back()) << k;
  }
}

TEST(Headless, MissingOpenglIsReportedBeforeTheRun) {
  const TemporaryFolder folder;
  Start start{{"--headless", "-n", "300", "-s", "100000000", "--no-progress", "--screenshot", "a.png"}, folder.path()};
  start.environment = {{"MESA_GL_VERSION_OVERRIDE", "3.3"},
                       {"MESA_GLSL_VERSION_OVERRIDE", "330"},
                       {"__EGL_VENDOR_LIBRARY_FILENAMES", "/usr/share/glvnd/egl_vendor.d/50_mesa.json"}};
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 69) << outcome.err;
  for (const char* word : {"OpenGL 4.5", "3.3", "LIBGL_ALWAYS_SOFTWARE=1"}) {
    EXPECT_THAT(outcome.err, testing::HasSubstr(word));
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(Headless, FullDiskLeavesTheOldFile) {
  const TemporaryFolder folder;
  write_text(folder / "run.csv", "old");
  const Outcome outcome =
      run_program({{"--headless", "-n", "300", "-s", "30", "--no-progress", "--csv", "run.csv"}, folder.path(), 2000});
  EXPECT_EQ(outcome.exit_code, 74) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("run.csv"));
  EXPECT_EQ(folder.names(), Words{"run.csv"});
  EXPECT_EQ(text_of(folder / "run.csv"), "old");
}

TEST(Headless, InterruptFinishesStepAndFiles) {
  const TemporaryFolder folder;
  Start start{{"--headless", "-n", "300", "-s", "100000000", "--csv", "run.csv"}, folder.path()};
  start.signal_after = 1;
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("interrupted"));
  EXPECT_THAT(outcome.out, testing::HasSubstr("energy error"));
  const Table table = read_csv(text_of(folder / "run.csv"));
  ASSERT_GT(table.size(), 1u);
  EXPECT_EQ(table.back().size(), table.front().size());
  EXPECT_EQ(folder.names(), Words{"run.csv"});
}

TEST(NoDisplay, WritesANewImageEachTime) {
  const TemporaryFolder folder;
  for (const char* name : {"pericenter-collision-0001.png", "pericenter-collision-0002.png"}) {
    const Outcome outcome = run_in(folder, {"-n", "400", "--dt", "0.5"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.err, testing::HasSubstr("cannot open a window"));
    EXPECT_THAT(outcome.out, testing::HasSubstr((folder / name).string()));
    EXPECT_EQ(read_picture(folder / name).width, 1280);
  }
}

// The window would have chosen the backend and logged CUDA when it has started.
TEST(NoDisplay, ChoosesTheBackendAndLogsCuda) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program(
      {.arguments = {"-n", "400", "-s", "2", "--screenshot", "a.png", "--size", "320x200", "--log", "run.log"},
       .folder = folder.path(),
       .environment = {{"PERICENTER_FAULT", "slow_cuda"}}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string log = text_of(folder / "run.log");
  const CudaStatus cuda = cuda_status();
  EXPECT_THAT(log, testing::HasSubstr(cuda.available() ? "CUDA device 0: " : "CUDA cannot be used: " + cuda.missing));
  EXPECT_THAT(log, testing::HasSubstr(cuda.available() ? " on the " + cuda.devices.front().name : " on the CPU"));
}

TEST(NoDisplay, WritesTheScreenshot) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in(folder, {"-n", "400", "-s", "2", "--screenshot", "a.png", "--size", "320x200"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(folder.names(), Words{"a.png"});
  EXPECT_EQ(read_picture(folder / "a.png").width, 320);
}

}  // namespace
}  // namespace pericenter::test
