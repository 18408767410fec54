// A run of an engine beside our own.
#include "app/cluster/run_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/cluster/engine_log.h"
#include "tests/support/engine_series.h"

namespace pericenter::test {
namespace {

using app::ClusterCode;
using testing::HasSubstr;

std::string snapshot_of(const app::RunRecord& record, int number) {
  return record.folder + "/output/snapshot_00" + std::to_string(number) + ".hdf5";
}

TEST(RunComparisons, AgreeWithARunOfHalfTheTimeStep) {
  const TemporaryFolder folder;
  const app::RunRecord record = write_engine_series(folder / "run", 1000, 4);
  app::RunComparison comparison(record);
  for (int k = 0; k < 4; ++k) comparison.add(snapshot_of(record, k));
  const auto& moments = comparison.moments();
  ASSERT_EQ(moments.size(), 4u);
  EXPECT_LE(moments[0].median_distance, 1e-5) << "kpc, at the start";
  for (const app::ComparedMoment& moment : moments) {
    EXPECT_NEAR(moment.engine.structure.separation, moment.ours.structure.separation, 0.01) << moment.time;
    EXPECT_NEAR(moment.engine.kinetic / moment.ours.kinetic, 1, 1e-3);
    EXPECT_LE(moment.median_distance, 0.01);
    EXPECT_LE(std::abs(comparison.energy_error(moment, &app::ComparedMoment::ours)), 1e-2);
  }
  EXPECT_GT(moments[3].time, moments[2].time);
  EXPECT_GT(moments[3].median_distance, moments[0].median_distance);
}

// A run with another start, whose snapshots have the same ids.
TEST(RunComparisons, ShowADifferentRun) {
  const TemporaryFolder folder;
  const app::RunRecord record = write_engine_series(folder / "run", 500, 2);
  Snapshot other = read_snapshot(snapshot_of(record, 1), {});
  for (Body& body : other.bodies) body.position += Vec3{galaxy_of(body.tag) == 0 ? 3.0 : 0.0, 0, 0};
  write_hdf5(snapshot_of(record, 1), other, {});
  app::RunComparison comparison(record);
  const app::ComparedMoment& moment = comparison.add(snapshot_of(record, 1));
  EXPECT_GT(std::abs(moment.engine.structure.separation - moment.ours.structure.separation), 0.5);
}

TEST(RunComparisons, RefuseOtherBodies) {
  const TemporaryFolder folder;
  const app::RunRecord record = write_engine_series(folder / "run", 100, 1);
  const app::RunRecord other = write_engine_series(folder / "other", 50, 1);
  app::RunComparison comparison(record);
  EXPECT_THROW(comparison.add(snapshot_of(other, 0)), InputError);
  EXPECT_THROW(comparison.add(record.folder + "/output/snapshot_999.hdf5"), InputError);
}

TEST(RunComparisons, TheCommandWritesTablesAndPlots) {
  const TemporaryFolder folder;
  write_engine_series(folder / "run", 300, 3);
  const Outcome outcome = run_program({{"submit", "--compare", "run", "--no-progress"}, folder.path()});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("A: GADGET-4, B: Pericenter"));
  EXPECT_THAT(outcome.out, HasSubstr("spline"));
  const std::string csv = text_of(folder / "run/comparison/comparison.csv");
  EXPECT_EQ(std::ranges::count(csv, '\n'), 4);
  EXPECT_THAT(csv, testing::StartsWith("time_myr,median_distance_kpc,"));
  for (const char* plot : {"separation", "radii", "energy", "distance"})
    EXPECT_THAT(text_of(folder / ("run/comparison/" + std::string(plot) + ".svg")), HasSubstr("</svg>"));
}

TEST(EngineLogs, HaveEnergiesAndSteps) {
  const std::string swift =
      "# Step Time\n  0  0.0  1 0 151 0 0 0 0 0 0 0 0  3.0e6 0 -5.9e6 0\n 32 0.5 1 0 151 0 0 0 0 0 0 0 0 3.1e6 0 "
      "-6.0e6 0\n 64 0.9";
  const auto energies = app::engine_energies(ClusterCode::swift, swift);
  ASSERT_EQ(energies.size(), 2u) << "the last line is cut";
  EXPECT_EQ(energies[1].time, 0.5);
  EXPECT_EQ(energies[1].value, -2.9e6);
  const std::string log =
      "[0000] main: 2 nodes\n#   Step  Time\n      26   2.146e-02    1.0    0.0   4.877e-04   45   47            0     "
      "   20000      0  0 0  12.5 0 0.1\n";
  const auto steps = app::engine_steps(ClusterCode::swift, log);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].time, 2.146e-02);
  EXPECT_EQ(steps[0].value, 4.877e-04);
  const auto gadget = app::engine_energies(ClusterCode::gadget4,
                                           "  0  0 -5949683.1 3074743.1 0 0\n 0.0078 0 -5974715.4 3099878.6 0 0\n");
  ASSERT_EQ(gadget.size(), 2u);
  EXPECT_EQ(gadget[0].value, -5949683.1 + 3074743.1);
  const auto sync =
      app::engine_steps(ClusterCode::gadget4,
                        "\nSync-Point 32, Time: 0.024387, Systemstep: 0.00048774, Nsync-grv:      20000\nSync-Po\n");
  ASSERT_EQ(sync.size(), 1u);
  EXPECT_EQ(sync[0].value, 0.00048774);
}

TEST(EngineLogs, AreThinned) {
  std::string text;
  for (int k = 0; k < 1000; ++k) text += std::to_string(k) + " 0 -2 1\n";
  const auto points = app::engine_energies(ClusterCode::gadget4, text, 100);
  EXPECT_LE(points.size(), 100u);
  EXPECT_GE(points.size(), 50u);
  EXPECT_EQ(points.front().time, 0);
  EXPECT_GT(points.back().time, 980);
}

}  // namespace
}  // namespace pericenter::test
