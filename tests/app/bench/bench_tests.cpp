#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "app/bench/input.h"
#include "app/bench/table.h"
#include "app/settings/command_line_error.h"
#include "sim/core/device.h"
#include "sim/scenes/solar_system.h"
#include "tests/support/bad_input.h"
#include "tests/support/program.h"

// `pericenter bench` from outside.

namespace pericenter::test {
namespace {

using Row = std::map<std::string, std::string>;

/// On the CPU, so that the tests see the same rows everywhere, and quick.
Outcome bench(const TemporaryFolder& folder, const Words& more) {
  Words arguments = {"bench", "--backend", "cpu", "--repeats", "1", "--no-progress"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program({arguments, folder.path()});
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<Row> read_csv(const std::string& text) {
  const std::vector<std::string> lines = split(text, '\n');
  const std::vector<std::string> names = split(lines.at(0), ',');
  std::vector<Row> rows;
  for (std::size_t k = 1; k < lines.size(); ++k) {
    const std::vector<std::string> cells = split(lines[k], ',');
    EXPECT_EQ(cells.size(), names.size()) << lines[k];
    Row& row = rows.emplace_back();
    for (std::size_t c = 0; c < std::min(cells.size(), names.size()); ++c) row[names[c]] = cells[c];
  }
  return rows;
}

double number(const Row& row, const std::string& column) {
  const auto found = row.find(column);
  if (found == row.end()) return ADD_FAILURE() << "no column " << column, std::nan("");
  return std::stod(found->second);
}

std::vector<Row> csv_of(const Words& arguments) {
  const TemporaryFolder folder;
  Words with_csv = arguments;
  with_csv.insert(with_csv.end(), {"--csv", "bench.csv"});
  const Outcome outcome = bench(folder, with_csv);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(folder.names(), Words{"bench.csv"});
  return read_csv(text_of(folder / "bench.csv"));
}

TEST(Bench, PrintsOneRowPerCombination) {
  const TemporaryFolder folder;
  const Outcome outcome = bench(folder, {"--solver", "octree,direct", "-n", "500,1000", "--theta", "0.5,1"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const std::vector<std::string> lines = split(outcome.out, '\n');
  ASSERT_EQ(lines.size(), 3u + 6u) << outcome.out;
  for (const char* word : {"plummer", "3D", "float", "softening 0.001", "quadrupoles", "CPU with"}) {
    EXPECT_THAT(lines[0], testing::HasSubstr(word)) << word << " is not in: " << lines[0];
  }
  for (const char* word : {"solver", "backend", "theta", "kick", "build", "walk", "direct", "step", "force", "bodies",
                           "inter.", "pairs", "cells", "mean", "median", "99 %", "max"}) {
    EXPECT_THAT(lines[1], testing::HasSubstr(word)) << word << " is not in: " << lines[1];
  }
  for (std::size_t k = 2; k < lines.size(); ++k) EXPECT_LE(lines[k].size(), 160u) << lines[k];
  for (std::size_t k = 3; k < lines.size(); ++k) EXPECT_EQ(lines[k].size(), lines[3].size()) << lines[k];
  for (const std::size_t k : {3, 4, 6, 7}) EXPECT_EQ(lines[k].rfind("octree", 0), 0u) << lines[k];
  for (const std::size_t k : {5, 8}) EXPECT_EQ(lines[k].rfind("direct", 0), 0u) << lines[k];
}

TEST(Bench, CsvIsConsistent) {
  const std::vector<Row> rows =
      csv_of({"--solver", "octree,direct", "-n", "2000", "--theta", "0.5", "--threads", "1", "--samples", "100",
              "--multipole", "monopole", "--repeats", "4", "--seed", "7"});
  ASSERT_EQ(rows.size(), 2u);
  Row octree = rows[0], direct = rows[1];
  const Row settings = {{"solver", "octree"}, {"backend", "cpu"},     {"device", "CPU"},         {"threads", "1"},
                        {"n", "2000"},        {"theta", "0.5"},       {"precision", "float"},    {"dimension", "3"},
                        {"input", "plummer"}, {"softening", "0.001"}, {"multipole", "monopole"}, {"seed", "7"},
                        {"repeats", "4"},     {"samples", "100"},     {"direct_sum_ms", "0"},    {"walk", "group"},
                        {"order", "tree"},    {"shared_tree", ""},    {"lane_efficiency", ""}};
  for (const auto& [column, value] : settings) EXPECT_EQ(octree[column], value) << column;
  EXPECT_EQ(direct["solver"], "direct");
  EXPECT_EQ(direct["theta"], "");
  EXPECT_EQ(direct["walk"], "");
  EXPECT_GT(number(octree, "node_visits"), 0);
  EXPECT_EQ(direct["walk_ms"], "0");
  EXPECT_EQ(number(direct, "pairs_per_body"), 2000);
  EXPECT_EQ(number(direct, "cells_per_body"), 0);
  for (const char* stage : {"kick_and_drift_ms", "bounds_ms", "keys_ms", "sort_ms", "build_tree_ms", "moments_ms"}) {
    EXPECT_GT(number(octree, stage), 0) << stage;
  }
  for (const Row& row : rows) {
    EXPECT_GE(number(row, "step_ms"), number(row, "force_ms"));
    EXPECT_NEAR(number(row, "bodies_per_s") * number(row, "step_ms"), 2000 * 1e3, 1);
    const double work_ms = number(row, "walk_ms") + number(row, "direct_sum_ms");
    const double work = 2000 * (number(row, "pairs_per_body") + number(row, "cells_per_body"));
    EXPECT_NEAR(number(row, "interactions_per_s") * work_ms / 1e3 / work, 1, 1e-6);
    EXPECT_GT(number(row, "error_median"), 0);
    EXPECT_LE(number(row, "error_median"), number(row, "error_99_percent"));
    EXPECT_LE(number(row, "error_99_percent"), number(row, "error_max"));
  }
}

TEST(Bench, ErrorsShrinkWithThetaToRounding) {
  for (const char* input : {"plummer", "uniform", "collision"}) {
    const std::vector<Row> rows =
        csv_of({"--solver", "octree,direct", "-n", "3000", "--input", input, "--theta", "0.3,0.6,1"});
    ASSERT_EQ(rows.size(), 4u);
    for (int k = 0; k < 2; ++k) {
      for (const char* error : {"error_mean", "error_median", "error_99_percent"}) {
        EXPECT_LT(number(rows[k], error), number(rows[k + 1], error)) << input;
      }
      EXPECT_GT(number(rows[k], "pairs_per_body"), number(rows[k + 1], "pairs_per_body")) << input;
    }
    EXPECT_LT(number(rows[2], "error_mean"), 0.02) << input;
    EXPECT_LT(number(rows[3], "error_99_percent"), 1e-5) << input;
  }
}

TEST(Bench, BodiesAtRestOfADiscAndALattice) {
  for (const char* input : {"disc", "lattice"}) {
    const std::vector<Row> rows = csv_of({"--solver", "octree", "-n", "1000", "--input", input, "--theta", "0.5"});
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].at("input"), input);
    EXPECT_LT(number(rows[0], "error_mean"), 0.01) << input;
    EXPECT_NEAR(number(rows[0], "mean_step_ms"), number(rows[0], "step_ms"), 1e-6) << "one repeat";
  }
}

TEST(Bench, TimeLimitEndsRepeatsAndLeavesOutSlowRows) {
  const TemporaryFolder folder;
  const Outcome outcome = bench(folder, {"--solver", "direct,octree", "-n", "500,100000", "--theta", "1", "--repeats",
                                         "1000000", "--samples", "1", "--max-seconds", "0.4", "--csv", "a.csv"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("skipped: direct on cpu with 100000 bodies: a step would take about"));
  const std::vector<Row> rows = read_csv(text_of(folder / "a.csv"));
  ASSERT_GE(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("solver"), "direct");
  EXPECT_EQ(rows[1].at("solver"), "octree");
  for (const Row& row : rows) {
    // Other programs may delay the last step.
    EXPECT_LT(number(row, "repeats") * number(row, "mean_step_ms"), 500 + 10 * number(row, "step_ms"))
        << row.at("solver");
    EXPECT_LT(number(row, "repeats"), 1'000'000);
  }
}

TEST(Bench, DoublePrecisionAnd2D) {
  const std::vector<Row> rows =
      csv_of({"-n", "1000", "--solver", "direct", "--precision", "double", "--dimension", "2"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_LT(number(rows[0], "error_max"), 1e-11);
}

TEST(Bench, OptionValuesAndThreadsHaveColumns) {
  const TemporaryFolder folder;
  const Outcome outcome = bench(folder, {"--solver", "tree-sorted,direct", "-n", "300", "--theta", "1", "--walk",
                                         "skip,stack", "--order", "shuffled", "--threads", "1,2", "--csv", "a.csv"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const char* word : {"walk", "order", "threads", "visits", "stack", "shuffled"}) {
    EXPECT_THAT(outcome.out, testing::HasSubstr(word)) << word << " is not in: " << outcome.out;
  }
  const std::vector<Row> rows = read_csv(text_of(folder / "a.csv"));
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows[2].at("walk"), "stack");
  EXPECT_EQ(rows[2].at("order"), "shuffled");
  EXPECT_EQ(rows[2].at("threads"), "1");
  EXPECT_EQ(rows[5].at("walk"), "");
}

TEST(Bench, ComparesOwnLoopsWithStandardAlgorithms) {
  const std::vector<Row> rows = csv_of({"--solver", "direct,direct-pairs,concurrent-octree,hilbert-bvh", "-n", "300",
                                        "--theta", "0.5", "--parallel", "own,std", "--precision", "double"});
  ASSERT_EQ(rows.size(), 8u);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k].at("parallel"), k % 2 == 0 ? "own" : "std");
    EXPECT_NEAR(number(rows[k], "error_mean"), number(rows[k - k % 2], "error_mean"), 1e-14);
  }
}

TEST(Bench, SaysThatAnOptionHasNoEffect) {
  const TemporaryFolder folder;
  const Outcome outcome = bench(folder, {"--backend", "cpu", "--solver", "octree", "-n", "300", "--parallel", "std"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("--parallel has no effect: solver 'octree' has no option 'parallel'"));
}

// The box of the tree grows with the bodies that a long step ejects, so that a tree of limited depth has fewer cells.
TEST(Bench, ARunHasMeansAndTreesAtItsEnds) {
  const Words run = {"-n",           "2000",  "--solver",  "hybrid-shared",
                     "--dimension",  "2",     "--input",   "random-masses",
                     "--theta",      "0.5",   "--depth",   "7",
                     "--leaf",       "point", "--order",   "none",
                     "--dt",         "1",     "--repeats", "6",
                     "--integrator", "euler"};
  const std::vector<Row> rows = csv_of(run);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("repeats"), "6");
  EXPECT_EQ(rows[0].at("dt"), "1");
  EXPECT_EQ(number(rows[0], "noted_steps"), 0);
  EXPECT_GT(number(rows[0], "first_cells"), 2000);
  EXPECT_LT(number(rows[0], "last_cells"), 0.8 * number(rows[0], "first_cells"));
  EXPECT_GT(number(rows[0], "energy_error"), 10) << "the bodies are thrown apart";
  EXPECT_GT(number(rows[0], "largest_leaf"), 0.05) << "those that are not far away share a cell";
  const std::string cells = rows[0].at("cells_each_step");
  EXPECT_EQ(std::count(cells.begin(), cells.end(), ' '), 5) << cells;
  EXPECT_TRUE(cells.ends_with(rows[0].at("last_cells"))) << cells;
  EXPECT_EQ(csv_of({"-n", "300", "--solver", "octree", "--theta", "1"})[0].at("first_cells"), "");
}

TEST(Bench, ARunWithLongStepsIsDoubted) {
  const TemporaryFolder folder;
  const Words words = {"--solver",      "octree",  "-n",  "500",       "--input",
                       "random-masses", "--theta", "0.5", "--repeats", "8"};
  const auto messages = [&](const char* dt) {
    Words all = words;
    all.insert(all.end(), {"--dt", dt, "--softening", "0.01", "--csv", "a.csv"});
    return bench(folder, all).err;
  };
  EXPECT_THAT(messages("1"),
              testing::AllOf(testing::HasSubstr("octree on cpu with 500 bodies: the energy has changed by"),
                             testing::HasSubstr("Use --dt below")));
  EXPECT_EQ(messages("0.0001"), "");
  const Row row = read_csv(text_of(folder / "a.csv")).at(0);
  EXPECT_LT(number(row, "energy_error"), 1e-4);
  EXPECT_LT(number(row, "largest_leaf"), 0.05) << "leaves have at most 16 bodies";
}

TEST(Bench, TimeStepsHaveUnits) {
  const Units units = solar_units();
  EXPECT_NEAR(app::time_step_of("1h", units), 0.01720209895 / 24, 1e-12);
  EXPECT_NEAR(app::time_step_of("2 day", units), 2 * 0.01720209895, 1e-10);
  EXPECT_EQ(app::time_step_of("0.5", {}), 0.5);
  EXPECT_THROW(app::time_step_of("1h", {}), app::CommandLineError);
  EXPECT_THROW(app::time_step_of("1 parsec", units), app::CommandLineError);
}

std::vector<double> doubles_of(const std::string& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

// Ceres moves by 2 pi a / (a^1.5 years) = 1.04e-2 AU a day.
TEST(Bench, WritesThePositionsAtTheEndOfRuns) {
  const TemporaryFolder folder;
  write_text(folder / "sbdb.csv",
             "full_name,epoch,e,a,q,i,om,w,ma,H\n"
             "\"1 Ceres\",2461000.5,0.08,2.77,2.5484,10.6,80.2,73.3,231.5,3.34\n");
  const auto positions = [&](const char* dt) {
    const Outcome outcome =
        bench(folder, {"--input", "sbdb.csv", "--solver", "octree,direct", "--theta", "0.5", "--precision", "double",
                       "--softening", "0", "--dt", dt, "--positions", "end.bin", "--csv", "a.csv"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return doubles_of(text_of(folder / "end.bin"));
  };
  const std::vector<double> start = positions("1e-9 s"), end = positions("1 day");
  const std::vector<Row> rows = read_csv(text_of(folder / "a.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("length_unit"), "AU");
  EXPECT_LT(number(rows[1], "energy_error"), 1e-6);
  const std::size_t bodies = 10;
  ASSERT_EQ(start.size(), 2 * 3 * bodies);
  ASSERT_EQ(end.size(), start.size());
  const std::size_t ceres = 3 * (bodies - 1);
  EXPECT_NEAR(std::hypot(start[ceres], start[ceres + 1], start[ceres + 2]), 2.77, 0.23);
  for (const std::size_t at : {ceres, ceres + 3 * bodies}) {
    const double moved = std::hypot(end[at] - start[at], end[at + 1] - start[at + 1], end[at + 2] - start[at + 2]);
    EXPECT_NEAR(moved, 1.04e-2, 1e-3);
  }
}

TEST(Bench, TestParticlesDoNotAct) {
  const auto pairs = [](const Words& more) {
    Words words = {"--input", "small-bodies", "-n", "1000", "--solver", "direct", "--simd", "plain"};
    words.insert(words.end(), more.begin(), more.end());
    return number(csv_of(words).at(0), "pairs_per_body");
  };
  EXPECT_GT(pairs({}), 900);
  EXPECT_LT(pairs({"--test-particles"}), 10) << "of the Sun and the planets";
}

TEST(Bench, ReportsInvalidCombinations) {
  const TemporaryFolder folder;
  const Outcome outcome = bench(
      folder, {"--solver", "octree", "-n", "300", "--theta", "1", "--walk", "group,warp,skip", "--order", "none"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4) << outcome.out;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 2) << outcome.err;
  for (const char* word : {"octree on cpu with walk group, order none: ", "a group consists of", "walk warp"}) {
    EXPECT_THAT(outcome.err, testing::HasSubstr(word)) << word << " is not in: " << outcome.err;
  }
}

TEST(Bench, StagesHaveAPlace) {
  const std::vector<Row> rows =
      csv_of({"--solver", "hybrid", "--backend", "cpu", "-n", "500", "--theta", "1", "--order", "morton-10"});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("cpu_stages"), "kick_and_drift bounds keys sort build_tree moments walk");
  for (const char* column :
       {"gpu_stages", "pcie_stages", "upload_bytes", "upload_gb_per_s", "download_bytes", "download_gb_per_s"}) {
    EXPECT_EQ(rows[0].at(column), "") << column;
  }
}

TEST(Bench, MeasuresFewBodies) {
  const std::vector<Row> rows = csv_of({"--solver", "hybrid", "--backend", "cpu", "-n", "1,2,10", "--order",
                                        "none,morton-10,morton", "--theta", "1", "--dimension", "2"});
  ASSERT_EQ(rows.size(), 9u);
  for (const Row& row : rows) {
    EXPECT_GT(number(row, "step_ms"), 0);
    EXPECT_LT(number(row, "error_max"), 1) << row.at("n");
  }
}

TEST(Bench, MultipoleColumnAppearsWhenRowsDiffer) {
  const TemporaryFolder folder;
  const Outcome outcome = bench(folder, {"--solver", "octree,hybrid", "-n", "300", "--theta", "1", "--csv", "a.csv"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::HasSubstr("quad"));
  EXPECT_THAT(outcome.out, testing::HasSubstr("mono"));
  const std::vector<Row> rows = read_csv(text_of(folder / "a.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("multipole"), "quadrupole");
  EXPECT_EQ(rows[1].at("multipole"), "monopole");
}

TEST(Bench, HelpExplainsTheColumns) {
  const TemporaryFolder folder;
  const Outcome outcome = bench(folder, {"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* word :
       {"--solver", "--backend", "--theta", "--input", "--repeats", "--csv", "pericenter bench", "pairs", "inter.",
        "force", "relative error", "--max-seconds", "--walk", "--upper-levels", "conflict-free", "Solver options"}) {
    EXPECT_THAT(outcome.out, testing::HasSubstr(word)) << word;
  }
  EXPECT_THAT(run_program({{"--help"}, folder.path()}).out, testing::HasSubstr("pericenter bench"));
}

TEST(Bench, InterruptKeepsMeasuredRows) {
  const TemporaryFolder folder;
  Start start{{"bench", "--backend", "cpu", "--solver", "octree", "-n", "2000", "--theta", "2,0", "--repeats", "1000",
               "--csv", "bench.csv"},
              folder.path()};
  start.signal_when = [](const std::string& standard_error) {
    return standard_error.find("1 of 2 rows") != std::string::npos;
  };
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("interrupted"));
  EXPECT_THAT(outcome.out, testing::HasSubstr("octree"));
  const std::vector<Row> rows = read_csv(text_of(folder / "bench.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(number(rows[0], "repeats"), 1000);
  EXPECT_LT(number(rows[1], "repeats"), 1000);
}

TEST(Bench, ProgressGoesToStandardError) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_program({{"bench", "--backend", "cpu", "-n", "100", "--solver", "direct", "--repeats", "1"}, folder.path()});
  EXPECT_THAT(outcome.err, testing::HasSubstr("1 of 1 rows"));
}

class BadBench : public testing::TestWithParam<BadInput> {};

TEST_P(BadBench, PrintsOneErrorAndWritesNothing) {
  if (GetParam().exit_code == 69 && cuda_status().available()) GTEST_SKIP() << "there is CUDA here";
  expect_refusal({"bench"}, GetParam());
}

const std::vector<BadInput> kBadInputs = {
    {{"--solver", "octree,direkt"}, 64, {"direkt", "did you mean direct?"}},
    {{"--solver", "octree,"}, 64, {"--solver", "empty", "direct"}},
    {{"--solver", ""}, 64, {"--solver", "empty"}},
    {{"--backend", "gpu"}, 64, {"'gpu'", "cpu or cuda"}},
    {{"--input", "galaxy"},
     66,
     {"galaxy", "plummer, uniform, random-masses, collision, disc, lattice or small-bodies", "No such file"}},
    {{"--input", "plumer"}, 66, {"did you mean plummer?"}},
    {{"--input", "/", "--solver", "direct"}, 65, {"/: ", "folder"}},
    {{"--input", "/dev/null", "-n", "100"}, 64, {"--input FILE and -n cannot be combined"}},
    {{"--input", "/dev/null", "--seed", "2"}, 64, {"--input FILE and --seed cannot be combined"}},
    {{"--skip-bad"}, 64, {"--skip-bad needs --input FILE"}},
    {{"-n", "1000,0"}, 64, {"-n", "'0'", "at least 1"}},
    {{"-n", "1000,many"}, 64, {"'many'"}},
    {{"-n", "1000;2000"}, 64, {"'1000;2000'"}},
    {{"-n", "100,2000000000"}, 64, {"2000000000", "memory", "free"}},
    {{"--theta", "0.5,3"}, 64, {"theta is 3", "between 0"}},
    {{"--theta", "0.5,wide"}, 64, {"--theta", "'wide'"}},
    {{"--theta", "nan"}, 64, {"theta", "nan"}},
    {{"--opening", "error", "--accuracy", "1e-3,1"}, 64, {"accuracy is 1", "between 1e-06"}},
    {{"--accuracy", "1e-3"}, 64, {"--accuracy requires --opening error"}},
    {{"--softening", "-1"}, 64, {"softening is -1"}},
    {{"--repeats", "0"}, 64, {"--repeats", "'0'", "from 1"}},
    {{"--dt", "1"}, 64, {"--dt needs --repeats"}},
    {{"--dt", "0", "--repeats", "3"}, 64, {"--dt must be above 0"}},
    {{"--dt", "1 parsec", "--repeats", "3"}, 64, {"--dt expects a number", "'1 parsec' is neither"}},
    {{"--dt", "1h", "--repeats", "3"}, 64, {"no physical units"}},
    {{"--positions", "end.bin"}, 64, {"--positions needs --dt"}},
    {{"--positions", "a", "--csv", "a", "--dt", "1", "--repeats", "2"}, 64, {"--positions", "--csv"}},
    {{"agreement"}, 64, {"'agreement'", "--help"}},
    {{"--dt", "1e21", "--repeats", "3"}, 64, {"dt is 1e+21", "at most"}},
    {{"--max-seconds", "0"}, 64, {"--max-seconds must be above 0"}},
    {{"render", "--max-seconds", "1"}, 64, {"unknown option --max-seconds"}},
    {{"--samples", "0"}, 64, {"--samples", "'0'"}},
    {{"--precision", "half"}, 64, {"'half'", "float or double"}},
    {{"--walk", "skip,sideways"}, 64, {"--walk", "'sideways'", "skip"}},
    {{"--block", "96"}, 64, {"--block", "'96'", "64, 128, 256, 512, 1024 or auto"}},
    {{"--threads", "1,many"}, 64, {"--threads", "'many'"}},
    {{"--solvers", "octree"}, 64, {"--solvers", "did you mean --solver?"}},
    {{"octree"}, 64, {"'octree'", "--help"}},
    {{"--csv"}, 64, {"--csv needs a value"}},
    {{"--csv", "/no/such/folder/a.csv"}, 73, {"/no/such/folder/a.csv", "does not exist"}},
    {{"--backend", "cuda"}, 69, {"nothing to measure", "CUDA cannot be used: "}},
    {{"--size", "640x360"}, 64, {"unknown option --size"}},
    {{"render", "--theta", "0.5"}, 64, {"unknown option --theta"}},
    {{"--picture", "--theta", "0.5"}, 64, {"unknown option --theta"}},
    {{"solvers", "--size", "640x360"}, 64, {"unknown option --size"}},
    {{"scenes", "--theta", "0.5"}, 64, {"unknown option --theta"}},
    {{"scenes", "--backend", "cpu"}, 64, {"--backend needs --change"}},
    {{"--make", "plummer", "--theta", "0.5"}, 64, {"unknown option --theta"}},
    {{"scenes", "--scene", "plumer"}, 64, {"did you mean plummer?"}},
    {{"--make", "plumer"}, 64, {"did you mean plummer?"}},
};
INSTANTIATE_TEST_SUITE_P(CommandLine, BadBench, testing::ValuesIn(kBadInputs));

/// Bodies as stdpar-nbody writes them: number, dimension, step, G, then m x y z vx vy vz of each.
void write_stdpar(const std::filesystem::path& file, float gravity, const std::vector<float>& bodies) {
  std::ofstream out(file, std::ios::binary);
  const auto put = [&](auto value) { out.write(reinterpret_cast<const char*>(&value), sizeof(value)); };
  put(static_cast<std::uint32_t>(bodies.size() / 7));
  put(std::uint32_t{3});
  put(0.001f);
  put(gravity);
  for (const float number : bodies) put(number);
}

TEST(Bench, MeasuresTheBodiesOfAFile) {
  const TemporaryFolder folder;
  std::vector<float> bodies;
  for (int i = 0; i < 600; ++i) {
    const auto coordinate = [i](int k) { return static_cast<float>((i * k) % 601) / 30; };
    bodies.insert(bodies.end(), {1.0f / 600, coordinate(7), coordinate(31), coordinate(211), 0, 0, 0});
  }
  write_stdpar(folder / "cube_600.bin", 1, bodies);
  const Outcome first =
      bench(folder, {"--solver", "octree", "--input", "cube_600.bin", "--theta", "0.5,1", "--csv", "first.csv"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, testing::HasSubstr("cube_600.bin, 3D, float, softening 0.001"));
  const std::vector<Row> rows = read_csv(text_of(folder / "first.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("n"), "600");
  EXPECT_EQ(rows[0].at("input"), "cube_600.bin");
  EXPECT_LT(number(rows[1], "error_mean"), 0.02);

  bodies.resize(7 * 500);
  write_stdpar(folder / "part.bin", 1, bodies);
  const Outcome both = bench(folder, {"--solver", "octree,direct", "--input", "cube_600.bin,part.bin", "--theta", "1",
                                      "--backend", "cpu", "--csv", "both.csv"});
  ASSERT_EQ(both.exit_code, 0) << both.err;
  const std::vector<Row> of_both = read_csv(text_of(folder / "both.csv"));
  ASSERT_EQ(of_both.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(of_both[k].at("input"), k < 2 ? "cube_600.bin" : "part.bin");
    EXPECT_EQ(of_both[k].at("n"), k < 2 ? "600" : "500");
  }
  const Outcome same = bench(folder, {"--solver", "octree", "--input", "part.bin,./part.bin"});
  EXPECT_EQ(same.exit_code, 64);
  EXPECT_THAT(same.err, testing::HasSubstr("part.bin and ./part.bin have 500 bodies each"));
  EXPECT_THAT(bench(folder, {"--input", "part.bin,none.bin"}).err, testing::HasSubstr("'none.bin' cannot be read"));
}

TEST(Table, QuotesCsvAndHidesEmptyColumns) {
  app::Table table({"name", "value", "nothing"});
  table.add({"a,b", 0.00012345, ""});
  table.add({"c \"d\"", 1234567.0, ""});
  EXPECT_EQ(table.csv(), "name,value,nothing\n\"a,b\",0.00012345,\n\"c \"\"d\"\"\",1234567,\n");
  EXPECT_EQ(table.aligned(), " name    value\n  a,b  1.2e-04\nc \"d\"  1234567\n");
}

TEST(Bench, ErrorNamesAnUnreadableFile) {
  const TemporaryFolder folder;
  write_text(folder / "a.csv", "m,x,y,z\n1,2,3,four\n1,2,3,4\n");
  const Outcome outcome = bench(folder, {"--solver", "direct", "--input", "a.csv", "--csv", "b.csv"});
  EXPECT_EQ(outcome.exit_code, 65) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("pericenter: a.csv: Line 2", 0), 0u) << outcome.err;
  EXPECT_EQ(folder.names(), Words{"a.csv"});
  // What is left is one body, on which nothing acts.
  const Outcome skipped = bench(folder, {"--solver", "direct", "--input", "a.csv", "--skip-bad"});
  EXPECT_EQ(skipped.exit_code, 0) << skipped.err;
}

class RenderBench : public testing::TestWithParam<const char*> {};

TEST_P(RenderBench, TimesTheStages) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({{"bench", GetParam(), "-n", "2000,5000", "--size", "160x90", "--repeats", "3",
                                        "--no-progress", "--csv", "a.csv"},
                                       folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<Row> rows = read_csv(text_of(folder / "a.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(number(rows[1], "bodies"), 5000);
  for (const Row& row : rows) {
    for (const char* stage : {"stars ms", "bloom ms", "tone map ms"}) EXPECT_GT(number(row, stage), 0) << stage;
    EXPECT_THAT(row.at("footprint"), testing::HasSubstr("sprite"));
  }
}

INSTANTIATE_TEST_SUITE_P(Spelling, RenderBench, testing::Values("render", "--picture"));

TEST(SceneBench, TimesTheCreationOfBodies) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program(
      {{"bench", "scenes", "--scene", "plummer,two-body", "-n", "1000,5000", "--no-progress", "--csv", "a.csv"},
       folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<Row> rows = read_csv(text_of(folder / "a.csv"));
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[1].at("scene"), "plummer");
  EXPECT_EQ(number(rows[1], "bodies"), 5000);
  EXPECT_EQ(number(rows[2], "bodies"), 2);
  for (const Row& row : rows)
    EXPECT_NEAR(number(row, "seconds") * number(row, "M bodies/s") * 1e6, number(row, "bodies"),
                1e-3 * number(row, "bodies"));
}

TEST(SceneBench, TimesChangesOfScene) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program({{"bench", "scenes", "--change", "--backend", "cpu", "--scene", "plummer", "-n",
                                        "30000", "--no-progress", "--csv", "a.csv"},
                                       folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<Row> rows = read_csv(text_of(folder / "a.csv"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_GT(number(rows[0], "CPU shown s"), 0);
  EXPECT_GT(number(rows[0], "CPU stepped s"), number(rows[0], "CPU shown s"));
  EXPECT_FALSE(rows[0].contains("CUDA shown s"));
}

TEST(SceneBench, AcceptsTheOldSpelling) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run_program({{"bench", "--make", "plummer", "-n", "100", "--no-progress", "--csv", "a.csv"}, folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_csv(text_of(folder / "a.csv")).size(), 1u);
}

TEST(Bench, SkipsUnavailableCuda) {
  if (cuda_status().available()) GTEST_SKIP() << "there is CUDA here";
  const TemporaryFolder folder;
  const Outcome outcome = bench(folder, {"--backend", "cpu,cuda", "--solver", "direct", "-n", "100"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "pericenter: skipped: CUDA cannot be used: " + cuda_status().missing + ".\n");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 4) << outcome.out;
}

}  // namespace
}  // namespace pericenter::test
