#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "sim/auto_solver.h"
#include "sim/core/simulation.h"
#include "sim/files/load.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/scenes/solar_system.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;
constexpr double kSunMu = 1 / (kSolarDays * kSolarDays);  // AU^3 / day^2
constexpr std::size_t kAdded = 9;                         // the Sun and eight planets

Snapshot read_elements(const std::string& text, bool skip_bad = false) {
  return read_as("jpl", bytes_of(text), {.skip_bad = skip_bad});
}

std::string problem_of(const std::string& text) {
  return error_of("jpl", bytes_of(text));
}

double semi_major_axis(const Body& body) {
  return 1 / (2 / length(body.position) - dot(body.velocity, body.velocity) / kSunMu);
}

// In the layout of a query of the Small-Body Database, with values near those of real bodies.
const std::string kColumns = "full_name,epoch,e,a,q,i,om,w,ma,tp,H,diameter,albedo,GM,class\n";
const std::string kCeres =
    "\"     1 Ceres (A801 "
    "AA)\",2461000.5,0.08,2.77,2.5484,10.6,80.2,73.3,231.5,2461599.8,3.34,939.4,0.09,62.6284,MBA\n";
const std::string kEros =
    "\"   433 Eros (A898 PA), the "
    "first\",2461000.5,0.2228,1.458,1.13316,10.8,304.3,178.9,310.5,2461089.2,10.4,16.84,0.25,,AMO\n";
const std::string kDim = "\"       (2020 XX)\",2461000.5,0.1,2.5,2.25,1,2,3,180,,22,,,,MBA\n";
const std::string kBorisov =
    "\"2I/Borisov\",2458853.5,3.3565,-0.8515,2.00652,44.05,308.15,209.12,,2458826.05,,,,,HYP\n";
const std::string kParabola = "C/2000 X1,2461000.5,1.0,,0.5,100,10,20,,2461050.25,,,,,PAR\n";

TEST(Jpl, IsRecognisedByItsColumns) {
  const auto is = [](std::string_view text) { return matches("jpl", bytes_of(text), "a.csv"); };
  EXPECT_TRUE(is(kColumns + kCeres));
  EXPECT_TRUE(is("e;q;i;om;w;tp;epoch\n"));
  EXPECT_FALSE(is("m,x,y,z,vx,vy,vz\n1,2,3,4,5,6,7\n"));
  EXPECT_TRUE(is("e,a,i,om,w,epoch\n")) << "the error says what is missing";
  EXPECT_THAT(error_of("jpl", bytes_of("e,a,i,om,w,epoch\n1,1,1,1,1,1\n")),
              testing::HasSubstr("ma (mean anomaly) or tp"));
  EXPECT_THAT(error_of("jpl", bytes_of("e,a,i,om,w,ma\n1,1,1,1,1,1\n")), testing::HasSubstr("epoch or epoch_mjd"));
  EXPECT_FALSE(is("x,y,z,e,a,i,om,w\n"));
  EXPECT_FALSE(is(""));
}

TEST(Jpl, ReadsEveryKindOfOrbit) {
  const Snapshot snapshot = read_elements(kColumns + kCeres + kEros + kDim + kBorisov + kParabola);
  ASSERT_EQ(snapshot.bodies.size(), kAdded + 5);
  EXPECT_EQ(snapshot.bodies[0].mass, 1);
  EXPECT_EQ(snapshot.bodies[0].position, Vec3{});
  const auto body = [&](std::size_t k) { return snapshot.bodies[kAdded + k]; };
  EXPECT_NEAR(semi_major_axis(body(0)), 2.77, 1e-9);
  EXPECT_NEAR(semi_major_axis(body(1)), 1.13316 / (1 - 0.2228), 1e-9);
  EXPECT_NEAR(semi_major_axis(body(3)), -2.00652 / 2.3565, 1e-9);
  EXPECT_NEAR(1 / semi_major_axis(body(4)), 0, 1e-12);
  EXPECT_NEAR(length(body(2).position), 2.75, 1e-12) << "at aphelion";
  // On the parabola the angular momentum gives q.
  const Vec3 spin = cross(body(4).position, body(4).velocity);
  EXPECT_NEAR(dot(spin, spin) / kSunMu / 2, 0.5, 1e-12);
  EXPECT_NEAR(spin[2] / length(spin), std::cos(100 * kPi / 180), 1e-12);
  EXPECT_NE(galaxy_of(body(0).tag), galaxy_of(body(1).tag)) << "another class";
  EXPECT_EQ(galaxy_of(body(0).tag), galaxy_of(body(2).tag));
  // Units: AU and days.
  EXPECT_NEAR(snapshot.units.length_cm, 1.495978707e13, 1e3);
  EXPECT_NEAR(snapshot.units.length_cm / snapshot.units.velocity_cm_s, 86400, 1e-6);
  EXPECT_NEAR(snapshot.units.mass_g, 1.98841e33, 1e28);
}

// The mean anomaly of a hyperbola is negative before perihelion: M = e sinh H - H.
TEST(Jpl, ReadsMeanAnomalyOfHyperbolas) {
  const double e = 1.5, h = 1.2, q = 2, a = q / (e - 1), anomaly = (e * std::sinh(h) - h) * 180 / kPi;
  const auto body = [&](double degrees) {
    const std::string row = "X,2461000.5,1.5,,2,10,20,30," + std::to_string(degrees) + ",,,,,,HYP\n";
    return read_elements(kColumns + row).bodies[kAdded];
  };
  for (const double sign : {-1.0, 1.0}) {
    const Body found = body(sign * anomaly);
    EXPECT_NEAR(length(found.position), a * (e * std::cosh(h) - 1), 1e-5) << sign;
    EXPECT_NEAR(dot(found.position, found.velocity), sign * std::sqrt(kSunMu * a) * e * std::sinh(h), 1e-7) << sign;
    EXPECT_NEAR(semi_major_axis(found), -a, 1e-9);
  }
  EXPECT_NEAR(length(body(0).position), q, 1e-12);
}

TEST(Jpl, ScenesKnowTheSunAndPlanets) {
  const Snapshot snapshot = read_elements(kColumns + kCeres + kEros);
  EXPECT_TRUE(snapshot.has_planets);
  const Scene scene = scene_of(snapshot).scene;
  EXPECT_TRUE(scene.has_planets);
  ASSERT_EQ(scene.bodies.size(), kAdded + 2);
  EXPECT_GT(scene.bodies[0].mass, 1000 * scene.bodies[5].mass) << "the Sun is first";
  Snapshot other = snapshot;
  other.has_planets = false;
  EXPECT_FALSE(scene_of(other).scene.has_planets);
}

TEST(Jpl, PropagatesToOneEpoch) {
  const std::string later = "X,2461100.5,0.2,2,1.6,0,0,0,30,,,,,,\n", now = "Y,2461000.5,0.2,2,1.6,0,0,0,";
  const double degrees = 100 / (kSolarDays * std::pow(2, 1.5)) * 180 / kPi;  // mean motion in 100 days
  const Snapshot snapshot = read_elements(kColumns + kCeres + later + now + std::to_string(30 - degrees) + ",,,,,,\n");
  const Body &x = snapshot.bodies[kAdded + 1], &y = snapshot.bodies[kAdded + 2];
  EXPECT_LT(length(x.position - y.position), 1e-6);
  EXPECT_LT(length(x.velocity - y.velocity), 1e-8);
  ASSERT_EQ(snapshot.notes.size(), 3u);
  EXPECT_THAT(snapshot.notes[0], HasSubstr("epoch 21 November 2025"));
  EXPECT_THAT(snapshot.notes[1], HasSubstr("Propagated along their orbits around the Sun: 1 body with another epoch."));
  EXPECT_THAT(snapshot.notes[2], HasSubstr("Massless test particles: 2 bodies without GM"));
  // The planets are at the same epoch.
  EXPECT_EQ(snapshot.bodies[3].position, sun_and_planets(2461000.5)[3].position);
}

TEST(Jpl, TakesTheLatestEpochIfNoneIsThatOfMost) {
  const auto note = [](std::initializer_list<const char*> epochs) {
    std::string text = kColumns;
    for (const char* epoch : epochs) text += "X," + std::string(epoch) + ",0.2,2,1.6,0,0,0,30,,,,,,\n";
    return read_elements(text).notes[0];
  };
  const auto is_latest = [](const char* date) {
    return AllOf(HasSubstr(std::string("epoch ") + date), HasSubstr("the latest of the file"));
  };
  EXPECT_THAT(note({"2382760.5", "2461000.5", "2439907.5"}), is_latest("21 November 2025"));
  EXPECT_THAT(note({"2461000.5", "2382760.5"}), is_latest("21 November 2025"));
  EXPECT_THAT(note({"2382760.5", "2382760.5", "2461000.5", "2439907.5", "2457305.5"}), is_latest("21 November 2025"));
  EXPECT_THAT(note({"2382760.5", "2382760.5", "2461000.5", "2461000.5"}), is_latest("21 November 2025"));
  EXPECT_THAT(note({"2461000.5", "2461000.5", "2461100.5"}), Not(HasSubstr("the latest")));
  EXPECT_THAT(note({"2461000.5", "2461000.5", "2461100.5"}), HasSubstr("epoch 21 November 2025"));
  EXPECT_THAT(note({"2382760.5"}), Not(HasSubstr("the latest")));
}

TEST(Jpl, DerivesMassesFromKnownProperties) {
  const Snapshot snapshot = read_elements(kColumns + kCeres + kEros + kDim + kBorisov);
  constexpr double kSunKg = 1.98841e30;
  EXPECT_NEAR(snapshot.bodies[kAdded].mass * kSunKg / 9.3835e20, 1, 1e-3) << "GM";
  EXPECT_NEAR(snapshot.bodies[kAdded + 1].mass * kSunKg / (5320 * kPi / 6 * std::pow(16840, 3)), 1, 1e-3);
  EXPECT_NEAR(snapshot.bodies[kAdded + 2].mass * kSunKg / (2710 * kPi / 6 * std::pow(141.4, 3)), 1, 0.01);
  EXPECT_EQ(snapshot.bodies[kAdded + 3].mass, 0);
}

TEST(Jpl, UsesTimeOfPerihelionOnEccentricOrbits) {
  // The columns disagree: mean anomaly 0, passage 100 days before.
  const std::string rest = ",1,0,0,0,0,2460900.5,,,,,\n";
  const Snapshot snapshot = read_elements(kColumns + "A,2461000.5,0.5," + "2" + rest + "B,2461000.5,0.99,100" + rest);
  EXPECT_NEAR(length(snapshot.bodies[kAdded].position), 1, 1e-12);
  EXPECT_GT(length(snapshot.bodies[kAdded + 1].position), 1.5);
}

TEST(Jpl, ErrorsNameRowAndColumn) {
  const auto broken = [&](const std::string& row) { return problem_of(kColumns + kCeres + row); };
  EXPECT_EQ(broken("A,2461000.5,x,2,1,0,0,0,0,,,,,,\n"), "Line 3, column 'e': 'x' is not a finite number.");
  EXPECT_EQ(broken("A,2461000.5,-0.1,2,1,0,0,0,0,,,,,,\n"),
            "Line 3, column 'e': the eccentricity must be from 0 to a million.");
  EXPECT_EQ(broken("A,2461000.5,0.1,2,1,,0,0,0,,,,,,\n"), "Line 3, column 'i': the value is missing.");
  EXPECT_THAT(broken("A,60000,0.1,2,1,0,0,0,0,,,,,,\n"), HasSubstr("Line 3, column 'epoch'"));
  EXPECT_THAT(broken("A,2461000.5,1.1,2,,0,0,0,0,,,,,,\n"), HasSubstr("Line 3, column 'a'"));
  EXPECT_THAT(broken("A,2461000.5,1,2,,0,0,0,0,,,,,,\n"), HasSubstr("Line 3, column 'q'"));
  EXPECT_THAT(broken("A,2461000.5,1,,1,0,0,0,5,,,,,,\n"), HasSubstr("Line 3, column 'tp'"));
  EXPECT_THAT(broken("A,2461000.5,0.1,2,1,0,0,0,0,,-900,,,,\n"), HasSubstr("solar masses"));
  EXPECT_THAT(problem_of(kColumns), HasSubstr("no rows"));
  EXPECT_THAT(problem_of("e,a,i,om,epoch,ma\n"), HasSubstr("Column 'w' is missing"));
}

TEST(Jpl, SkipsAndCountsInvalidRows) {
  const Snapshot snapshot = read_elements(
      kColumns + "A,2461000.5,x,2,1,0,0,0,0,,,,,,\n" + kCeres + "too,few\n" + "B,2461000.5,0.1,2,-1,0,0,0,0,,,,,,\n",
      true);
  EXPECT_EQ(snapshot.bodies.size(), kAdded + 1);
  EXPECT_EQ(snapshot.skipped, 3u);
  EXPECT_THROW(read_elements(kColumns + "too,few\n", true), InputError) << "nothing is left";
}

TEST(Jpl, ReadsExtremeOrbits) {
  for (const char* const row :
       {"A,2461000.5,1000000,,1e-6,0,0,0,,1e12,,,,,\n", "A,2461000.5,0.9999999999,,1e9,0,0,0,,1,,,,,\n",
        "A,2461000.5,0,,1e-6,0,0,0,359,,,,,,\n", "A,2461000.5,1,,1e-6,1e300,1,1,,-1e11,,,,,\n"}) {
    const Body body = read_elements(kColumns + row).bodies[kAdded];
    EXPECT_TRUE(std::isfinite(length(body.position)) && std::isfinite(length(body.velocity))) << row;
  }
}

TEST(Jpl, CanBeCancelled) {
  const std::string text = kColumns + kCeres;
  EXPECT_THROW(read_as("jpl", bytes_of(text), {.progress = [](double) { return false; }}), SceneCancelled);
}

// The Sun's neighbourhood is passed in hours, the aphelion in years. IAS15 of REBOUND 5.2.2 has this aphelion after two
// periods from the same start (tests/sim/integrators.sh); around the Sun alone it would stay at 35.08 AU.
TEST(Jpl, BringsHalleysCometBackAmongThePlanets) {
  constexpr double kAxis = 17.834, kAphelion = 34.8660;
  const LoadedScene loaded =
      scene_of(read_elements("full_name,epoch,e,a,q,i,om,w,ma,tp,H,diameter,albedo,GM,class\n"
                             "1P/Halley,2460200.5,0.96714,17.834,0.58603,162.26,58.42,111.33,180,,,11,,,HTC\n"));
  const Params& params = loaded.scene.params;
  const BodySource bodies(loaded.scene.bodies);
  const Config config = with_automatic_choices({}, {.solver = true, .integrator = true}, bodies, params.softening);
  ASSERT_EQ(config.integrator, Integrator::gauss_radau);
  const auto simulation = Simulation::create(config, loaded.scene.bodies);
  const double au = loaded.scene.units.length_kpc / solar_units().length_kpc;
  const double period = 2 * kPi * std::pow(kAxis / au, 1.5);
  double largest = 0;
  while (simulation->time() < 2 * period) {
    simulation->step(params);
    if (simulation->time() > 1.7 * period)
      largest = std::max(largest, au * length(simulation->body(9).position - simulation->body(0).position));
  }
  EXPECT_NEAR(largest, kAphelion, 1e-3);
}

}  // namespace
}  // namespace pericenter::test
