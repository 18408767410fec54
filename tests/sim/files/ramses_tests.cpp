// Particles of RAMSES: outputs of several CPUs and versions. The fixtures are from make_fixtures.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sim/files/load.h"
#include "sim/files/unit_system.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;
using Data = std::vector<std::uint8_t>;

std::string notes_of(const Snapshot& snapshot) {
  std::string all;
  for (const std::string& note : snapshot.notes) all += note + "\n";
  return all;
}

void expect_bodies(const Snapshot& snapshot, const std::vector<std::size_t>& indices, int dimensions = 3) {
  ASSERT_EQ(snapshot.bodies.size(), indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Body body = fixture_body(indices[i]);
    EXPECT_EQ(snapshot.bodies[i].mass, body.mass);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(snapshot.bodies[i].position[k], k < dimensions ? body.position[k] : 0) << i;
      EXPECT_EQ(snapshot.bodies[i].velocity[k], k < dimensions ? body.velocity[k] : 0) << i;
    }
  }
}

/// A copy of an output in a temporary folder.
class Output : public testing::Test {
 protected:
  std::string copy(const std::string& name) {
    fs::copy(fixture_path("ramses/" + name), folder_ / name, fs::copy_options::recursive);
    return folder_ / name;
  }
  static void write(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  static std::string text(const std::string& path) {
    const Data bytes = file_bytes(path);
    return {bytes.begin(), bytes.end()};
  }
  static std::string error(const std::string& path) {
    try {
      read_snapshot(path, {});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
};

TEST_F(Output, AllCpusAreReadFromAnyOfItsFiles) {
  const std::string folder = fixture_path("ramses/output_00001");
  for (const char* file : {"/info_00001.txt", "/header_00001.txt", "/part_file_descriptor.txt", "/part_00001.out00001",
                           "/part_00001.out00002", "/part_00001.out00003"}) {
    const Snapshot snapshot = read_snapshot(folder + file, {});
    expect_bodies(snapshot, {0, 1, 2, 3, 4, 5});
    EXPECT_EQ(snapshot.format, "RAMSES particles, 3 CPUs") << file;
  }
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  expect_bodies(read_snapshot("part_00001.out00002", {}), {0, 1, 2, 3, 4, 5});
  fs::current_path(before);
}

TEST_F(Output, FamiliesIdsAndTracers) {
  const Snapshot snapshot = read_snapshot(fixture_path("ramses/output_00001/info_00001.txt"), {});
  EXPECT_THAT(snapshot.types, ElementsAre(1, 1, 4, 5, 4, 5));
  EXPECT_THAT(snapshot.ids, ElementsAre(1000, 1001, 1002, 1003, 1004, 1005));
  EXPECT_EQ(component_of(snapshot.bodies[0].tag), Component::halo);
  EXPECT_EQ(component_of(snapshot.bodies[2].tag), Component::disc);
  EXPECT_EQ(component_of(snapshot.bodies[3].tag), Component::other);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("2 tracers of the gas"));
}

TEST_F(Output, UnitsAndTimeOfACosmologicalRun) {
  const Snapshot snapshot = read_snapshot(fixture_path("ramses/output_00001/info_00001.txt"), {});
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, 2e24);
  EXPECT_DOUBLE_EQ(snapshot.units.mass_g, 1e-29 * 8e72);
  EXPECT_DOUBLE_EQ(snapshot.units.velocity_cm_s, 2e24 / 4e17);
  EXPECT_EQ(snapshot.box, (Vec3{8, 8, 8}));
  // 5.75 Gyr at a = 0.5 for H0 = 70, Omega 0.3 and 0.7 (Wright 2006, doi:10.1086/510102).
  EXPECT_NEAR(snapshot.time * 4e17 / (1e9 * kYearSecond), 5.75, 0.01);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("scale factor 0.5"));
}

TEST_F(Output, OlderVersionsTellStarsByBirthAndSinksBySign) {
  const Snapshot snapshot = read_snapshot(fixture_path("ramses/output_00002/info_00002.txt"), {});
  expect_bodies(snapshot, {0, 1, 2});
  EXPECT_THAT(snapshot.types, ElementsAre(1, 4, 5));
  EXPECT_THAT(snapshot.ids, ElementsAre(1000, 1001, 1002));
  EXPECT_EQ(snapshot.time, 1.5);
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, 3e21);
  EXPECT_DOUBLE_EQ(snapshot.units.mass_g, 2e-24 * 27e63);
  EXPECT_DOUBLE_EQ(snapshot.units.velocity_cm_s, 3e21 / 5e15);
  EXPECT_THAT(notes_of(snapshot), HasSubstr("Gas, which RAMSES has in a grid"));
  EXPECT_THAT(notes_of(snapshot), Not(HasSubstr("Cosmological")));
  expect_bodies(read_snapshot(fixture_path("ramses/output_00002/hydro_00002.out00001"), {}), {0, 1, 2});
}

TEST_F(Output, WithoutTextsTheRecordsAreKnownByTheirSizes) {
  for (const std::string number : {"1", "2"}) {
    const std::string folder = copy("output_0000" + number);
    fs::remove(folder + "/part_file_descriptor.txt");
    fs::remove(folder + "/header_0000" + number + ".txt");
    const std::string info = "/info_0000" + number + ".txt";
    const Snapshot whole = read_snapshot(fixture_path("ramses/output_0000" + number + info), {});
    const Snapshot snapshot = read_snapshot(folder + info, {});
    EXPECT_EQ(snapshot.types, whole.types);
    EXPECT_EQ(snapshot.bodies.size(), whole.bodies.size());
  }
}

TEST_F(Output, TheDescriptorNamesTheRecords) {
  const std::string folder = copy("output_00001"), path = folder + "/part_file_descriptor.txt";
  std::string names = text(path);
  names.replace(names.find("position_x"), 10, "velocity_y");
  names.replace(names.rfind("velocity_y"), 10, "position_x");
  write(path, names);
  const Snapshot snapshot = read_snapshot(folder + "/info_00001.txt", {});
  EXPECT_EQ(snapshot.bodies[0].position[0], fixture_body(0).velocity[1]);
  EXPECT_EQ(snapshot.bodies[0].velocity[1], fixture_body(0).position[0]);
}

TEST_F(Output, GroupsOfCpusAndTwoDimensions) {
  const std::string folder = fixture_path("ramses/output_00003");
  for (const char* file : {"/info_00003.txt", "/group_00002/part_00003.out00002"}) {
    const Snapshot snapshot = read_snapshot(folder + file, {});
    expect_bodies(snapshot, {1, 2}, 2);
    EXPECT_FALSE(snapshot.units.known());
    EXPECT_THAT(notes_of(snapshot), HasSubstr("the units are unknown"));
  }
}

TEST_F(Output, MissingFilesAreNoted) {
  const std::string folder = copy("output_00001");
  fs::remove(folder + "/part_00001.out00002");
  Snapshot snapshot = read_snapshot(folder + "/info_00001.txt", {});
  expect_bodies(snapshot, {0, 1, 2, 3});
  EXPECT_THAT(notes_of(snapshot), HasSubstr("The files of 1 of 3 CPUs are missing (2)"));
  fs::remove(folder + "/info_00001.txt");
  snapshot = read_snapshot(folder + "/part_00001.out00001", {});
  EXPECT_FALSE(snapshot.units.known());
  EXPECT_THAT(notes_of(snapshot), HasSubstr("info_NNNNN.txt of this output is missing"));
  fs::rename(folder + "/part_00001.out00001", folder_ / "renamed");
  snapshot = read_snapshot(folder_ / "renamed", {});
  expect_bodies(snapshot, {0, 1, 2, 3});
  write(folder_ / "info_00007.txt", text(fixture_path("ramses/output_00001/info_00001.txt")));
  EXPECT_THAT(error(folder_ / "info_00007.txt"), HasSubstr("no particles of RAMSES"));
}

TEST_F(Output, IsNeverTakenForAnotherFormat) {
  for (const std::string cpus : {"2", "3"}) {
    std::string bytes = text(fixture_path("ramses/output_00001/part_00001.out00001"));
    bytes[4] = cpus[0] - '0';
    EXPECT_TRUE(matches("stdpar", bytes_of(bytes))) << "only the order of the formats protects";
    EXPECT_TRUE(matches("ramses", bytes_of(bytes), "any"));
    write(folder_ / "part", bytes);
    EXPECT_THAT(read_snapshot(folder_ / "part", {}).format, HasSubstr("RAMSES"));
  }
  for (const char* other : {"stdpar_3d.bin", "stdpar_2d.bin", "tipsy_standard", "gadget1_little", "table.csv"})
    EXPECT_FALSE(matches("ramses", fixture_bytes(other), other)) << other;
}

TEST_F(Output, DamageIsExplained) {
  const std::string folder = copy("output_00001"), path = folder + "/part_00001.out00002";
  const std::string whole = text(path);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    write(path, whole.substr(0, size));
    EXPECT_THAT(error(folder + "/info_00001.txt"), HasSubstr("part_00001.out00002 of this output: ")) << size;
  }
  std::string wrong = whole;
  wrong[28] = 9;  // particles
  write(path, wrong);
  EXPECT_THAT(error(folder + "/info_00001.txt"), HasSubstr("which is wrong for 9 particles"));
  write(path, whole);
  write(folder + "/part_file_descriptor.txt", "# version: 1\n 1, potential, d\n");
  EXPECT_THAT(error(folder + "/info_00001.txt"), HasSubstr("no positions or masses"));
}

}  // namespace
}  // namespace pericenter::test
