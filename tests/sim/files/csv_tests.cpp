#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/files/units.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;

Snapshot read_text(const std::string& text, const ReadOptions& options = {}) {
  return read_as("csv", bytes_of(text), options);
}

std::string csv_error(const std::string& text) {
  return error_of("csv", bytes_of(text));
}

class CsvLayouts : public testing::TestWithParam<const char*> {};

TEST_P(CsvLayouts, AreReadExactly) {
  const std::vector<std::uint8_t> data = fixture_bytes(GetParam());
  ASSERT_TRUE(matches("csv", data, GetParam()));
  const Snapshot snapshot = read_as("csv", data);
  ASSERT_EQ(snapshot.bodies.size(), 8u);
  const std::vector<Component> components = {Component::disc, Component::bulge, Component::halo, Component::other};
  for (std::size_t i = 0; i < 8; ++i) {
    const Body expected = fixture_body(i);
    EXPECT_EQ(snapshot.bodies[i].mass, expected.mass);
    EXPECT_EQ(snapshot.bodies[i].position, expected.position);
    EXPECT_EQ(snapshot.bodies[i].velocity, expected.velocity);
    EXPECT_EQ(snapshot.bodies[i].tag, make_tag(i % 2, components[i % 4]));
    EXPECT_EQ(snapshot.ids[i], 1000 + i);
  }
  EXPECT_NEAR(gravity_in(snapshot.units), 43007.1, 43007.1 * 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, CsvLayouts, testing::Values("table.csv", "table_semicolon.csv", "table_tab.csv"));

TEST(Csv, MissingColumnsAreZero) {
  const Snapshot snapshot = read_text("m,x,y\n2,3,4\n");
  ASSERT_EQ(snapshot.bodies.size(), 1u);
  EXPECT_EQ(snapshot.bodies[0].position, (Vec3{3, 4, 0}));
  EXPECT_EQ(snapshot.bodies[0].velocity, (Vec3{}));
  EXPECT_FALSE(snapshot.units.known());
  ASSERT_EQ(snapshot.notes.size(), 1u);  // no velocities
}

TEST(Csv, ExplainsExpectedColumns) {
  const std::string error = csv_error("time,energy\n1,2\n");
  EXPECT_THAT(error, HasSubstr("time, energy"));
  EXPECT_THAT(error, HasSubstr("vx, vy, vz"));
}

TEST(Csv, InvalidRowsAreReportedOrSkipped) {
  const std::string text = "m,x,y,id\n1,0,0,7\n1,nan,0,8\n-1,0,1,9\n1,1e400,1,10\n1,2\n1,4,5,11\n";
  EXPECT_THAT(csv_error(text), HasSubstr("Line 3, column 'x'"));
  EXPECT_THAT(csv_error(text), HasSubstr("--skip-bad"));
  EXPECT_THAT(csv_error("m,x,y\n-1,0,1\n"), HasSubstr("Line 2, column 'm': its mass is negative"));
  const Snapshot snapshot = read_text(text, {.skip_bad = true});
  EXPECT_EQ(snapshot.skipped, 4u);
  ASSERT_EQ(snapshot.bodies.size(), 2u);
  EXPECT_EQ(snapshot.bodies[1].position, (Vec3{4, 5, 0}));
  EXPECT_EQ(snapshot.ids, (std::vector<std::uint64_t>{7, 11}));
}

TEST(Csv, NonNumericIdsAreIgnored) {
  EXPECT_TRUE(read_text("id,m,x,y\n1,1,0,0\na,1,1,0\n").ids.empty());
}

TEST(Csv, TwoUnitsSuffice) {
  const FileUnits units = read_text("#unit length=AU, time=day\nm,x,y\n1,0,0\n").units;
  EXPECT_DOUBLE_EQ(units.length_cm, kAstronomicalUnitCm);
  EXPECT_DOUBLE_EQ(units.velocity_cm_s, kAstronomicalUnitCm / 86400);
  EXPECT_NEAR(gravity_in(units), 1, 1e-12);
  // Gauss: a mass of 1/k^2 suns has G = 1 in AU and days.
  EXPECT_NEAR(kSunGram / units.mass_g, 0.01720209895 * 0.01720209895, 1e-9);
  EXPECT_FALSE(read_text("#unit length=AU\nm,x,y\n1,0,0\n").units.known());
}

TEST(Csv, UnknownUnitsAreRefused) {
  EXPECT_THAT(csv_error("#unit length=furlong\nm,x,y\n1,0,0\n"), HasSubstr("furlong"));
  EXPECT_NE(csv_error("#unit length=-3 kpc\nm,x,y\n1,0,0\n"), "");
  EXPECT_NE(csv_error("#unit mass=kpc\nm,x,y\n1,0,0\n"), "");
}

TEST(Csv, StateVectorsHaveAuUnits) {
  const Snapshot snapshot =
      read_text("id,name,class,mass,pos_x,pos_y,pos_z,vel_x,vel_y,vel_z\nsun,Sun,STA,2e30,0,0,0,0,0,0\n");
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kAstronomicalUnitCm);
  EXPECT_DOUBLE_EQ(snapshot.units.mass_g, 1000);
  EXPECT_DOUBLE_EQ(snapshot.units.velocity_cm_s, kAstronomicalUnitCm / 86400);
}

TEST(Csv, ExcessGroupsShareTheLastTag) {
  std::string text = "m,x,y,group\n";
  for (int i = 0; i < 20; ++i) text += "1,0," + std::to_string(i) + ",g" + std::to_string(i) + "\n";
  const Snapshot snapshot = read_text(text);
  EXPECT_EQ(galaxy_of(snapshot.bodies[14].tag), 14u);
  EXPECT_EQ(galaxy_of(snapshot.bodies[19].tag), 15u);
}

TEST(Csv, CanBeCancelled) {
  EXPECT_THROW(read_text("m,x,y\n1,0,0\n", {.progress = [](double) { return false; }}), SceneCancelled);
}

TEST(Units, ParseCommonSpellings) {
  EXPECT_DOUBLE_EQ(unit_size("length", "3.5 kpc"), 3.5e3 * kParsecCm);
  EXPECT_DOUBLE_EQ(unit_size("mass", "1e10 Msun"), 1e10 * kSunGram);
  EXPECT_DOUBLE_EQ(unit_size("velocity", "100km/s"), 1e7);
  EXPECT_EQ(unit_size("mass", "kpc"), 0);
  EXPECT_EQ(unit_size("length", "1e400 kpc"), 0);
  EXPECT_EQ(unit_size("length", ""), 0);
}

}  // namespace
}  // namespace pericenter::test
