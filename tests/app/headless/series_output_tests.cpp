// The physics in --csv, and the numbered snapshots of --save-every.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sim/analysis/structure.h"
#include "sim/files/hdf5/reader.h"
#include "tests/support/program.h"

namespace pericenter::test {
namespace {

using Row = std::map<std::string, std::string>;

Outcome run_headless_in(const TemporaryFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--headless", "--no-progress"});
  return run_program({arguments, folder.path()});
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line + ",");
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<Row> rows_of(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    EXPECT_EQ(cells.size(), names.size()) << line;
    for (std::size_t k = 0; k < std::min(cells.size(), names.size()); ++k) {
      if (k == 0) rows.emplace_back();
      rows.back()[names[k]] = cells[k];
    }
  }
  return rows;
}

TEST(StepTableOutput, HasThePhysicsOfAnEncounter) {
  const TemporaryFolder folder;
  const Outcome outcome = run_headless_in(
      folder, {"-n", "500", "-s", "6", "--csv", "run.csv", "--energy-every", "3", "--save", "run.hdf5"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::vector<Row> rows = rows_of(text_of(folder / "run.csv"));
  ASSERT_EQ(rows.size(), 7u);
  const Snapshot end = read_hdf5(folder / "run.hdf5", {});
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k]["kinetic"].empty(), k % 3 != 0) << k;
    EXPECT_NEAR(std::stod(rows[k]["time_myr"]), std::stod(rows[k]["time"]) * end.run->units.time_myr, 1e-6) << k;
  }
  const auto number = [&](std::size_t row, const char* name) { return std::stod(rows[row].at(name)); };
  EXPECT_NEAR(number(0, "separation"), 25, 0.5) << "as the scene says";
  double kinetic = 0, total = 0;
  Vec3 momentum, spin, all;
  for (const Body& body : end.bodies) {
    momentum += body.velocity * body.mass;
    spin += cross(body.position, body.velocity) * body.mass;
    all += body.position * body.mass;
    total += body.mass;
    kinetic += dot(body.velocity, body.velocity) * body.mass / 2;
  }
  EXPECT_NEAR(number(6, "separation"), StructureMeter(end.bodies).separation(end.bodies), 1e-5);
  EXPECT_NEAR(number(6, "kinetic"), kinetic, 1e-5 * kinetic);
  EXPECT_NEAR(number(6, "energy"), number(6, "kinetic") + number(6, "potential"), 1e-6);
  EXPECT_NEAR(number(6, "momentum"), length(momentum), 1e-6);
  EXPECT_NEAR(number(6, "angular_momentum"), length(spin), 1e-4 * length(spin));
  EXPECT_NEAR(number(6, "com_x"), all[0] / total, 1e-6);
  EXPECT_NEAR(number(6, "com_z"), all[2] / total, 1e-6);
  EXPECT_GT(number(6, "virial_ratio"), -2 * number(6, "kinetic") / number(6, "potential")) << "of softened forces";
}

TEST(StepTableOutput, LeavesUnknownValuesEmpty) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_headless_in(folder, {"--scene", "plummer", "-n", "100", "-s", "1", "--csv", "run.csv"}).exit_code, 0);
  for (Row& row : rows_of(text_of(folder / "run.csv"))) {
    EXPECT_EQ(row["separation"], "") << "one galaxy";
    EXPECT_EQ(row["time_myr"], "") << "no physical units";
  }
}

TEST(SeriesOutput, IsPlayedAndContinuesAfterLoad) {
  const TemporaryFolder folder;
  const std::vector<std::string> save = {"--save", "run.hdf5", "--save-every", "5"};
  std::vector<std::string> first = {"-n", "200", "-s", "10"}, second = {"--load", "run.hdf5", "-s", "5"};
  first.insert(first.end(), save.begin(), save.end());
  second.insert(second.end(), save.begin(), save.end());
  ASSERT_EQ(run_headless_in(folder, first).exit_code, 0);
  EXPECT_EQ(folder.names(),
            (std::vector<std::string>{"run.hdf5", "run_000000.hdf5", "run_000005.hdf5", "run_000010.hdf5"}));
  EXPECT_EQ(text_of(folder / "run_000010.hdf5").size(), text_of(folder / "run.hdf5").size());
  ASSERT_EQ(run_headless_in(folder, second).exit_code, 0);
  const Snapshot last = read_hdf5(folder / "run_000015.hdf5", {});
  EXPECT_EQ(last.run->steps, 15u);
  const Outcome played = run_headless_in(folder, {"--play", "run_000000.hdf5", "-s", "45", "--csv", "played.csv"});
  ASSERT_EQ(played.exit_code, 0) << played.err;
  std::vector<Row> rows = rows_of(text_of(folder / "played.csv"));
  EXPECT_NEAR(std::stod(rows.back()["time"]), last.time, 1e-6) << "the end of the series";
}

// Regression: the message said that the playback skips the snapshot, and the run ended with exit code 65.
TEST(SeriesOutput, IsPlayedWithoutASnapshotThatCannotBeRead) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_headless_in(folder, {"-n", "60", "-s", "6", "--save", "run.hdf5", "--save-every", "2"}).exit_code, 0);
  std::string damaged = text_of(folder / "run_000004.hdf5");
  damaged.replace(damaged.size() / 2, 800, 800, '\xff');
  write_text(folder / "run_000004.hdf5", damaged);
  const Outcome played = run_headless_in(folder, {"--play", "run_000000.hdf5", "-s", "45", "--csv", "played.csv"});
  EXPECT_EQ(played.exit_code, 0);
  EXPECT_THAT(played.err, testing::ContainsRegex("run_000004.hdf5: .* The playback skips this snapshot."));
  EXPECT_THAT(played.out, testing::HasSubstr("Skipped because it cannot be read: run_000004.hdf5."));
  EXPECT_NEAR(std::stod(rows_of(text_of(folder / "played.csv")).back()["time"]),
              read_hdf5(folder / "run.hdf5", {}).time, 1e-6);
}

TEST(SeriesOutput, AnErrorIsReportedOnceAndTheRestIsWritten) {
  const TemporaryFolder folder;
  ASSERT_EQ(std::filesystem::create_directory(folder / "run_000002.hdf5"), true);
  const Outcome outcome =
      run_headless_in(folder, {"-n", "100", "-s", "6", "--save", "run.hdf5", "--save-every", "2", "--csv", "run.csv"});
  EXPECT_EQ(outcome.exit_code, 73) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("run_000002.hdf5"));
  EXPECT_TRUE(std::filesystem::exists(folder / "run.hdf5"));
  EXPECT_TRUE(std::filesystem::exists(folder / "run.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder / "run_000004.hdf5"));
}

}  // namespace
}  // namespace pericenter::test
