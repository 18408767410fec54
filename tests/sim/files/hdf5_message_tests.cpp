#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/hdf5_maker.h"

// What is said of HDF5 files that cannot be read.

namespace pericenter::test {
namespace {

using testing::HasSubstr;

/// Coordinates in one chunk, stored as if a filter had compressed them.
void put_filtered(Hdf5Maker& file, int filter) {
  const std::array<hsize_t, 2> extent = {2, 3}, start = {0, 0};
  const Hdf5Handle group = file.group("PartType1"), space(H5Screate_simple(2, extent.data(), nullptr), H5Sclose),
                   layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(layout.get(), 2, extent.data());
  H5Pset_filter(layout.get(), filter, H5Z_FLAG_OPTIONAL, 0, nullptr);
  const Hdf5Handle data(
      H5Dcreate2(group.get(), "Coordinates", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
      H5Dclose);
  const std::array<double, 5> stored = {};
  EXPECT_GE(H5Dwrite_chunk(data.get(), H5P_DEFAULT, 0, start.data(), sizeof stored, stored.data()), 0);
}

TEST(Hdf5Messages, AMissingFilterIsNamed) {
  for (const auto& [filter, name] :
       {std::pair(32000, "LZF"), std::pair(32001, "Blosc"), std::pair(32004, "LZ4"), std::pair(32008, "bitshuffle"),
        std::pair(32013, "ZFP"), std::pair(32015, "Zstandard"), std::pair(60000, "an unknown method")}) {
    Hdf5Maker file;
    file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2, 0, {"Coordinates"});
    put_filtered(file, filter);
    const std::string error = file.error();
    EXPECT_THAT(error, HasSubstr("/PartType1: dataset Coordinates is compressed with " + std::string(name) +
                                 " (HDF5 filter " + std::to_string(filter) + ")"));
    EXPECT_THAT(error, HasSubstr("h5repack"));
  }
}

// newer_library.hdf5: h5py 3.16 with HDF5 2.0 and libver='latest', which HDF5 1.14 and older cannot read.
TEST(Hdf5Messages, ANewerLayoutIsExplained) {
  const unsigned version[3] = {H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE};
  try {
    EXPECT_EQ(read_hdf5(fixture_path("hdf5/newer_library.hdf5"), {}).bodies.size(), 4u);
    EXPECT_GE(version[0], 2u);
  } catch (const InputError& error) {
    EXPECT_LT(version[0], 2u);
    EXPECT_THAT(error.what(), HasSubstr("dataset Coordinates cannot be opened: bad version number"));
    EXPECT_THAT(error.what(), HasSubstr("newer HDF5 library"));
    EXPECT_THAT(error.what(), HasSubstr("libver='v110'"));
  }
}

TEST(Hdf5Messages, AFileThatIsBeingWrittenIsLocked) {
  Hdf5Maker file;
  file.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
  const int other = ::open(file.path().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  EXPECT_THAT(file.error(), HasSubstr("still be writing it"));
  ::close(other);
  EXPECT_EQ(file.error(), "");
}

TEST(Hdf5Messages, AnInterruptedWriterLeavesAMark) {
  { const Hdf5Session prepared; }  // before other calls of the library
  const TemporaryFile written("written.hdf5");
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  const Hdf5Handle file(H5Fcreate(written.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  H5Fflush(file.get(), H5F_SCOPE_GLOBAL);
  const TemporaryFile left("left.hdf5", file_bytes(written.path()));
  try {
    read_hdf5(left.path(), {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("h5clear"));
  }
}

TEST(Hdf5Messages, OtherProgramsAreNamedWithAWay) {
  struct Other {
    std::string name, group, attribute, way;
  };
  for (const Other& other :
       {Other{"AMUSE", "AMUSE_INF", "", "write_set_to_file"},
        Other{"AMUSE", "particles/0000000001", "", "write_set_to_file"},
        Other{"phantom", "particles/xyz", "", "splash"}, Other{"pandas", "/", "PYTABLES_FORMAT_VERSION", "to_csv"},
        Other{"yt", "/", "data_type", ".to('cm')"}, Other{"astropy", "__astropy_table__", "", "bodies.ecsv"},
        Other{"NBODY6++GPU", "Step#0", "", "CSV"}, Other{"openPMD", "/", "openPMD", "CSV"},
        Other{"GAMER", "Info/KeyInfo", "", "yt"}, Other{"FLASH", "sim info", "", "yt"},
        Other{"Athena++", "/", "NumMeshBlocks", "yt"}, Other{"Enzo", "Grid00000001", "", "yt"}}) {
    Hdf5Maker file;
    const std::size_t slash = other.group.find('/');
    if (slash != other.group.npos && slash > 0) file.group(other.group.substr(0, slash));
    if (other.attribute.empty()) file.group(other.group);
    if (!other.attribute.empty()) file.put(other.group, other.attribute, 1.0);
    const std::string error = file.error();
    EXPECT_THAT(error, HasSubstr("HDF5 file of " + other.name));
    EXPECT_THAT(error, HasSubstr(other.way));
  }
}

TEST(Hdf5Messages, UnknownContentsGetTheWayToATable) {
  Hdf5Maker unknown, headless;
  unknown.group("something");
  headless.bodies(4, 2);
  EXPECT_THAT(unknown.error(), HasSubstr("without a group /Header"));
  EXPECT_THAT(unknown.error(), HasSubstr("m, x, y, z, vx, vy, vz"));
  EXPECT_THAT(headless.error(), HasSubstr("its group /Header is missing"));
}

}  // namespace
}  // namespace pericenter::test
