#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/hdf5_maker.h"

// Complete files whose headers contradict them, or that lack what is not needed.

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using Counts = std::vector<double>;

TEST(Hdf5Contradictions, WrongNumbersAreNoted) {
  struct Case {
    std::string attribute;
    Counts value;
    std::string note;
  };
  const Counts parent = {1e6, 2e6, 0, 0, 1e5, 7};
  const double high = 4294967296.0 * 3 + 3;
  for (const Case& each :
       {Case{"NumPart_Total", parent, "declares 1000000 bodies of type 0, but there are 0"},
        Case{"NumPart_Total", {0, 0, 0, 0, 0, 0}, "declares 0 bodies of type 1, but there are 3"},
        Case{"NumPart_Total", {0, 3, 0, 0, 0, 0}, ""},
        Case{"NumPart_Total", {0, 4, 0, 0, 0, 0}, "declares 4 bodies of type 1, but there are 3"},
        Case{"NumPart_Total", {0, high, 0, 0, 0, 0}, "12884901891 bodies of type 1, but there are 3"},
        Case{"NumPart_Total_HighWord", {0, 3, 0, 0, 0, 0}, "12884901891 bodies of type 1"},
        Case{"NumPart_ThisFile", {0, 5, 0, 0, 0, 0}, "'NumPart_ThisFile' of /Header declares 5"},
        Case{"NumPart_ThisFile", {0, 0, 0, 0, 0, 0}, "'NumPart_ThisFile' of /Header declares 0"},
        Case{"NumFilesPerSnapshot", {600}, "declares 600 files"}}) {
    Hdf5Maker file("cutout_12345.hdf5");
    file.header({0, 3, 0, 0, 0, 0}).bodies(1, 3).put("Header", each.attribute, each.value);
    const Snapshot snapshot = file.read();
    EXPECT_EQ(snapshot.bodies.size(), 3u) << each.note;
    EXPECT_EQ(snapshot.ids, (std::vector<std::uint64_t>{100, 101, 102}));
    EXPECT_THAT(notes_of(snapshot), HasSubstr(each.note));
    EXPECT_EQ(snapshot.notes.size(), each.note.empty() ? 1u : 2u) << notes_of(snapshot);  // one on units
  }
}

TEST(Hdf5Contradictions, TypesOutsideTheHeaderAreRead) {
  Hdf5Maker file;
  file.header({0, 3}).bodies(1, 3).bodies(6, 2, 3);
  const Snapshot snapshot = file.read();
  EXPECT_EQ(snapshot.bodies.size(), 5u);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("declares 0 bodies of type 6, but there are 2"));
}

TEST(Hdf5Contradictions, NothingIsSaidOfEmptyTypes) {
  Hdf5Maker file;
  file.header({0, 3, 0, 0, 0, 0}).bodies(1, 3).data("PartType2", "Coordinates", {}).data("PartType4", "Masses", {});
  file.group("PartType3");
  const Snapshot snapshot = file.read();
  EXPECT_EQ(snapshot.bodies.size(), 3u);
  EXPECT_EQ(snapshot.notes.size(), 1u) << notes_of(snapshot);
}

TEST(Hdf5Contradictions, AFileWithAllBodiesIsNoPart) {
  Hdf5Maker file("halo.5.hdf5"), part("part.5.hdf5");
  for (Hdf5Maker* each : {&file, &part}) {
    each->header({0, 3, 0, 0, 0, 0}).bodies(1, 3).put("Header", "NumFilesPerSnapshot", 600.0);
  }
  part.put("Header", "NumPart_Total", Counts{0, 9, 0, 0, 0, 0});
  const Snapshot snapshot = file.read();
  EXPECT_EQ(snapshot.bodies.size(), 3u);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("declares 600 files"));
  namespace fs = std::filesystem;
  const fs::path path = part.path();
  const Snapshot alone = part.read();
  EXPECT_EQ(alone.bodies.size(), 3u);
  EXPECT_THAT(notes_of(alone),
              HasSubstr("declares 600 files and 9 bodies in total; only the 3 of this file are shown"));
  fs::copy_file(path, path.parent_path() / "part.0.hdf5");
  EXPECT_THAT(part.error(), HasSubstr("file part.1.hdf5 of the same snapshot: there is no such file."));
  EXPECT_THAT(part.error(), HasSubstr("Put them all into one folder, or a single one into a folder of its own"));
}

TEST(Hdf5Contradictions, BodiesWithoutMassesAreTestParticles) {
  Hdf5Maker some, table, none;
  for (Hdf5Maker* file : {&some, &table, &none}) file->header({2, 0, 0, 0, 2, 0}).bodies(0, 2, 0, {"Masses"});
  some.bodies(4, 2, 2);
  for (Hdf5Maker* file : {&table, &none}) file->bodies(4, 2, 2, {"Masses"});
  table.put("Header", "MassTable", Counts{0, 0, 0, 0, 0.75, 0});
  for (Hdf5Maker* file : {&some, &table}) {
    const Snapshot snapshot = file->read();
    ASSERT_EQ(snapshot.bodies.size(), 4u);
    EXPECT_EQ(snapshot.bodies[1].mass, 0);
    EXPECT_EQ(snapshot.bodies[2].mass, 0.75);
    EXPECT_THAT(notes_of(snapshot), HasSubstr("type 0 have no masses and are massless test particles"));
  }
  EXPECT_THAT(none.error(), HasSubstr("/PartType0: dataset Masses is missing, and 'MassTable'"));
}

TEST(Hdf5Contradictions, TypesWithoutCoordinatesAreLeftOut) {
  Hdf5Maker file, tracers;
  file.header({0, 2, 0, 600, 0, 0}).bodies(1, 2).data("PartType3", "TracerID", Counts(600));
  const Snapshot snapshot = file.read();
  EXPECT_EQ(snapshot.bodies.size(), 2u);
  EXPECT_EQ(snapshot.ids.size(), 2u);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("type 3 have no coordinates and are left out"));
  EXPECT_EQ(snapshot.notes.size(), 2u) << notes_of(snapshot);
  tracers.header({0, 0, 0, 600, 0, 0}).data("PartType3", "TracerID", Counts(600));
  EXPECT_THAT(tracers.error(), HasSubstr("/PartType3: dataset Coordinates is missing"));
}

TEST(Hdf5Contradictions, BodiesWithoutVelocitiesAreAtRest) {
  Hdf5Maker file;
  file.header({0, 2, 0, 0, 2, 0}).bodies(1, 2).bodies(4, 2, 2, {"Velocities"});
  const Snapshot snapshot = file.read();
  EXPECT_EQ(snapshot.bodies[1].velocity, (Vec3{1, -2, 0.5}));
  EXPECT_EQ(snapshot.bodies[3].velocity, Vec3());
  EXPECT_EQ(snapshot.bodies[3].position[0], 4);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("type 4 have no velocities and are at rest"));
}

TEST(Hdf5Contradictions, IdsAreKeptAndNoted) {
  Hdf5Maker equal, negative;
  for (Hdf5Maker* file : {&equal, &negative}) file->header({0, 4, 0, 0, 0, 0}).bodies(1, 4, 0, {"ParticleIDs"});
  equal.data("PartType1", "ParticleIDs", {5, 3, 5, 5}, 1, H5T_NATIVE_UINT32);
  negative.data("PartType1", "ParticleIDs", {-1, 3, -5, 7}, 1, H5T_NATIVE_INT32);
  const Snapshot twice = equal.read(), below = negative.read();
  EXPECT_EQ(twice.ids, (std::vector<std::uint64_t>{5, 3, 5, 5}));
  EXPECT_THAT(notes_of(twice), HasSubstr("2 bodies with the id of another body"));
  EXPECT_EQ(below.ids, (std::vector<std::uint64_t>{~std::uint64_t(0), 3, ~std::uint64_t(4), 7}));
  EXPECT_THAT(notes_of(below), HasSubstr("2^64 was added to negative ids: 2."));
}

/// The two parts of a snapshot in one folder, with these names.
Snapshot joined_parts(const std::string& first_name, const std::string& second_name, const Counts& total) {
  Hdf5Maker first(first_name), second("second");
  first.header({0, 2, 0, 0, 0, 0}).bodies(1, 2);
  second.header({0, 1, 0, 0, 0, 0}).bodies(1, 1, 2);
  for (Hdf5Maker* file : {&first, &second}) {
    file->put("Header", "NumPart_Total", total);
    file->put("Header", "NumFilesPerSnapshot", 2.0);
  }
  namespace fs = std::filesystem;
  fs::copy_file(second.path(), fs::path(first.path()).parent_path() / second_name);
  return first.read();
}

TEST(Hdf5Contradictions, PartsMayHaveNoExtension) {
  for (const auto& [first, second] : {std::pair("RUN_00010.0", "RUN_00010.1"), std::pair("snap.0.hdf5", "snap.1.hdf5"),
                                      std::pair("snap_2.5.0.h5", "snap_2.5.1.h5")}) {
    const Snapshot snapshot = joined_parts(first, second, {0, 3, 0, 0, 0, 0});
    EXPECT_EQ(snapshot.ids, (std::vector<std::uint64_t>{100, 101, 102})) << first;
    EXPECT_EQ(snapshot.notes.size(), 1u) << notes_of(snapshot);
  }
  const Snapshot more = joined_parts("a.0", "a.1", {0, 9, 0, 0, 0, 0});
  EXPECT_EQ(more.bodies.size(), 3u);
  EXPECT_THAT(notes_of(more), HasSubstr("declares 9 bodies of type 1, but there are 3"));
}

}  // namespace
}  // namespace pericenter::test
