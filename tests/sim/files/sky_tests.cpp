// Tables with positions on the sky, as Gaia and VizieR write them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/files/unit_system.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

Snapshot read_sky(const std::string& text) {
  return read_as("csv", bytes_of(text));
}

/// Distance in pc, and velocity in km/s away from the Sun, to the east and to the north, of a body at ra 90, dec 30.
void expect_star(const Snapshot& snapshot, double distance, Vec3 velocity) {
  ASSERT_EQ(snapshot.bodies.size(), 1u);
  const Body& body = snapshot.bodies[0];
  const double c = std::sqrt(0.75), s = 0.5;
  EXPECT_LT(length(body.position - Vec3{0, c, s} * distance), 1e-9 * distance);
  const Vec3 expected = Vec3{0, c, s} * velocity[0] + Vec3{-1, 0, 0} * velocity[1] + Vec3{0, -s, c} * velocity[2];
  EXPECT_LT(length(body.velocity - expected), 1e-9);
}

constexpr double kKms = kAstronomicalUnitCm / kYearSecond / 1e5;  // 1 arcsec/yr at 1 pc

TEST(SkyTable, GaiaArchiveCsv) {
  const Snapshot snapshot = read_sky(
      "source_id,ra,dec,parallax,pmra,pmdec,radial_velocity\n4295806720,90,30,20,-3000,2000,-7.5\n1,0,0,null,1,1,1\n");
  expect_star(snapshot, 50, {-7.5, -150 * kKms, 100 * kKms});
  EXPECT_EQ(snapshot.ids.at(0), 4295806720u);
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kParsecCm);
  EXPECT_DOUBLE_EQ(snapshot.units.velocity_cm_s, 1e5);
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("No masses")));
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("1 body without a parallax")));
  EXPECT_THAT(snapshot.notes, Not(Contains(HasSubstr("No velocities"))));
}

TEST(SkyTable, NamesOfOtherCatalogues) {
  expect_star(read_sky("RA_ICRS\tDE_ICRS\tPlx\tpmRA\tpmDE\tRV\n90\t30\t20\t-3000\t2000\t-7.5\n"), 50,
              {-7.5, -150 * kKms, 100 * kKms});
  expect_star(read_sky("_RAJ2000;_DEJ2000;RAJ2000;DEJ2000;Plx\n90;30;06 00 00;+30 00 00;20\n"), 50, {0, 0, 0});
  expect_star(read_sky("RAJ2000;DEJ2000;rgeo;parallax\n90;30;50;999\n"), 50, {0, 0, 0});
}

TEST(SkyTable, UnitsInHeadings) {
  expect_star(read_sky("ra [rad],dec [arcmin],distance [kpc],pmra [arcsec/yr],pmdec [uas yr-1],rv [m/s]\n"
                       "1.5707963267948966,1800,0.05,-3,2000000,-7500\n"),
              50, {-7.5, -150 * kKms, 100 * kKms});
  expect_star(read_sky("ra [hourangle],dec [degree],parallax [arcsec]\n6,30,0.02\n"), 50, {0, 0, 0});
  EXPECT_THAT(error_of("csv", bytes_of("ra [kpc],dec,parallax\n90,30,20\n")), HasSubstr("unknown unit 'kpc'"));
}

TEST(SkyTable, UnitsOfEcsv) {
  expect_star(
      read_sky("# %ECSV 1.0\n# ---\n# datatype:\n# - {name: ra, unit: deg, datatype: float64}\n"
               "# - {name: dec, unit: deg, datatype: float64}\n"
               "# - {name: parallax, unit: arcsec, datatype: float64}\n"
               "# - {name: pmra, unit: arcsec / yr, datatype: float64}\nra dec parallax pmra\n90 30 0.02 \"\"\n"),
      50, {0, 0, 0});
}

TEST(SkyTable, MassesHaveTheirUnitOrAreSolar) {
  const Snapshot kg = read_sky("ra,dec,parallax,mass [kg]\n90,30,20,5\n"),
                 solar = read_sky("ra,dec,parallax,m\n90,30,20,5\n");
  EXPECT_DOUBLE_EQ(kg.units.mass_g, 1000);
  EXPECT_DOUBLE_EQ(solar.units.mass_g, kSunGram);
  EXPECT_EQ(solar.bodies[0].mass, 5);
  EXPECT_THAT(solar.notes, Contains(HasSubstr("solar masses")));
}

TEST(SkyTable, PlacesInSpaceArePreferred) {
  const Snapshot snapshot = read_sky("m,x,y,z,ra,dec,parallax\n1,2,3,4,90,30,20\n");
  EXPECT_EQ(snapshot.bodies.at(0).position, (Vec3{2, 3, 4}));
  expect_star(read_sky("ra,dec,parallax,r,v\n90,30,20,14.5,15.5\n"), 50, {0, 0, 0});
}

TEST(SkyTable, DistancesAreNeeded) {
  EXPECT_THAT(error_of("csv", bytes_of("ra,dec,pmra\n90,30,20\n")), HasSubstr("add a column parallax or distance"));
  const Snapshot snapshot = read_sky("ra,dec,distance\n90,30,0\n90,30,-1\n90,30,50\n");
  expect_star(snapshot, 50, {0, 0, 0});
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("2 bodies without a parallax")));
}

}  // namespace
}  // namespace pericenter::test
