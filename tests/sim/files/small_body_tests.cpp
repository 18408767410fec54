// Orbits of the Minor Planet Center and vector tables of JPL Horizons.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>

#include "sim/files/small_bodies.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;

constexpr std::size_t kSunAndPlanets = 9;  // the Sun and eight planets

// ---- MPCORB

const std::string kMpcHeading =
    "MINOR PLANET CENTER ORBIT DATABASE (MPCORB)\n\nDes'n     H     G   Epoch\n" + std::string(160, '-') + "\n";
/// In the columns of the Minor Planet Center's description, with values near those of real bodies.
const std::string kMpcCeres =
    "00001    3.34  0.15 K25BL 231.53975   73.29974   80.24963   10.58789  0.0795763  0.21429712   2.7656157  0 "
    "E2024-V47  7330 125 1801-2024 0.80 M-v 30k MPCORBFIT  4000      (1) Ceres              20241101\n";
const std::string kMpcTrojan =
    "00588    8.17  0.15 K2555  61.00000  134.00000  316.50000   10.32000  0.1471000  0.08280000   5.2140000  0 "
    "E2024-V47  2000  50 1906-2024 0.60 M-v 3Ek MPCLINUX   0009    (588) Achilles           20241101\n";
const std::string kMpcDim =
    "~0001               K25BL 180.00000    3.00000    2.00000    1.00000  0.1000000  0.25000000   2.5000000\r\n";

Snapshot read_orbits(const std::string& text, bool skip_bad = false) {
  return read_as("mpcorb", bytes_of(text), {.skip_bad = skip_bad});
}

TEST(Mpcorb, IsRecognisedWithAndWithoutHeading) {
  const auto is = [](std::string_view text) { return matches("mpcorb", bytes_of(text), "MPCORB.DAT"); };
  EXPECT_TRUE(is(kMpcHeading + kMpcCeres));
  EXPECT_TRUE(is("\n" + kMpcCeres));
  EXPECT_TRUE(is(kMpcDim));
  EXPECT_FALSE(is("m,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n"));
  EXPECT_FALSE(is("e,q,i,om,w,tp,epoch\n"));
  EXPECT_FALSE(is(""));
}

// The same elements as a table of JPL's Small-Body Database, which another reader reads.
TEST(Mpcorb, AgreesWithTheSameElementsOfJpl) {
  const Snapshot mpc = read_orbits(kMpcHeading + kMpcCeres + "\n" + kMpcTrojan + kMpcDim);
  const Snapshot jpl = read_as(
      "jpl", bytes_of(std::string_view("epoch,e,a,i,om,w,ma,H,class\n"
                                       "2461000.5,0.0795763,2.7656157,10.58789,80.24963,73.29974,231.53975,3.34,A\n"
                                       "2460800.5,0.1471,5.214,10.32,316.5,134,61,8.17,B\n"
                                       "2461000.5,0.1,2.5,1,2,3,180,,A\n")));
  ASSERT_EQ(mpc.bodies.size(), kSunAndPlanets + 3);
  for (std::size_t i = 0; i < jpl.bodies.size(); ++i) {
    EXPECT_LT(length(mpc.bodies[i].position - jpl.bodies[i].position), 1e-12) << i;
    EXPECT_LT(length(mpc.bodies[i].velocity - jpl.bodies[i].velocity), 1e-12) << i;
    EXPECT_EQ(mpc.bodies[i].mass, jpl.bodies[i].mass) << i;
  }
  EXPECT_EQ(mpc.units, jpl.units);
  EXPECT_EQ(mpc.notes, jpl.notes);
  EXPECT_THAT(mpc.notes[0], HasSubstr("21 November 2025"));
  EXPECT_GT(mpc.bodies[kSunAndPlanets].mass, 0);
  EXPECT_EQ(mpc.bodies[kSunAndPlanets + 2].mass, 0) << "H is blank";
}

TEST(Mpcorb, ColoursTypesOfOrbits) {
  const Snapshot snapshot = read_orbits(kMpcCeres + kMpcTrojan + kMpcDim);
  EXPECT_EQ(galaxy_of(snapshot.bodies[kSunAndPlanets].tag), 1u);
  EXPECT_EQ(galaxy_of(snapshot.bodies[kSunAndPlanets + 1].tag), 10u) << "flag 9: Jupiter Trojan";
  EXPECT_EQ(galaxy_of(snapshot.bodies[kSunAndPlanets + 2].tag), 1u) << "no flags";
}

TEST(Mpcorb, PackedDatesOfAllCenturiesAndMonths) {
  for (const auto& [date, text] : {std::pair("I011A", "10 January 1801"),
                                   {"J96CV", "31 December 1996"},
                                   {"K002T", "29 February 2000"},
                                   {"L3131", "1 March 2131"}}) {
    std::string line = kMpcCeres;
    line.replace(20, 5, date);
    EXPECT_THAT(read_orbits(line).notes[0], HasSubstr(text));
  }
}

TEST(Mpcorb, ProblemsNameLineAndColumns) {
  const auto with = [](std::size_t column, std::string_view text) {
    std::string line = kMpcCeres;
    line.replace(column - 1, text.size(), text);
    return kMpcHeading + kMpcCeres + line;
  };
  for (const auto& [column, text, problem] :
       {std::tuple(71u, "-.1000000", "Line 6: the eccentricity in columns 71 to 79 is missing or impossible."),
        {71u, "         ", "the eccentricity"},
        {93u, "  0.0000000", "the semimajor axis"},
        {27u, "    x    ", "the mean anomaly"},
        {60u, "190.00000", "the inclination"},
        {21u, "K252U", "a packed date such as K25BL"},
        {21u, "K25DL", "a packed date"}}) {
    EXPECT_THAT(error_of("mpcorb", bytes_of(with(column, text))), HasSubstr(problem)) << text;
    const Snapshot rest = read_orbits(with(column, text), true);
    EXPECT_EQ(rest.bodies.size(), kSunAndPlanets + 1);
    EXPECT_EQ(rest.skipped, 1u);
  }
  EXPECT_THAT(error_of("mpcorb", bytes_of(kMpcHeading)), HasSubstr("contains no orbits"));
}

TEST(Mpcorb, UnboundOrbitsAreReadIfTheyHaveAnAxis) {
  const auto with = [](std::string_view eccentricity, std::string_view axis) {
    std::string line = kMpcCeres;
    line.replace(70, 9, eccentricity).replace(92, 11, axis);
    return read_orbits(kMpcHeading + kMpcCeres + line);
  };
  const Snapshot jpl = read_as(
      "jpl", bytes_of(std::string_view("epoch,e,a,i,om,w,ma,H\n"
                                       "2461000.5,1.201134,-1.272262,10.58789,80.24963,73.29974,231.53975,\n")));
  for (const char* axis : {" -1.2722620", "  1.2722620"}) {
    const Snapshot hyperbola = with("1.2011340", axis);
    ASSERT_EQ(hyperbola.bodies.size(), kSunAndPlanets + 2);
    EXPECT_LT(length(hyperbola.bodies.back().position - jpl.bodies.back().position), 1e-9) << axis;
    EXPECT_LT(length(hyperbola.bodies.back().velocity - jpl.bodies.back().velocity), 1e-9) << axis;
  }
  for (const auto& [eccentricity, axis] : {std::pair("1.2011340", "           "), {"1.0000000", "  2.7656157"}}) {
    const Snapshot rest = with(eccentricity, axis);
    EXPECT_EQ(rest.bodies.size(), kSunAndPlanets + 1);
    EXPECT_EQ(rest.skipped, 0u);
    EXPECT_THAT(rest.notes.back(), HasSubstr("1 unbound orbits without a semimajor axis are left out"));
  }
}

// ---- Horizons

std::string table_of(const std::string& name, const std::string& physical, const std::string& rows,
                     const std::string& center = "Sun (10)", const std::string& units = "AU-D") {
  return "*****\n " + physical + "\n*****\nTarget body name: " + name +
         "   {source: JPL#48}\nCenter body name: " + center + "   {source: DE441}\nOutput units    : " + units +
         "\nReference frame : Ecliptic of J2000.0\n*****\n   JDTDB\n   X     Y     Z\n   VX    VY    VZ\n   LT    RG   "
         " RR\n*****\n$$SOE\n" +
         rows + "$$EOE\n*****\n";
}

const std::string kLabelled =
    "2461041.500000000 = A.D. 2026-Jan-01 00:00:00.0000 TDB \n"
    " X = 2.500000000000000E+00 Y =-1.000000000000000E+00 Z =-4.000000000000000E-01\n"
    " VX= 3.000000000000000E-03 VY= 9.000000000000000E-03 VZ=-5.000000000000000E-04\n"
    " LT= 1.570000000000000E-02 RG= 2.720000000000000E+00 RR=-5.000000000000000E-04\n"
    "2461042.500000000 = A.D. 2026-Jan-02 00:00:00.0000 TDB \n"
    " X = 9.0E+00 Y = 9.0E+00 Z = 9.0E+00\n VX= 9.0E+00 VY= 9.0E+00 VZ= 9.0E+00\n LT= 9.0 RG= 9.0 RR= 9.0\n";
const std::string kCsv =
    "2461041.500000000, A.D. 2026-Jan-01 00:00:00.0000,  2.5E+00, -1.0E+00, -4.0E-01,  3.0E-03,  9.0E-03, -5.0E-04,\n"
    "2461042.500000000, A.D. 2026-Jan-02 00:00:00.0000,  9.0E+00,  9.0E+00,  9.0E+00,  9.0E+00,  9.0E+00,  9.0E+00,\n";
const std::string kBare =
    "2461041.500000000 = A.D. 2026-Jan-01 00:00:00.0000 (CT)\n  2.5E+00 -1.0E+00 -4.0E-01\n  3.0E-03  9.0E-03 "
    "-5.0E-04\n";

Snapshot read_vectors(const std::string& text) {
  return read_as("horizons", bytes_of(text));
}

TEST(Horizons, ReadsAllFormsOfVectorTables) {
  for (const std::string& rows : {kLabelled, kCsv, kBare}) {
    const std::string text = table_of("1 Ceres (A801 AA)", "GM= 62.6284   RAD= 469.7", rows);
    ASSERT_TRUE(matches("horizons", bytes_of(text), "ceres.txt"));
    const Snapshot snapshot = read_vectors(text);
    ASSERT_EQ(snapshot.bodies.size(), 2u);
    EXPECT_EQ(snapshot.bodies[0].mass, 1) << "the Sun";
    EXPECT_EQ(snapshot.bodies[1].position, (Vec3{2.5, -1, -0.4})) << rows;
    EXPECT_EQ(snapshot.bodies[1].velocity, (Vec3{3e-3, 9e-3, -5e-4})) << rows;
    EXPECT_NEAR(snapshot.bodies[1].mass * kSunKm3S2, 62.6284, 1e-9);
    EXPECT_EQ(snapshot.units, solar_file_units());
    EXPECT_THAT(snapshot.notes.at(0), testing::AllOf(HasSubstr("1 January 2026"), HasSubstr("The Sun")));
  }
}

TEST(Horizons, ReadsTablesOfUniversalTime) {
  std::string csv =
      table_of("Ceres", "", "2461041.5, A.D. 2026-Jan-01 00:00, 69.2, 2.5, -1.0, -0.4, 3.0E-03, 9.0E-03, -5.0E-04,\n");
  csv.replace(csv.find("   JDTDB"), 8, "JDUT, Calendar Date (UT), delta-T,");
  EXPECT_EQ(read_vectors(csv).bodies[1].position, (Vec3{2.5, -1, -0.4}));
  std::string rows = kBare;
  rows.replace(rows.find("(CT)"), 4, "UT [del_T=     69.2 s]");
  EXPECT_EQ(read_vectors(table_of("Ceres", "", rows)).bodies[1].position, (Vec3{2.5, -1, -0.4}));
}

TEST(Horizons, ConvertsKilometres) {
  const std::string rows = "2461041.5, A.D. 2026-Jan-01 00:00:00.0000, 149597870.7, 0, 0, 0, 30, 0,\n";
  for (const auto& [units, speed] : {std::pair("KM-S", 30 * 86400 / 149597870.7), {"KM-D", 30 / 149597870.7}}) {
    const Snapshot snapshot =
        read_vectors(table_of("Earth (399)", "GM, km^3/s^2 = 398600.435436", rows, "Sun (10)", units));
    EXPECT_NEAR(snapshot.bodies[1].position[0], 1, 1e-12);
    EXPECT_NEAR(snapshot.bodies[1].velocity[1] / speed, 1, 1e-12) << units;
    EXPECT_NEAR(snapshot.bodies[1].mass, 3.0035e-6, 1e-10);
  }
}

TEST(Horizons, JoinsTablesOfOneFile) {
  const std::string barycenter = "Solar System Barycenter (0)";
  const std::string sun = table_of(
      "Sun (10)", "GM, km^3/s^2          = 132712440041.93938\n  GM 1-sigma, km^3/s^2 = 10.0", kBare, barycenter);
  const std::string jupiter =
      table_of("Jupiter (599)", "GM 1-sigma (km^3/s^2) = 25.0\n  GM (km^3/s^2) = 126686531.900", kCsv, barycenter);
  const std::string comet = table_of("1P/Halley", "GM= n.a.    RAD= 5.5", kLabelled, barycenter);
  const Snapshot snapshot = read_vectors(sun + jupiter + comet);
  ASSERT_EQ(snapshot.bodies.size(), 3u);
  EXPECT_NEAR(snapshot.bodies[0].mass, 1, 1e-8);
  EXPECT_NEAR(snapshot.bodies[1].mass, 9.5459e-4, 1e-7);
  EXPECT_EQ(snapshot.bodies[2].mass, 0);
  EXPECT_THAT(snapshot.notes.at(1), HasSubstr("no GM: 1P/Halley."));
  EXPECT_THAT(read_vectors(comet).notes.at(1), HasSubstr("The Sun is not in the file"));
}

TEST(Horizons, ProblemsSayWhatToAskFor) {
  const std::string ceres = table_of("Ceres", "GM= 62.6284", kCsv);
  const auto replaced = [&](std::string_view old, std::string_view text) {
    std::string result = ceres;
    return result.replace(result.find(old), old.size(), text);
  };
  const std::string later = table_of("Vesta", "", "2461043.5, A.D. 2026-Jan-03 00:00, 1, 1, 1, 1, 1, 1,\n");
  for (const auto& [text, problem] :
       {std::pair(replaced("Sun (10)", "Earth (399)"), "has the center 'Earth (399)'. Ask Horizons"),
        {replaced("AU-D", "PC-D"), "no line 'Output units'"},
        {replaced("VX", "--"), "The table of 'Ceres' has no velocities. Ask Horizons for a \"Vector Table\""},
        {replaced("2461041.500000000", "41"), "has no Julian date"},
        {table_of("Ceres", "", ""), "has no vectors"},
        {ceres + later, "'Vesta' has no row for the date 1 January 2026"},
        {ceres + table_of("Vesta", "", kCsv, "Earth (399)"), "'Vesta' has another center"}})
    EXPECT_THAT(error_of("horizons", bytes_of(text)), HasSubstr(problem));
  std::string other = table_of("Vesta", "", kCsv);
  other.replace(other.find("Ecliptic"), 8, "ICRF    ");
  EXPECT_THAT(error_of("horizons", bytes_of(ceres + other)), HasSubstr("has other axes than the first one"));
}

}  // namespace
}  // namespace pericenter::test
