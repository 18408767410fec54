#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "sim/files/unit_system.h"
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
  const std::string error = csv_error("x,energy\n1,2\n");
  EXPECT_THAT(error, HasSubstr("x, energy"));
  EXPECT_THAT(error, HasSubstr("vx, vy, vz"));
}

TEST(Csv, ALineOfAnotherKindOfFileIsNotRepeated) {
  for (const std::string line : {"root:x:0:0:root:/root:/bin/sh\n", "machine example.org login ann password secret\n",
                                 "secret, more\n", "secret\tmore\n"})
    EXPECT_THAT(csv_error(line),
                testing::AllOf(HasSubstr("'m' is missing. The first line"), testing::Not(HasSubstr("secret"))))
        << line;
  EXPECT_THAT(csv_error("x,y,Mtot\n"), HasSubstr("The columns are: x, y, Mtot."));
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

/// The notes on a table of three bodies with these fields in a column.
std::string notes_on(const std::string& column, const std::vector<std::string>& fields) {
  std::string text = column + ",m,x,y\n", notes;
  for (const std::string& field : fields) text += field + ",1," + std::to_string(text.size()) + ",0\n";
  for (const std::string& note : read_text(text).notes) notes += note + ' ';
  return notes;
}

// Regression: they were dropped without a word.
TEST(Csv, IdsThatAreNoNumbersAreIgnored) {
  EXPECT_TRUE(read_text("id,m,x,y\n1,1,0,0\na,1,1,0\n").ids.empty());
  for (const char* const id : {"a", "-9223372036854775809", "18446744073709551616", "1.5", "nan", ""})
    EXPECT_THAT(notes_on("id", {"7", id, "8"}),
                HasSubstr("The ids are ignored, because one is not a whole number from -2^63 to 2^64 - 1: "
                          "Line 3, column 'id': '" +
                          std::string(id) + "'."));
  EXPECT_EQ(read_text("id,m,x,y\n18446744073709551615,1,0,0\n").ids.front(), 18446744073709551615u);
  EXPECT_EQ(read_text("id,m,x,y\n-2,1,0,0\n").ids.front(), 18446744073709551614u);
}

TEST(Csv, EqualIdsAreNoted) {
  EXPECT_THAT(notes_on("id", {"7", "9", "7"}), HasSubstr("More than one body has the id 7; --play takes each for the "
                                                         "nearest of them."));
  EXPECT_THAT(notes_on("id", {"7", "9", "8"}), testing::Not(HasSubstr("id 7")));
}

TEST(Csv, GroupsAndUnknownComponentsAreNoted) {
  EXPECT_THAT(notes_on("group", {"nan", "-1", "1e9"}), HasSubstr("Groups (galaxies): 'nan', '-1', '1e9'."));
  EXPECT_THAT(
      notes_on("component", {"disc", "Stars", "other"}),
      HasSubstr("The component 'Stars' is unknown, and its bodies have none. Write disc, bulge, halo or other."));
  EXPECT_THAT(notes_on("component", {"disc", "", "DARK"}), testing::Not(HasSubstr("component")));
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

TEST(Csv, TimeUnitCompletesEveryOtherUnit) {
  const auto units = [](const std::string& declared) {
    return read_text("#unit " + declared + "\nm,x,y\n1,0,0\n").units;
  };
  constexpr double kMyr = 3.15576e13;
  const FileUnits with_mass = units("mass=Msun time=Myr");
  EXPECT_DOUBLE_EQ(with_mass.mass_g, kSunGram);
  EXPECT_DOUBLE_EQ(with_mass.length_cm / with_mass.velocity_cm_s, kMyr);
  EXPECT_NEAR(gravity_in(with_mass), 1, 1e-12);
  EXPECT_DOUBLE_EQ(units("length=pc time=Myr").velocity_cm_s, kParsecCm / kMyr);
  EXPECT_DOUBLE_EQ(units("velocity=km/s time=Myr").length_cm, 1e5 * kMyr);
  // Three units define the velocity, and G is what they make it.
  for (const char* order : {"length=pc mass=1e5 Msun time=Myr", "time=Myr, mass=1e5 Msun, length=pc"}) {
    const FileUnits all = units(order);
    EXPECT_DOUBLE_EQ(all.velocity_cm_s, kParsecCm / kMyr);
    EXPECT_DOUBLE_EQ(all.mass_g, 1e5 * kSunGram);
    EXPECT_NEAR(gravity_in(all), 449.85, 0.01);  // 4.4985e-3 pc^3 / Msun / Myr^2
  }
}

// As astropy.table.Table.write(format="ascii.ecsv") writes it.
const std::string kEcsv =
    "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: id, datatype: int64}\n"
    "# - {name: m, unit: 1e+10 solMass, datatype: float64, description: 'of the star, unit: kg'}\n"
    "# - {name: x, unit: kpc, datatype: float64}\n# - {name: y, unit: kpc, datatype: float64}\n"
    "# - {name: vx, unit: km / s, datatype: float64}\n# - name: vy\n#   unit: km / s\n#   datatype: float64\n"
    "# meta: !!omap\n# - {name: x, unit: parsnip}\n# schema: astropy-2.0\n"
    "id m x y vx vy\n5 2.0 3.0 4.0 5.0 6.0\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Csv, ReadsUnitsOfEcsv) {
  const Snapshot snapshot = read_text(kEcsv);
  ASSERT_EQ(snapshot.bodies.size(), 1u);
  EXPECT_EQ(snapshot.bodies[0].position, (Vec3{3, 4, 0}));
  EXPECT_EQ(snapshot.bodies[0].velocity, (Vec3{5, 6, 0}));
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, 1e3 * kParsecCm);
  EXPECT_DOUBLE_EQ(snapshot.units.mass_g, 1e10 * kSunGram);
  EXPECT_DOUBLE_EQ(snapshot.units.velocity_cm_s, 1e5);
  EXPECT_TRUE(snapshot.notes.empty());
  EXPECT_DOUBLE_EQ(read_text(replaced(kEcsv, "# ---", "#unit length=pc mass=kg")).units.length_cm, kParsecCm);
}

/// The first body has this mass, is at (3, 4, 5) and has the velocity (6, 7, 8).
void expect_body(const std::string& text, double mass = 2) {
  const Snapshot snapshot = read_text(text);
  ASSERT_GE(snapshot.bodies.size(), 1u) << text;
  EXPECT_EQ(snapshot.bodies[0].mass, mass) << text;
  EXPECT_EQ(snapshot.bodies[0].position, (Vec3{3, 4, 5})) << text;
  EXPECT_EQ(snapshot.bodies[0].velocity, (Vec3{6, 7, 8})) << text;
}

TEST(Csv, ReadsColumnNamesOfOtherPrograms) {
  for (const char* names :
       {"mass,x,y,z,v_x,v_y,v_z",                                                                        // galpy
        "\"mass\",\"Points:0\",\"Points:1\",\"Points:2\",\"Velocity:0\",\"Velocity:1\",\"Velocity:2\"",  // ParaView
        "mass,Points_0,Points_1,Points_2,velocity_0,velocity_1,velocity_2",  // ParaView, other version
        "particle_mass,particle_position_x,particle_position_y,particle_position_z,particle_velocity_x,"
        "particle_velocity_y,particle_velocity_z",                                                  // yt
        "Masses,Coordinates_0,Coordinates_1,Coordinates_2,Velocities_0,Velocities_1,Velocities_2",  // pandas
        "m,pos.x,pos.y,pos.z,vel.x,vel.y,vel.z",                                                    // Astropy
        "m,position x,position y,position z,velocity x,velocity y,velocity z", "M,X1,X2,X3,V1,V2,V3",
        "m [Msun],x [kpc],y [kpc],z [kpc],vx [km/s],vy [km/s],vz [km/s]",
        "m (Msun),x (kpc),y (kpc),z (kpc),vx (km/s),vy (km/s),vz (km/s)"})
    expect_body(std::string(names) + "\n2,3,4,5,6,7,8\n");
  for (const char* names :
       {"m x y z vx vy vz", "# m x y z vx vy vz", "#m\tx\ty\tz\tvx\tvy\tvz",
        "# [01     particle mass]   [02    x]   [03 y] [04 z] [05 v_x] [06 v_y] [07 v_z]",  // SPLASH
        "m [Msun] x [kpc] y [kpc] z [kpc] vx [km/s] vy [km / s] vz [km/s]",
        "# m [Msun] x [kpc] y [kpc] z [kpc] vx [km / s] vy [km / s] vz [km / s]"})
    expect_body(std::string(names) + "\n2 3 4 5 6 7 8\n");
  for (const char* names :
       {"m galcen.x galcen.y galcen.z galcen.v_x galcen.v_y galcen.v_z",  // SkyCoord in ECSV, Astropy 7
        "m c.x c.y c.z c.differentials.s.d_x c.differentials.s.d_y c.differentials.s.d_z",
        "body.mass body.pos.x body.pos.y body.pos.z body.vel.x body.vel.y body.vel.z",  // pandas.json_normalize
        "m star[x] star[y] star[z] star[vx] star[vy] star[vz]", "m pos[0] pos[1] pos[2] vel[0] vel[1] vel[2]",
        "m x y z xdot ydot zdot", "m x y z dx dy dz", "m x y z x_dot y_dot z_dot", "m x y z velx vely velz",
        "m x_pos y_pos z_pos x_vel y_vel z_vel", "m xposition yposition zposition xvelocity yvelocity zvelocity",
        "m x y z u v w", "mass_msun x_kpc y_kpc z_kpc vx_kms vy_kms vz_kms", "mass_kg x_m y_m z_m vx_m_s vy_m_s vz_m_s",
        "m x_pc y_pc z_pc vx_km_per_s vy_km_per_s vz_km_per_s"})
    expect_body(std::string(names) + "\n2 3 4 5 6 7 8\n");
  expect_body("m acc.x acc.y acc.z gal.x gal.y gal.z gal.v_x gal.v_y gal.v_z\n2 -1 -1 -1 3 4 5 6 7 8\n");
  expect_body("m,v.x,v.y,v.z,q.x,q.y,q.z\n2,6,7,8,3,4,5\n");
  expect_body("id,m,pos,vel\n9,2,\"[3.0, 4.0, 5.0]\",\"[6.0,7.0,8.0]\"\n");
}

TEST(Csv, UnitsMayBelongToNames) {
  const FileUnits units = read_text("mass_msun,x_pc,y_pc,z_pc,vx_km_s,vy_km_s,vz_km_s\n1,0,0,0,0,0,0\n").units;
  EXPECT_DOUBLE_EQ(units.length_cm, kParsecCm);
  EXPECT_DOUBLE_EQ(units.mass_g, kSunGram);
  EXPECT_DOUBLE_EQ(units.velocity_cm_s, 1e5);
  for (const char* name : {"m_g", "x_cm", "v_t", "m_h"})
    EXPECT_FALSE(read_text(std::string("m,x,y,z,") + name + "\n1,0,0,0,0\n").units.known()) << name;
}

TEST(Csv, UnusedColumnsAreNamed) {
  EXPECT_THAT(read_text("m,x,y,z,px,py,pz\n1,0,0,0,1,1,1\n").notes,
              testing::ElementsAre(HasSubstr("No velocities"), "Used only for colours: px, py, pz."));
  EXPECT_THAT(read_text("m,x,y,vx,vy,a,b,c,d,e,f,g,h,i,j\n1,0,0,1,1,1,1,1,1,1,1,1,1,1,1\n").notes,
              testing::ElementsAre("Used only for colours: a, b, c, d, e, f, g, h and 2 more columns."));
  EXPECT_TRUE(read_text("m,x,y,vx,vy,\n1,0,0,1,1,\n").notes.empty()) << "without a name";
  EXPECT_TRUE(read_text("# Not used: y.\nm,x,y,vx,vy\n1,0,0,1,1\n").notes.empty()) << "a comment of the file";
}

TEST(Csv, ReadsUnitsInHeadings) {
  for (const char* names :
       {"m [1e10 Msun] x [kpc] y [kpc] vx [km / s] vy [km / s]", "# m [1e10 Msun] x [kpc] y [kpc] vx [km/s] vy [km/s]",
        "m (10^10 Msun) x (kpc) y (kpc) vx (km s^-1) vy (km s^-1)"}) {
    const FileUnits units = read_text(std::string(names) + "\n1 2 3 4 5\n").units;
    EXPECT_NEAR(gravity_in(units), 43007.1, 43007.1 * 1e-4) << names;
  }
  EXPECT_THAT(csv_error("m,x [furlong],y\n1,2,3\n"), HasSubstr("unknown unit 'furlong'"));
  EXPECT_EQ(csv_error("m(1),x(2),y(3)\n1,2,3\n"), "") << "numbers of columns";
}

// write_set_to_file of AMUSE 2024.6: names, then units as Python and as text; the text format has one line of units.
TEST(Csv, ReadsTablesOfAmuse) {
  const std::string names = "#mass,radius,vx,vy,vz,x,y,z\n", row = "1.0,0.1,6,7,8,3,4,5\n";
  std::string code = "#(1.98892e+30 * system.get('S.I.').base('mass'))";
  for (int k = 1; k < 8; ++k) code += ",(1000.0 * system.get('S.I.').base('length'))";
  const Snapshot physical = read_text(
      names + code + "\n" +
      "#1.98892e+30 * kg,695500000.0 * m,1000.0 * m * s**-1,1000.0 * m * s**-1,1000.0 * m * s**-1,149597870691.0 * m,"
      "149597870691.0 * m,149597870691.0 * m\n" +
      row);
  EXPECT_DOUBLE_EQ(physical.units.mass_g, 1.98892e33);
  EXPECT_DOUBLE_EQ(physical.units.length_cm, 149597870691e2);
  EXPECT_DOUBLE_EQ(physical.units.velocity_cm_s, 1e5);
  EXPECT_EQ(physical.bodies[0].position, (Vec3{3, 4, 5}));
  const Snapshot text = read_text(
      "#mass radius vx vy vz x y z\n#kg m m * s**-1 m * s**-1 m * s**-1 m m m\n"
      "1.0 0.1 6 7 8 3 4 5\n");
  EXPECT_DOUBLE_EQ(text.units.mass_g, 1000);
  EXPECT_DOUBLE_EQ(text.units.velocity_cm_s, 100);
  const Snapshot n_body = read_text(names +
                                    "#mass,length,length * time**-1,length * time**-1,length * time**-1,"
                                    "length,length,length\n" +
                                    row);
  EXPECT_FALSE(n_body.units.known());
  EXPECT_EQ(n_body.bodies[0].velocity, (Vec3{6, 7, 8}));
  EXPECT_THAT(n_body.notes, testing::ElementsAre(HasSubstr("N-body units"), "Used only for colours: radius."));
}

TEST(Csv, ReadsVectorsOfEcsv) {
  const std::string head =
      "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: m, unit: earthMass, datatype: float64}\n"
      "# - {name: pos, unit: AU, datatype: string, subtype: 'float64[3]'}\n"
      "# - {name: vel, unit: km / s, datatype: string, subtype: 'float64[3]'}\n# schema: astropy-2.0\nm pos vel\n";
  const Snapshot snapshot = read_text(head + "2.0 [3.0,4.0,5.0] [6.0,7.0,8.0]\n");
  EXPECT_EQ(snapshot.bodies[0].position, (Vec3{3, 4, 5}));
  EXPECT_EQ(snapshot.bodies[0].velocity, (Vec3{6, 7, 8}));
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, kAstronomicalUnitCm);
  EXPECT_NEAR(snapshot.units.mass_g, 5.97217e27, 1e22);
  for (const char* wrong : {"[3.0]", "[1,2,3,4]", "[a,b,c]", "3.0"})
    EXPECT_THAT(csv_error(head + "2.0 " + wrong + " [6.0,7.0,8.0]\n"), HasSubstr("not a list of 3 numbers")) << wrong;
}

TEST(Csv, EvidentColumnsNeedNoNames) {
  for (const char* text : {"2 3 4 5 6 7 8\n1 -3 -4 -5 -6 -7 -8\n", "2,3,4,5,6,7,8\n1,-3,-4,-5,-6,-7,-8\n",
                           "3 4 5 6 7 8 2\n-3 -4 -5 -6 -7 -8 1\n", "1 2 3 4 5 6 7 8\n2 1 -3 -4 -5 -6 -7 -8\n",
                           "# made by hand\n2.0D0 3d0 4 5 6 7 8\n1 -3 -4 -5 -6 -7 -8\n"}) {
    expect_body(text);
    ASSERT_FALSE(read_text(text).notes.empty());
    EXPECT_THAT(read_text(text).notes[0], HasSubstr("no column names. Assumed: ")) << text;
  }
  for (const char* text : {"2 3 4 5 6 7\n1 -3 -4 -5 -6 -7\n", "1 2 3 4 5 6 7\n", "-2 3 4 5 6 7 -8\n",
                           "1 2 3 4 5 6 7 8\n5 1 -3 -4 -5 -6 -7 -8\n"})
    EXPECT_THAT(csv_error(text), HasSubstr("numbers without column names. Add a first line")) << text;
}

/// Rows of these functions of the row's number.
std::string rows_with(std::size_t count, const std::vector<double (*)(double)>& columns) {
  std::string text;
  for (std::size_t row = 0; row < count; ++row) {
    for (const auto& column : columns) text += std::to_string(column(static_cast<double>(row))) + " ";
    text += "\n";
  }
  return text;
}

TEST(Csv, UnnamedColumnsWithSeveralReadingsAreRefused) {
  const auto any = [](double k) { return std::sin(5 * k + 1) - 0.3; };
  const auto mass = [](double k) { return 1.5 + std::sin(7 * k); };
  const auto box = [](double k) { return 5 + 4 * std::sin(3 * k); };
  const auto one = [](double) { return 1.0; };
  const auto zero = [](double) { return 0.0; };
  const auto time = [](double k) { return 0.1 * k; };
  const auto early = [](double k) { return 0.1 * k * k; };
  const auto shuffled = [](double k) { return std::fmod(7 * k + 3, 20.0); };
  const auto error = [](const std::vector<double (*)(double)>& columns) { return csv_error(rows_with(20, columns)); };
  for (const auto& first :
       std::vector<double (*)(double)>{time, early, shuffled, [](double k) { return 10 - 0.5 * k; }})
    EXPECT_THAT(error({first, any, any, any, any, any, any}), HasSubstr("the first column can be masses, or times"));
  EXPECT_THAT(error({any, any, any, any, any, any, time}), HasSubstr("the last column can be masses or times"));
  EXPECT_THAT(error({box, box, box, any, any, any, mass}), HasSubstr("masses can be the first column or the last"));
  EXPECT_THAT(error({box, box, box, any, any, any, any}), HasSubstr("masses can be the first column or the last"));
  const auto names = [](const std::vector<double (*)(double)>& columns) {
    return read_text(rows_with(20, columns)).notes[0];
  };
  EXPECT_THAT(names({mass, any, any, any, any, any, any}), HasSubstr("Assumed: m, x"));
  EXPECT_THAT(names({one, any, any, any, any, any, any}), HasSubstr("Assumed: m, x"));
  EXPECT_THAT(names({one, any, any, any, any, any, zero}), HasSubstr("Assumed: m, x")) << "a disc";
  EXPECT_THAT(names({mass, box, box, box, any, any, any}), HasSubstr("Assumed: m, x"));
  EXPECT_THAT(names({box, box, box, any, any, any, one}), HasSubstr("Assumed: x, y, z, vx, vy, vz, m"));
  EXPECT_THAT(names({any, any, any, any, any, any, mass}), HasSubstr("Assumed: x, y, z, vx, vy, vz, m"));
}

// As galpy, astroquery, REBOUND's users and gnuplot write several times.
TEST(Csv, OneOfSeveralTimesIsRead) {
  for (const char* name : {"t", "time", "Time", "datetime_jd", "JD", "MJD", "epoch", "snapshot", "step"}) {
    const std::string head = std::string(name) + ",id,m,x,y,vx,vy\n";
    const Snapshot snapshot =
        read_text(head + "5,0,1,2,3,4,5\n5,1,1,2,3,4,5\n6,0,1,2,3,4,5\n6,1,1,2,3,4,5\n7,0,1,2,3,4,nan\n");
    EXPECT_EQ(snapshot.bodies.size(), 2u) << name;
    EXPECT_THAT(snapshot.notes, testing::ElementsAre(
                                    HasSubstr("' has 3 values, and the 2 rows of the first one, 5, are read. To play")))
        << name;
    EXPECT_EQ(read_text(head + "5,0,1,2,3,4,5\n5,1,1,2,3,4,5\n").notes.size(), 0u) << name;
  }
  EXPECT_EQ(read_text("T,m,x,y\n5,1,2,3\n6,1,2,3\n").bodies.size(), 2u) << "temperature";
  const std::string rows = "1 2 3 4 5\n1 2 3 4 6\n";
  for (const char* between : {"\n\n", "\n \r\n\n", "# m x y vx vy\n", "# t = 3\n", "\n\n# index 1\n"}) {
    const Snapshot snapshot = read_text("# m x y vx vy\n" + rows + between + rows + between + rows);
    EXPECT_EQ(snapshot.bodies.size(), 2u) << between;
  }
  const Snapshot named = read_text("m x y vx vy\n" + rows + "m x y vx vy\n" + rows);
  EXPECT_EQ(named.bodies.size(), 2u);
  EXPECT_THAT(named.notes, testing::ElementsAre(HasSubstr(
                               "The file has 2 tables one after another, and the 2 rows of the first are read.")));
  const Snapshot parts = read_text("m x y vx vy\n\n\n" + rows + "\n" + rows);
  EXPECT_EQ(parts.bodies.size(), 4u);
  EXPECT_THAT(parts.notes, testing::ElementsAre(HasSubstr("Empty lines divide the table into 2 parts of 2 rows")));
}

TEST(Csv, TimesOfCommentsAndColumnsAreRead) {
  const std::string table = "#unit length=pc velocity=km/s\nm,x,y,vx,vy\n1,0,0,1,1\n";
  constexpr double kMyr = 3.15576e13;
  const double myr = kMyr / (kParsecCm / 1e5);
  const std::map<std::string, double> times = {{"# t = 0.1", 0.1},
                                               {"# t=0.1", 0.1},
                                               {"#time 0.1", 0.1},
                                               {"# Time: 0.1 Myr", 0.1 * myr},
                                               {"# time [Myr] = 2", 2 * myr},
                                               {"# t = -1e-1", -0.1},
                                               {"# time=2.5e-1 [Myr]", 0.25 * myr},
                                               {"# Simulation time = 3, N = 5", 3},
                                               {"# - {time: 0.5}", 0.5},
                                               {"# time step = 3", 0},
                                               {"# t x y 1", 0},
                                               {"# time 1 2 3", 0},
                                               {"# threshold = 3", 0},
                                               {"# time_unit = 3", 0}};
  for (const auto& [comment, time] : times) EXPECT_NEAR(read_text(comment + "\n" + table).time, time, 1e-12) << comment;
  EXPECT_EQ(read_text("t,m,x,y\n3.5,1,0,0\n").time, 3.5);
  EXPECT_NEAR(read_text("#unit length=pc velocity=km/s\ntime [Myr],m,x,y\n3,1,0,0\n").time, 3 * myr, 1e-12);
  EXPECT_NEAR(read_text("#unit length=pc velocity=km/s\nJD,m,x,y\n3,1,0,0\n").time, 3 * 86400e5 / kParsecCm, 1e-20);
  EXPECT_EQ(read_text("snapshot,m,x,y\n3,1,0,0\n").time, 0);
}

// Excel, R's write.table, pandas' to_string, MATLAB, Fortran, Markdown, gnuplot; ACS of Hut and Makino.
TEST(Csv, ReadsWhatSurroundsTables) {
  const std::string row = "2 3 4 5 6 7 8\n", names = "m x y z vx vy vz\n";
  for (const std::string comment : {"%", "!", "//", ";", "# 1:m 2:x 3:y 4:z 5:vx 6:vy 7:vz\n#"})
    expect_body(comment + (comment.size() < 3 ? " " + names : "\n") + row);
  expect_body("# columns: " + names + row);
  expect_body("1\n" + row + "3 4 5 -6 7 8 9\n" == "" ? "" : "1\n" + names + row);
  expect_body("\"m\" \"x\" \"y\" \"z\" \"vx\" \"vy\" \"vz\"\n\"1\" " + row + "\"2\" " + row);
  expect_body("   m   x   y   z  vx  vy  vz\n0 " + row + "1 " + row);
  expect_body("\"m\",\"x\",\"y\",\"z\",\"vx\",\"vy\",\"vz\"\n\"Sun\",2,3,4,5,6,7,8\n");
  expect_body("m,x,y,z,vx,vy,vz\n2,3,4,5,6,7,8,\n2,3,4,5,6,7,8,\n");
  expect_body("# m,x,y,z,vx,vy,vz\n2,3,4,5,6,7,8,\n2,3,4,5,6,7,8,\n");
  expect_body("sep=;\r\nm;x;y;z;vx;vy;vz\r\n2;3;4;5;6;7,0;8\r\n");
  expect_body("m|x|y|z|vx|vy|vz\n2|3|4|5|6|7|8\n");
  expect_body("| m | x | y | z | vx | vy | vz |\n|---|:-:|--:|---|---|---|---|\n| 2 | 3 | 4 | 5 | 6 | 7 | 8 |\n");
  EXPECT_EQ(csv_error("m,x,y\n1,2,3,4\n").substr(0, 38), "Line 2: the row has 4 fields, but the ");
}

TEST(Csv, ReadsTheNumberOfRowsInTheFirstLine) {
  const std::string rows = "2 3 4 5 6 7 8\n1 -3 -4 -5 -6 -7 -8\n";
  expect_body("2\n" + rows);
  const Snapshot acs = read_text("2\n0.5\n" + rows + "2\n0.75\n" + rows);
  EXPECT_EQ(acs.bodies.size(), 2u);
  EXPECT_EQ(acs.time, 0.5);
  EXPECT_THAT(acs.notes, testing::Contains(HasSubstr("what follows them is not read")));
  const Snapshot planets = read_text(
      "2\n2.50e+11\n 1.4960e+11 0.0 3.0 2.9800e+04 5.9740e+24 earth.gif\n0 0 0 0 1.989e30 sun.gif\n\nThis file has "
      "planets.\n");
  ASSERT_EQ(planets.bodies.size(), 2u);
  EXPECT_EQ(planets.bodies[0].position, (Vec3{1.496e11, 0, 0}));
  EXPECT_EQ(planets.bodies[0].velocity, (Vec3{3, 2.98e4, 0}));
  EXPECT_EQ(planets.bodies[1].mass, 1.989e30);
  EXPECT_DOUBLE_EQ(planets.units.mass_g, 1000);
  EXPECT_EQ(planets.time, 0);
}

TEST(Csv, ACompletedUnitIsNoted) {
  const auto note = [](const std::string& names) { return read_text(names + "\n1,0,0,1,1\n").notes; };
  EXPECT_THAT(note("m,x [pc],y [pc],vx [km/s],vy [km/s]"),
              testing::ElementsAre(
                  HasSubstr("The unit of mass is not stated: with G = 1, it follows from the others as 232.5 Msun.")));
  EXPECT_THAT(note("m [Msun],x [pc],y [pc],vx,vy"),
              testing::ElementsAre(HasSubstr("The unit of velocity is not stated")));
  EXPECT_THAT(note("m [Msun],x,y,vx [km/s],vy [km/s]"),
              testing::ElementsAre(HasSubstr("The unit of length is not stated")));
  EXPECT_TRUE(note("m [Msun],x [pc],y [pc],vx [km/s],vy [km/s]").empty());
}

TEST(Csv, IdsMayBeWrittenAsRealNumbers) {
  EXPECT_EQ(read_text("id m x y\n7.000000000000000000e+00 1 0 0\n-2.0 1 1 1\n").ids,
            (std::vector<std::uint64_t>{7, 18446744073709551614u}));
  EXPECT_TRUE(read_text("id m x y\n1e17 1 0 0\n").ids.empty()) << "more digits than a double has";
}

TEST(Csv, BodiesWithoutMassAreTestParticles) {
  expect_body("x,y,z,vx,vy,vz\n3,4,5,6,7,8\n", 0);
  EXPECT_THAT(read_text("x,y,z\n3,4,5\n").notes[0], HasSubstr("No masses"));
  EXPECT_THAT(csv_error("x,y\n3,4\n"), HasSubstr("'m' is missing")) << "any diagram has x and y";
  EXPECT_THAT(csv_error("m,ra,dec,pmra\n1,2,3,4\n"), HasSubstr("add a column parallax"));
}

TEST(Csv, ReadsFortranExponents) {
  expect_body("m x y z vx vy vz\n0.2D+01 3.0d0 .4D1 5.D+00 6.0Q0 70.0D-1 0.8+001\n");
  for (const char* wrong : {"D", "1D", "1.0D+", "1.0DD1", "2026-001", "d1", "1.5-2", "1e5D2"})
    EXPECT_THAT(csv_error(std::string("m x y\n1 2 ") + wrong + "\n"), HasSubstr("is not a finite number")) << wrong;
}

TEST(Csv, UnitsOfEcsvMustBeKnownAndEqual) {
  EXPECT_THAT(csv_error(replaced(kEcsv, "unit: kpc", "unit: furlong")), HasSubstr("Column 'x' has the unknown unit"));
  EXPECT_THAT(csv_error(replaced(kEcsv, "unit: kpc", "unit: km / s")), HasSubstr("unknown unit 'km / s'"));
  EXPECT_THAT(csv_error(replaced(kEcsv, "unit: kpc", "unit: pc")), HasSubstr("'y', have different units"));
  EXPECT_THAT(csv_error(replaced(kEcsv, "unit: kpc, ", "")), HasSubstr("'y', have different units"));
  EXPECT_EQ(csv_error(replaced(kEcsv, "name: id", "name: id, unit: furlong")), "");
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
  EXPECT_THAT(snapshot.notes.back(),
              HasSubstr("More than 16 groups (galaxies), and those after the first 15 count as one"));
}

TEST(Csv, CanBeCancelled) {
  EXPECT_THROW(read_text("m,x,y\n1,0,0\n", {.progress = [](double) { return false; }}), SceneCancelled);
}

// The definitions in SI (IAU 2012 resolution B2, IAU 2015 resolutions B2 and B3), not those of the program.
TEST(Units, HaveTheirSizeInCgs) {
  const double au = 149'597'870'700e2, parsec = au * 648'000 / std::numbers::pi, sun = 1.98841e33;
  const double year = 365.25 * 86400;
  const std::map<std::string, double> lengths = {{"Gpc", 1e9 * parsec},
                                                 {"Rsun", 6.957e10},
                                                 {"Rjup", 7.1492e9},
                                                 {"Rearth", 6.3781e8},
                                                 {"Mpc", 1e6 * parsec},
                                                 {"kpc", 1e3 * parsec},
                                                 {"pc", parsec},
                                                 {"lyr", 299'792'458e2 * year},
                                                 {"AU", au},
                                                 {"km", 1e5},
                                                 {"m", 100},
                                                 {"cm", 1}};
  const std::map<std::string, double> masses = {{"Msun", sun}, {"Mjup", 1.898125e30}, {"Mearth", 5.97217e27},
                                                {"t", 1e6},    {"kg", 1e3},           {"g", 1}};
  const std::map<std::string, double> times = {
      {"Gyr", 1e9 * year}, {"Myr", 1e6 * year}, {"kyr", 1e3 * year}, {"yr", year},
      {"day", 86400},      {"h", 3600},         {"min", 60},         {"s", 1}};
  const auto expect_sizes = [](const char* kind, const std::map<std::string, double>& sizes) {
    std::string names = unit_names(kind) + ", ";
    for (const auto& [name, size] : sizes) {
      EXPECT_NEAR(unit_size(kind, name) / size, 1, 1e-6) << name;
      ASSERT_NE(names.find(name + ", "), names.npos) << name;
      names.erase(names.find(name + ", "), name.size() + 2);
    }
    EXPECT_EQ(names, "") << "have no test";
  };
  expect_sizes("length", lengths);
  expect_sizes("mass", masses);
  expect_sizes("time", times);
  for (const auto& [length, cm] : lengths) {
    for (const auto& [time, seconds] : times) {
      EXPECT_NEAR(unit_size("velocity", length + "/" + time) * seconds / cm, 1, 1e-12) << length << '/' << time;
    }
  }
  EXPECT_NEAR(unit_size("velocity", "kpc/Gyr") / 97779.2, 1, 1e-6);
  EXPECT_NEAR(unit_size("velocity", "AU/day") / 1.7314568e8, 1, 1e-6);
}

TEST(Units, ParseCommonSpellings) {
  EXPECT_DOUBLE_EQ(unit_size("length", "3.5 kpc"), 3.5e3 * kParsecCm);
  EXPECT_DOUBLE_EQ(unit_size("mass", "1e10 Msun"), 1e10 * kSunGram);
  EXPECT_DOUBLE_EQ(unit_size("velocity", "100km/s"), 1e7);
  EXPECT_DOUBLE_EQ(unit_size("velocity", "3 AU / Day"), 3 * kAstronomicalUnitCm / 86400);
  const std::pair<const char*, const char*> same[] = {
      {"solMass", "Msun"}, {"M_sun", "Msun"}, {"earthMass", "Mearth"}, {"jupiterMass", "Mjup"}, {"MSun", "Msol"}};
  for (const auto& [a, b] : same) EXPECT_EQ(unit_size("mass", a), unit_size("mass", b)) << a;
  for (const char* text : {"km / s", "km s-1", "km.s-1", "km s^-1", "km*s**-1", "1000.0 * m * s**-1", "kms", "km/(s)",
                           "1000.0 * units.m * units.s**-1", "10**3 m s**(-1)", "100000 cm/s"})
    EXPECT_NEAR(unit_size("velocity", text), 1e5, 1e-9) << text;
  EXPECT_DOUBLE_EQ(unit_size("mass", "1.98892e+30 * kg"), 1.98892e33);
  EXPECT_DOUBLE_EQ(unit_size("length", "149597870691.0 * m"), 149597870691e2);
  EXPECT_DOUBLE_EQ(unit_size("mass", "10^10 Msun"), 1e10 * kSunGram);
  EXPECT_EQ(unit_meaning("length * time**-1"), UnitMeaning::n_body);
  EXPECT_EQ(unit_meaning("nbody_system.mass"), UnitMeaning::n_body);
  EXPECT_EQ(unit_size("mass", "mass"), 0);
  for (const char* none : {"", "3", "velocity", "kg**", "kg / / s", "-1 kg", "kg**999"})
    EXPECT_EQ(unit_meaning(none), UnitMeaning::none) << none;
  for (const char* wrong : {"km", "km/", "/s", "kpc/kpc", "s/km"}) EXPECT_EQ(unit_size("velocity", wrong), 0) << wrong;
  EXPECT_EQ(unit_size("mass", "kpc"), 0);
  EXPECT_EQ(unit_size("length", "1e400 kpc"), 0);
  EXPECT_EQ(unit_size("length", ""), 0);
}

// What writers print: Astropy 8 (to_string of generic, fits, vounit, cds, unicode, latex), unyt 3, pynbody 2.8, AMUSE
// 2024, and people.
TEST(Units, AreReadAsProgramsWriteThem) {
  const std::vector<std::string> suns = {"Msun",       "msun",       "solMass",    "M_sun",        "MSun",
                                         "Msol",       "M☉",         "M⊙",         "M_⊙",          "M_{\\odot}",
                                         "$M_\\odot$", "M$_\\odot$", "solar mass", "solar masses", "1 Msol",
                                         "1.0 * MSun", "units.MSun"};
  for (const std::string& text : suns) EXPECT_DOUBLE_EQ(unit_size("mass", text), kSunGram) << text;
  for (const char* text :
       {"1e10 Msun", "1e10 M☉", "1e10M⊙", "10^10 Msun", "10**10 solMass", "10+10Msun", "1.00e+10 Msol",
        "10000000000.0*Msun", "10^{10} M_{\\odot}", "$\\mathrm{10^{10}\\,M_{\\odot}}$", "10¹⁰ M⊙", "1×10^10 Msun"})
    EXPECT_NEAR(unit_size("mass", text) / kSunGram, 1e10, 1e-4) << text;
  EXPECT_NEAR(unit_size("mass", "M⊕") / unit_size("mass", "Mearth"), 1, 1e-15);
  EXPECT_NEAR(unit_size("mass", "M♃") / unit_size("mass", "Mjup"), 1, 1e-15);
  EXPECT_NEAR(unit_size("length", "R⊙") / 6.957e10, 1, 1e-15);
  for (const char* text : {"km/s", "km s^-1", "kms-1", "kms^-1", "kms**-1", "kms⁻¹", "km s⁻¹", "km·s⁻¹", "km s^{-1}",
                           "$\\mathrm{km\\,s^{-1}}$", "km.s**-1", "km/sec", "1000 m/second", "kms", "km/ (s)"})
    EXPECT_NEAR(unit_size("velocity", text), 1e5, 1e-9) << text;
  for (const char* text : {"m/s", "ms^-1", "ms-1", "ms", "m s-1", "m s⁻¹"})
    EXPECT_DOUBLE_EQ(unit_size("velocity", text), 100) << text;
  EXPECT_NEAR(unit_size("velocity", "AUd") / 1.7314568e8, 1, 1e-6);
  EXPECT_NEAR(unit_size("velocity", "AU/hour") * 3600, kAstronomicalUnitCm, 1);
  EXPECT_NEAR(unit_size("angular velocity", "km rad / (kpc s)") / (1e5 / kKpcCm), 1, 1e-12);
  EXPECT_NEAR(unit_size("velocity", "kpc / (10 yr)") * 10 * kYearSecond / kKpcCm, 1, 1e-12);
}

TEST(Units, WhatIsWrittenTogetherIsNeverAnotherUnit) {
  for (const char* kind : {"length", "mass", "time"}) {
    for (const char* text : {"ms", "ms^-1", "ms-1", "kms", "Ms"}) EXPECT_EQ(unit_size(kind, text), 0) << kind << text;
  }
  for (const char* text : {"kpc/ms", "km ms^-1", "1/kms", "kpc kms-1", "s^-1 kms", "M☉", "☉", "⁻¹"})
    EXPECT_EQ(unit_size("velocity", text), 0) << text;
  EXPECT_EQ(unit_size("length", "kpc a"), 0);  // comoving (pynbody)
  EXPECT_EQ(unit_size("length", "Mpc h^-1"), 0);
  EXPECT_EQ(unit_size("length", "kpccm"), 0);  // comoving (yt)
}

}  // namespace
}  // namespace pericenter::test
