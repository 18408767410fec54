#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "app/bench/compare.h"

// Ratios of times at equal error.

#include "tests/support/paths.h"

namespace pericenter::test {
namespace {

using app::MeasuredForces;

std::vector<MeasuredForces> read(const std::string& csv) {
  return app::read_measurements(Bytes{reinterpret_cast<const std::uint8_t*>(csv.data()), csv.size()});
}

MeasuredForces ours(double ms, double error, std::size_t bodies = 1000) {
  return {.code = "octree on cpu", .bodies = {"plummer", bodies, 3, 0.001}, .ms = ms, .error = error};
}

/// The last words of the lines that end in a number: how many speedup.
std::vector<double> ratios(const std::string& comparison) {
  std::vector<double> all;
  std::istringstream lines(comparison);
  for (std::string line; std::getline(lines, line);) {
    const std::string last = line.substr(line.find_last_of(' ') + 1);
    if (line.find("octree on cpu") == 0 && last.find_first_not_of("0123456789.") == last.npos)
      all.push_back(std::stod(last));
  }
  return all;
}

bool has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(BenchCompare, ReadsShortTablesAndBenchOutput) {
  const auto brief = read("# machine\npeer,n,theta,force_ms,mean_error\nFDPS,1000,0.5,20,1e-3\nFDPS,1000,,30,\n");
  ASSERT_EQ(brief.size(), 1u);  // without an error there is nothing to compare
  EXPECT_EQ(brief[0].code, "FDPS");
  EXPECT_EQ(brief[0].bodies.count, 1000u);
  EXPECT_EQ(brief[0].bodies.input, "");
  EXPECT_FALSE(brief[0].bodies.softening);
  EXPECT_EQ(brief[0].ms, 20);
  EXPECT_EQ(brief[0].error, 1e-3);
  const auto own = read(
      "solver,backend,threads,n,theta,input,softening,step_ms,force_ms,error_mean,error_max\n"
      "octree,cpu,2,5000,0.7,/data/a.bin,0.01,9,8,2e-4,3e-3\noctree,cuda,,5000,0.7,plummer,0.01,2,1,2e-4,3e-3\n");
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].code, "octree on cpu, 2 threads");
  EXPECT_EQ(own[0].bodies.input, "a.bin");
  EXPECT_EQ(own[0].bodies.softening, 0.01);
  EXPECT_EQ(own[0].ms, 8);
  EXPECT_EQ(own[0].error, 2e-4);
  EXPECT_EQ(own[1].code, "octree on cuda");
}

TEST(BenchCompare, ErrorNamesTheLineOrTheColumn) {
  const auto what = [](const std::string& csv) -> std::string {
    try {
      read(csv);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_TRUE(has(what("peer,n,theta,mean_error\nA,1,0.5,1e-3\n"), "force_ms"));
  EXPECT_TRUE(has(what("peer,n,force_ms,mean_error\nA,1,fast,1e-3\n"), "Line 2"));
  EXPECT_TRUE(has(what("peer,n,force_ms,mean_error\nA,0,1,1e-3\n"), "number of bodies"));
  EXPECT_TRUE(has(what("peer,n,force_ms,mean_error\nA,1000,1\n"), "3 fields"));
}

TEST(BenchCompare, InterpolatesInLogSpace) {
  // The peer's time is 0.01 / error^(1/2) there: 0.316 at 1e-3. Ours is 0.01 at 1e-3, and 0.02 at 1e-4.
  const auto peers = read("peer,n,force_ms,mean_error\nA,1000,1,1e-4\nA,1000,0.1,1e-2\n");
  const std::string text = app::comparison({ours(0.01, 1e-3), ours(0.02, 1e-4)}, peers);
  const std::vector<double> found = ratios(text);
  ASSERT_EQ(found.size(), 2u) << text;
  EXPECT_NEAR(found[0], 1 / 0.02, 0.3);
  EXPECT_NEAR(found[1], std::sqrt(0.1) / 0.01, 0.3);
  EXPECT_FALSE(has(text, "Not compared")) << text;
  // Now at errors that only the peer has.
  const std::string wide =
      app::comparison({ours(1, 1e-2), ours(100, 1e-4)}, read("name,n,ms,mean_error\nA,1000,5,1e-3\n"));
  ASSERT_EQ(ratios(wide).size(), 1u) << wide;
  EXPECT_NEAR(ratios(wide)[0], 0.5, 0.01);
  EXPECT_FALSE(has(wide, "Not compared")) << wide;
}

// Regression: codes with the same mean error can have very different largest errors, which were not shown.
TEST(BenchCompare, ShowsLargerErrorsBesideTheMean) {
  const auto peers = read("peer,n,force_ms,mean_error,error_99_percent\nA,1000,1,1e-4,4e-4\nA,1000,0.1,1e-2,4e-2\n");
  std::vector<MeasuredForces> rows = {ours(0.01, 1e-3)};
  rows[0].error_99 = 7e-3;
  rows[0].error_max = 5e-2;
  const std::string text = app::comparison(rows, peers);
  for (const char* words : {"99 %", " 7.0e-03 ", " max ", " 5.0e-02 ", "peer 99 %", " 4.0e-03 "})
    EXPECT_TRUE(has(text, words)) << words << '\n' << text;
  EXPECT_FALSE(has(text, "peer max")) << "the table has none\n" << text;
}

TEST(BenchCompare, DoesNotExtrapolate) {
  const auto peers = read("peer,n,force_ms,mean_error\nA,1000,1,1e-4\nA,1000,0.1,1e-2\nB,1000,3,1e-5\n");
  const std::string text = app::comparison({ours(1, 9e-5), ours(0.1, 1.1e-2)}, peers);
  // Between ours lie both of A's rows.
  EXPECT_EQ(ratios(text).size(), 2u) << text;
  EXPECT_TRUE(has(text, "at 9.0e-05, 1.1e-02: A has 1.0e-04 to 1.0e-02")) << text;
  EXPECT_TRUE(has(text, "at 9.0e-05, 1.1e-02: B has only 1.0e-05")) << text;
  const std::string none = app::comparison({ours(1, 1e-6)}, peers);
  EXPECT_TRUE(ratios(none).empty()) << none;
  EXPECT_TRUE(has(none, "at 1.0e-06: A has")) << none;
}

TEST(BenchCompare, IgnoresDominatedRows) {
  // At 1e-3 the peer has 5 ms; the slow row at 5e-4 would make it more, and the one at 2e-2 is no use to anybody.
  const auto peers = read(
      "peer,n,force_ms,mean_error\nA,1000,50,5e-4\nA,1000,10,2.5e-4\nA,1000,2.5,4e-3\nA,1000,9,2e-2\nA,1000,99,4e-3\n");
  const std::string text = app::comparison({ours(1, 1e-3), ours(0.5, 1e-2)}, peers);
  ASSERT_EQ(ratios(text).size(), 2u) << text;
  EXPECT_NEAR(ratios(text)[0], 5, 0.01);
  EXPECT_TRUE(has(text, "at 1.0e-02: A has 2.5e-04 to 4.0e-03")) << text;
}

TEST(BenchCompare, ComparesOnlyEqualBodies) {
  const std::string head = "peer,input,n,dimension,softening,force_ms,mean_error\n";
  const auto compared = [&](const std::string& row, const std::string& input) {
    MeasuredForces our = ours(1, 1e-3);
    our.bodies.input = input;
    return ratios(app::comparison({our}, read(head + row))).size();
  };
  EXPECT_EQ(compared("A,plummer,1000,3,0.001,1,1e-3\n", "plummer"), 1u);
  EXPECT_EQ(compared("A,plummer,1000,,,1,1e-3\n", "plummer_1e3.bin"), 1u);
  EXPECT_EQ(compared("A,,1000,,,1,1e-3\n", "mine.hdf5"), 1u);
  EXPECT_EQ(compared("A,galaxy,1000,3,0.001,1,1e-3\n", "plummer"), 0u);
  EXPECT_EQ(compared("A,plummer,1001,3,0.001,1,1e-3\n", "plummer"), 0u);
  EXPECT_EQ(compared("A,plummer,1000,2,0.001,1,1e-3\n", "plummer"), 0u);
  EXPECT_EQ(compared("A,plummer,1000,3,0.002,1,1e-3\n", "plummer"), 0u);
  const std::string text = app::comparison({ours(1, 1e-3)}, read(head + "A,galaxy,99,3,0.001,1,1e-3\n"));
  EXPECT_TRUE(has(text, "octree on cpu with 1000 bodies: the table has 99 bodies of galaxy")) << text;
}

TEST(BenchCompare, ReadsTheTablesOfThePeers) {
  const std::filesystem::path folder = test::kBenchmarksFolder;
  EXPECT_EQ(app::read_measurements((folder / "peers-h200.csv").string()).size(), 18u);
  EXPECT_EQ(app::read_measurements((folder / "peers-cpu.csv").string()).size(), 26u);
}

}  // namespace
}  // namespace pericenter::test
