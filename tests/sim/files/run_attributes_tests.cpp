#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <limits>
#include <string>

#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/hdf5/run_attributes.h"
#include "sim/files/hdf5/writer.h"
#include "tests/support/file_fixtures.h"

// Numbers of a saved run that another program has changed.

namespace pericenter::test {
namespace {

class ChangedRun : public testing::Test {
 protected:
  ChangedRun() {
    Snapshot snapshot;
    snapshot.bodies.resize(3);
    snapshot.run.emplace();
    snapshot.run->scene = "plummer";
    write_hdf5(path, snapshot, {});
  }

  /// Message of the InputError; empty: the file can be read.
  std::string problem_with_seed(hid_t type, const void* number) {
    {
      const Hdf5Session session;
      const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), group = H5Gopen2(file, kRunGroup, 0);
      const hid_t space = H5Screate(H5S_SCALAR);
      H5Adelete(group, "SceneSeed");
      const hid_t attribute = H5Acreate2(group, "SceneSeed", type, space, H5P_DEFAULT, H5P_DEFAULT);
      EXPECT_GE(H5Awrite(attribute, type, number), 0);
      H5Aclose(attribute);
      H5Sclose(space);
      H5Gclose(group);
      H5Fclose(file);
    }
    try {
      seed = read_hdf5(path, {}).run->request.seed;
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  TemporaryFolder folder;
  const std::string path = folder / "run.hdf5";
  std::uint64_t seed = 0;
};

TEST_F(ChangedRun, NumbersOutOfRangeAreRefused) {
  for (const double wrong : {1e26, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THAT(problem_with_seed(H5T_NATIVE_DOUBLE, &wrong), testing::HasSubstr("SceneSeed")) << wrong;
  const std::int64_t negative = -1;
  EXPECT_THAT(problem_with_seed(H5T_NATIVE_INT64, &negative), testing::HasSubstr("SceneSeed"));
}

TEST_F(ChangedRun, TheLargestNumberIsRead) {
  const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(problem_with_seed(H5T_NATIVE_UINT64, &largest), "");
  EXPECT_EQ(seed, largest);
}

}  // namespace
}  // namespace pericenter::test
