#include "app/bench/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/settings/command_line_error.h"
#include "sim/scenes/solar_system.h"
#include "tests/support/program.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using AgreementCells = std::map<std::string, std::string>;

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

std::vector<AgreementCells> cells_of(const std::string& csv) {
  std::istringstream stream(csv);
  std::string line;
  std::getline(stream, line);
  const std::vector<std::string> names = fields_of(line);
  std::vector<AgreementCells> rows;
  while (std::getline(stream, line)) {
    const std::vector<std::string> fields = fields_of(line);
    AgreementCells& row = rows.emplace_back();
    for (std::size_t k = 0; k < fields.size(); ++k) row[names.at(k)] = fields[k];
  }
  return rows;
}

Outcome agreement(const TemporaryFolder& folder, const Words& more) {
  Words arguments = {"bench", "agreement", "--backend", "cpu", "--no-progress"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program({arguments, folder.path()});
}

std::vector<AgreementCells> agreement_csv(const Words& more) {
  const TemporaryFolder folder;
  Words arguments = more;
  arguments.insert(arguments.end(), {"--csv", "agreement.csv"});
  const Outcome outcome = agreement(folder, arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return cells_of(text_of(folder / "agreement.csv"));
}

TEST(Agreement, MeasuresThePositions) {
  const std::vector<Vec3> a = {{1, 0, 0}, {0, 2, 0}}, b = {{1, 3, 0}, {4, 2, 0}};
  const app::PositionDifference difference = app::position_difference(a, b);
  EXPECT_DOUBLE_EQ(difference.norm, 5);
  EXPECT_DOUBLE_EQ(difference.relative, 5 / std::sqrt(1 + 9 + 16 + 4));
  EXPECT_DOUBLE_EQ(difference.largest, 4);
  const std::vector<Vec3> lost = {{1, 3, 0}, {NAN, 2, 0}};
  EXPECT_TRUE(std::isnan(app::position_difference(lost, b).relative));
  EXPECT_TRUE(std::isnan(app::position_difference(lost, b).largest));
}

TEST(Agreement, TimeStepsHaveUnits) {
  const Units units = solar_units();
  EXPECT_NEAR(app::time_step_of("1h", units), 0.01720209895 / 24, 1e-12);
  EXPECT_NEAR(app::time_step_of("2 day", units), 2 * 0.01720209895, 1e-10);
  EXPECT_EQ(app::time_step_of("0.5", {}), 0.5);
  EXPECT_THROW(app::time_step_of("1h", {}), app::CommandLineError);
  EXPECT_THROW(app::time_step_of("1 parsec", units), app::CommandLineError);
}

// Cassell et al. 2024: below 1e-6 between any two of three programs.
TEST(Agreement, SolversAgreeAfterADayOfSmallBodies) {
  const std::vector<AgreementCells> rows =
      agreement_csv({"-n", "1000", "--solver", "octree,fmm,concurrent-octree,hilbert-bvh,hybrid-shared,direct"});
  ASSERT_EQ(rows.size(), 6u);
  for (const AgreementCells& row : rows) {
    const std::string& solver = row.at("solver");
    EXPECT_LT(std::stod(row.at("l2_relative")), 1e-6) << solver;
    EXPECT_GT(std::stod(row.at("l2_relative")), 1e-14) << solver;
    EXPECT_GT(std::stod(row.at("l2_AU")), std::stod(row.at("max_AU"))) << solver;
    EXPECT_LT(std::abs(std::stod(row.at("energy_error"))), 1e-3) << solver;
    EXPECT_GT(std::stod(row.at("step_ms")), 0) << solver;
    EXPECT_EQ(row.at("to " + solver), "0");
    EXPECT_NE(row.at("farthest"), solver);
    EXPECT_EQ(row.at("precision"), "double");
    EXPECT_EQ(row.at("massive"), "1000");
    EXPECT_NEAR(std::stod(row.at("dt")), 7.16754e-4, 1e-8);
  }
  EXPECT_NEAR(std::stod(rows[0].at("to direct")) / std::stod(rows[5].at("to octree")), 1, 1e-6);
}

TEST(Agreement, LargerAnglesDifferMore) {
  const auto difference = [](const char* theta) {
    return std::stod(agreement_csv({"-n", "1000", "--solver", "octree,direct", "--theta", theta})[0].at("l2_relative"));
  };
  EXPECT_LT(10 * difference("0.3"), difference("1.5"));
}

TEST(Agreement, TestParticlesLeaveOnlyThePlanets) {
  const std::vector<AgreementCells> rows =
      agreement_csv({"-n", "1000", "--solver", "octree", "--test-particles", "--walk", "group,skip", "--steps", "2"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("massive"), "9");
  EXPECT_EQ(rows[0].at("solver"), "octree walk=group");
  EXPECT_EQ(rows[1].at("solver"), "octree walk=skip");
}

TEST(Agreement, LeavesOutSlowSolvers) {
  const TemporaryFolder folder;
  const Outcome outcome =
      agreement(folder, {"-n", "20000", "--solver", "direct,octree", "--steps", "1", "--limit", "1e-6"});
  EXPECT_EQ(outcome.exit_code, 69);
  for (const char* text : {"skipped: direct: ", "skipped: octree: ", "more than the 0 s of --limit"}) {
    EXPECT_THAT(outcome.err, HasSubstr(text));
  }
  EXPECT_EQ(outcome.out, "");
}

TEST(Agreement, ReadsTablesOfJpl) {
  const TemporaryFolder folder;
  write_text(folder / "sbdb.csv",
             "full_name,epoch,e,a,q,i,om,w,ma,H\n"
             "\"1 Ceres\",2461000.5,0.08,2.77,2.5484,10.6,80.2,73.3,231.5,3.34\n"
             "\"2 Pallas\",2461000.5,0.23,2.77,2.1329,34.9,172.9,310.9,211.5,4.12\n");
  const Outcome outcome = agreement(folder, {"--input", "sbdb.csv", "--solver", "octree,direct", "--csv", "a.csv"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("sbdb.csv, 11 bodies (11 with mass), 24 steps of 1h"));
  const std::vector<AgreementCells> rows = cells_of(text_of(folder / "a.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_LT(std::stod(rows[0].at("l2_AU")), 1e-6);
}

TEST(Agreement, RefusesWhatItCannotDo) {
  const TemporaryFolder folder;
  EXPECT_THAT(agreement(folder, {"--input", "none.csv"}).err, HasSubstr("'none.csv' cannot be read"));
  EXPECT_THAT(agreement(folder, {"--scene", "plummer"}).err, HasSubstr("no physical units"));
  EXPECT_THAT(agreement(folder, {"--skip-bad"}).err, HasSubstr("--skip-bad needs --input"));
  EXPECT_THAT(agreement(folder, {"--theta", "9"}).err, HasSubstr("theta"));
  EXPECT_THAT(agreement(folder, {"--steps", "0"}).err, HasSubstr("--steps"));
}

TEST(Agreement, StopsAfterAStepAndKeepsCompleteSolvers) {
  const TemporaryFolder folder;
  Start start{.arguments = {"bench", "agreement", "--backend", "cpu", "-n", "2000", "--steps", "200", "--solver",
                            "direct,hilbert-bvh", "--csv", "a.csv"},
              .folder = folder.path()};
  start.signal_when = [](const std::string& text) { return text.find("60 %") != text.npos; };
  const Outcome outcome = run_program(start);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
  const std::vector<AgreementCells> rows = cells_of(text_of(folder / "a.csv"));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].at("solver"), "direct");
  EXPECT_EQ(rows[0].at("l2_relative"), "") << "there is no other solver";
}

}  // namespace
}  // namespace pericenter::test
