// Units and periodic volume that the user states.
#include "sim/files/stated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "sim/files/load.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/registry.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;

const FileUnits kGadget = {kKpcCm, 1e10 * kSunGram, 1e5};

/// A Plummer sphere in equilibrium: scale radius 5, mass 1, velocities for this gravitational constant.
Snapshot cluster(double gravity, const FileUnits& units) {
  Snapshot snapshot = snapshot_of(find_scene("plummer")->make({.bodies = 2000}).bodies);
  for (Body& body : snapshot.bodies) {
    body.position *= 5;
    body.velocity *= std::sqrt(gravity / 5);
  }
  snapshot.units = units;
  return snapshot;
}

TEST(StatedUnits, AreParsed) {
  const Stated::Units units = units_from(" length=2.5 kpc,mass=1e10 Msun; velocity = km/s");
  EXPECT_NEAR(units.length / (2.5 * kKpcCm), 1, 1e-12);
  EXPECT_NEAR(units.mass / (1e10 * kSunGram), 1, 1e-12);
  EXPECT_EQ(units.velocity, 1e5);
  EXPECT_EQ(units_from("time=Myr").time, 1e6 * kYearSecond);
  for (const std::string_view text : usual_units()) EXPECT_TRUE(stated_units(units_from(text), {}).known()) << text;
}

TEST(StatedUnits, WrongOnesAreRefusedWithWhatIsAllowed) {
  for (const char* text : {"", "kpc", "length", "length=", "=kpc", "length=Msun", "size=kpc", "length=0 kpc",
                           "length=-1 kpc", "length=inf kpc", "length=kpc mass", "length=kpc velocity=kpc"})
    EXPECT_THAT(error_of([&] { units_from(text); }), HasSubstr("is no unit. Write, for example, length=kpc")) << text;
}

TEST(StatedUnits, ReplaceThoseOfTheFile) {
  Snapshot snapshot = cluster(1, kGadget);
  state({.units = units_from("length=pc")}, snapshot);
  EXPECT_EQ(snapshot.units, (FileUnits{kParsecCm, kGadget.mass_g, 1e5}));
  EXPECT_THAT(snapshot.notes.back(), HasSubstr("Units as stated: length = 3.086e+18 cm."));
  state({.units = units_from("time=yr")}, snapshot);
  EXPECT_EQ(snapshot.units.velocity_cm_s, kParsecCm / kYearSecond);
  EXPECT_EQ(scene_of(std::move(snapshot)).origin->measures.declared.length_cm, kParsecCm) << "those before";
}

TEST(StatedUnits, OfAFileWithoutUnitsAreCompletedByGravity) {
  Snapshot snapshot = cluster(1, {});
  state({.units = units_from("length=kpc velocity=km/s")}, snapshot);
  EXPECT_NEAR(gravity_in(snapshot.units), 1, 1e-12);
  snapshot.units = {};
  EXPECT_THAT(error_of([&] { state({.units = units_from("length=kpc")}, snapshot); }),
              HasSubstr("State two of length, mass, velocity and time"));
}

TEST(StatedUnits, SavedRunsHaveTheirOwn) {
  Snapshot snapshot = cluster(1, {});
  snapshot.run = SavedRun();
  EXPECT_THAT(error_of([&] { state({.units = units_from("length=kpc")}, snapshot); }),
              HasSubstr("saved by Pericenter"));
  EXPECT_THAT(error_of([&] { state({.box = 1}, snapshot); }), HasSubstr("saved by Pericenter"));
  EXPECT_EQ(error_of([&] { state({}, snapshot); }), "no error");
}

TEST(StatedUnits, APeriodicVolumeReplacesThatOfTheFile) {
  Snapshot snapshot = cluster(1, {});
  state({.box = 100}, snapshot);
  EXPECT_EQ(snapshot.box, (Vec3{100, 100, 100}));
  EXPECT_THAT(snapshot.notes.back(), HasSubstr("periodic with a side of 100 units of length of the file, as stated."));
  state({.box = 0}, snapshot);
  EXPECT_EQ(snapshot.box, Vec3{});
  EXPECT_THAT(snapshot.notes.back(), HasSubstr("not periodic, as stated"));
}

/// Extent and age of a cosmological file in cgs, read with these units.
struct Universe {
  double place, mass, age;
};
Universe universe_of(const std::string& file, const std::string& units) {
  Stated stated;
  if (!units.empty()) stated.units = units_from(units);
  const Snapshot snapshot = read_snapshot(fixture_path(file), {.stated = stated});
  return {length(snapshot.bodies[0].position) * snapshot.units.length_cm,
          snapshot.bodies[0].mass * snapshot.units.mass_g,
          snapshot.time * snapshot.units.length_cm / snapshot.units.velocity_cm_s};
}

// Regression: stating GADGET's own units changed lengths and masses by h, and other units the age of the universe.
TEST(StatedUnits, KeepTheHAndTheAgeOfACosmologicalFile) {
  for (const char* file : {"gadget_cosmological", "hdf5/comoving.hdf5"}) {
    const Universe own = universe_of(file, "");
    for (const char* suffix : {"", "/h"}) {
      const auto units = [&](const char* length) {
        return std::string("length=") + length + suffix + " mass=1e10 Msun" + suffix + " velocity=km/s";
      };
      const Universe same = universe_of(file, units("kpc")), large = universe_of(file, units("Mpc"));
      EXPECT_NEAR(same.place / own.place, 1, 1e-9) << file;
      EXPECT_NEAR(same.mass / own.mass, 1, 1e-9) << file;
      EXPECT_NEAR(same.age / own.age, 1, 1e-9) << file;
      EXPECT_NEAR(large.place / own.place, 1000, 1e-6) << file;
      EXPECT_NEAR(large.age / own.age, 1, 1e-9) << file;
    }
  }
  EXPECT_THAT(error_of([&] {
                read_snapshot(fixture_path("tipsy_native"),
                              {.stated = {.units = units_from("length=kpc/h mass=Msun")}});
              }),
              HasSubstr("The file has no h"));
}

// Regression: the side was not converted, unlike the positions and the side in the header.
TEST(StatedUnits, ThePeriodicSideIsConvertedLikePositions) {
  for (const char* file : {"gadget_cosmological", "hdf5/comoving.hdf5"}) {
    const Snapshot plain = read_snapshot(fixture_path(file), {}),
                   stated = read_snapshot(fixture_path(file), {.stated = {.box = 1000}});
    EXPECT_NE(plain.length_factor, 1) << file;
    EXPECT_NEAR(stated.box[0], 1000 * plain.length_factor, 1e-9) << file;
    EXPECT_THAT(stated.notes.back(), HasSubstr("1000 units of length of the file, as stated, converted")) << file;
  }
}

TEST(StatedUnits, AreReadWithTheFile) {
  const std::string path = fixture_path("tipsy_native");
  const Snapshot plain = read_snapshot(path, {}),
                 stated =
                     read_snapshot(path, {.stated = {.units = units_from("length=kpc mass=1e10 Msun velocity=km/s")}});
  EXPECT_FALSE(plain.units.known());
  EXPECT_EQ(stated.units, kGadget);
  EXPECT_EQ(stated.bodies.front().position, plain.bodies.front().position) << "the numbers are those of the file";
  EXPECT_THAT(error_of([&] { read_snapshot(path, {.stated = {.units = units_from("length=kpc")}}); }),
              testing::StartsWith(path));
}

TEST(UnitsHint, NamesUnitsInWhichABodyOfStarsIsInEquilibrium) {
  const double gravity = gravity_in(kGadget);
  const auto hint = [](const Snapshot& snapshot) { return units_hint(measures_of(snapshot, {}), snapshot.units); };
  EXPECT_EQ(hint(cluster(1, {})), "") << "in equilibrium";
  EXPECT_EQ(hint(cluster(gravity, kGadget)), "");
  EXPECT_THAT(hint(cluster(gravity, {})), HasSubstr("\"length=kpc mass=1e10 Msun velocity=km/s\""));
  EXPECT_THAT(hint(cluster(1, kGadget)), HasSubstr("G = 1"));
  EXPECT_THAT(hint(cluster(gravity_in({kParsecCm, kSunGram, 1e5}), kGadget)),
              HasSubstr("\"length=pc mass=Msun velocity=km/s\""));
  EXPECT_EQ(hint(cluster(1e-30, {})), "") << "cold in all of them";
  EXPECT_EQ(hint(cluster(0, {})), "") << "at rest";
}

TEST(UnitsHint, MeasuresWhatAUserCanJudge) {
  const FileMeasures measures = measures_of(cluster(1, {}), {});
  EXPECT_NEAR(measures.mass, 1, 1e-6);
  EXPECT_NEAR(measures.virial_ratio, 1, 0.06) << "20,000 random pairs";
  // Half of a Plummer sphere is within 1.305 scale radii; Henon's units have a scale radius of 3 pi / 16.
  EXPECT_NEAR(measures.radius, 5 * 1.305 * 0.589, 0.25);
  EXPECT_NEAR(measures.period_in({}), 2 * 3.14159 * std::sqrt(2 * std::pow(measures.radius, 3)), 1e-3);
  EXPECT_EQ(measures_of(snapshot_of(Bodies(3)), {}).virial_ratio, 0) << "without mass";
  Bodies sun(1000);
  sun[0].mass = 1;
  for (std::size_t k = 1; k < sun.size(); ++k) sun[k] = {{1.0 + static_cast<double>(k), 0, 0}, {0, 1, 0}, 1e-9, 0};
  EXPECT_EQ(measures_of(snapshot_of(sun), {}).virial_ratio, 0) << "pairs drawn by mass are nearly all the sun itself";
}

}  // namespace
}  // namespace pericenter::test
