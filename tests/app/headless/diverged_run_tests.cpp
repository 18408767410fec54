#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "app/base/atomic_file.h"
#include "app/output/snapshot_saver.h"
#include "tests/support/program.h"

// Runs whose bodies become NaN or infinite.

namespace pericenter::app {
namespace {

test::Outcome run_in(const TemporaryFolder& folder, const test::Words& arguments) {
  test::Words words = {"--headless", "--no-progress"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return test::run_program({words, folder.path()});
}

TEST(DivergedRun, FailsAndKeepsTheSavedRun) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_in(folder, {"--scene", "plummer", "-n", "300", "-s", "2", "--save", "g.hdf5"}).exit_code, 0);
  const std::string saved = text_of(folder / "g.hdf5");
  const test::Words diverges = {"--load", "g.hdf5", "-s", "50", "--dt", "1e20", "--csv", "g.csv"};
  EXPECT_EQ(run_in(folder, diverges).exit_code, 65);
  test::Words saves = diverges;
  saves.insert(saves.end(), {"--save", "g.hdf5"});
  const test::Outcome outcome = run_in(folder, saves);
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, testing::HasSubstr("Cannot write g.hdf5: bodies are NaN or infinite"));
  EXPECT_TRUE(text_of(folder / "g.hdf5") == saved);
  EXPECT_EQ(folder.names(), (Names{"g.csv", "g.hdf5"}));
}

// Regression: a larger softening was advised for bodies that had flown to coordinates of 1e30.
TEST(DivergedRun, NamesWhatHelps) {
  const TemporaryFolder folder;
  const test::Words run = {"--scene", "plummer", "-n", "50", "-s", "20", "--integrator", "leapfrog", "--dt"};
  const auto messages_at = [&](const char* dt) {
    test::Words words = run;
    words.emplace_back(dt);
    return run_in(folder, words).err;
  };
  EXPECT_THAT(messages_at("1e20"), testing::HasSubstr("Use --dt below 0.017 to stay under 0.025.\n"));
  EXPECT_THAT(messages_at("1e20"), testing::HasSubstr("bodies are NaN or infinite. Use a smaller --dt.\n"));
  EXPECT_THAT(messages_at("0.1"),
              testing::HasSubstr("Use --dt below 0.017 or a larger --softening to stay under 0.025.\n"));
}

TEST(DivergedRun, EndsBeforeTwoBodiesCollide) {
  const TemporaryFolder folder;
  write_text(folder / "fall.csv", "m,x,y,z,vx,vy,vz\n1,1,0,0,0,0,0\n3,-1,0.1,0.2,0,0,0\n");
  const test::Outcome outcome = run_in(folder, {"--load", "fall.csv", "-s", "1000"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, testing::HasSubstr("The run stopped before a collision: body 0 and body 1"));
  EXPECT_THAT(outcome.err, testing::HasSubstr("Choose a softening, or another integrator.\n"));
}

TEST(DivergedRun, IsNotSavedInTheWindowEither) {
  const TemporaryFolder folder;
  write_text(folder / "g.hdf5", "old");
  Snapshot snapshot;
  snapshot.bodies.resize(3);
  snapshot.bodies[1].velocity[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(save_snapshot(folder / "g.hdf5", snapshot, {}), FileError);
  EXPECT_EQ(text_of(folder / "g.hdf5"), "old");
}

}  // namespace
}  // namespace pericenter::app
