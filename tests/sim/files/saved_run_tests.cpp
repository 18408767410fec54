// What saved runs contain for other programs, and what a loaded file keeps when its run is saved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/file_origin.h"
#include "sim/files/hdf5/dataset.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/hdf5/writer.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"
#include "sim/scenes/registry.h"
#include "sim/session/session.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

/// A file as other programs read it: without the group /Pericenter.
class PlainFile {
 public:
  explicit PlainFile(std::string path) : path_(std::move(path)) {}

  std::vector<double> attribute(const std::string& group, const std::string& name) const {
    const Hdf5Session session;
    const Hdf5File part = open_hdf5_file(session, path_);
    return hdf5_numbers(open_hdf5_group(part.file.get(), group).get(), name);
  }
  /// Of a dataset of dark matter.
  std::vector<double> dataset_attribute(const std::string& dataset, const std::string& name) const {
    const Hdf5Session session;
    const Hdf5File part = open_hdf5_file(session, path_);
    const Hdf5Handle group = open_hdf5_group(part.file.get(), "PartType1");
    return hdf5_numbers(Hdf5Dataset(part, group, dataset, 3).id(), name);
  }
  std::vector<double> column(const std::string& type, const std::string& name, std::uint64_t columns) const {
    const Hdf5Session session;
    const Hdf5File part = open_hdf5_file(session, path_);
    const Hdf5Handle group = open_hdf5_group(part.file.get(), type);
    std::vector<double> values;
    if (!group) return values;
    const Hdf5Dataset dataset(part, group, name, columns);
    if (dataset) dataset.read(0, dataset.rows(), values);
    return values;
  }
  std::vector<double> positions(const std::string& type) const { return column(type, "Coordinates", 3); }
  std::vector<double> ids(const std::string& type) const { return column(type, "ParticleIDs", 1); }

 private:
  std::string path_;
};

/// Loads a file, takes steps, saves the run.
void save_after(const std::string& from, const std::string& to, int steps) {
  Session session;
  session.load(std::make_shared<const SceneSource>(file_source(from, {})));
  for (int k = 0; k < steps; ++k) session.advance(nullptr, true);
  write_hdf5(to, session.snapshot(), {});
}

std::vector<std::uint8_t> text_bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

void save_collision(const std::string& path) {
  Session session;
  session.load(request::LoadScene{"collision", {.bodies = 200, .seed = 3}});
  for (int k = 0; k < 4; ++k) session.advance(nullptr, false);
  write_hdf5(path, session.snapshot(), {});
}

TEST(SavedRuns, AreInKpcSolarMassesAndKmPerSecond) {
  const TemporaryFile file("run.hdf5");
  save_collision(file.path());
  const Snapshot own = read_hdf5(file.path(), {});
  ASSERT_TRUE(own.run);
  const PlainFile plain(file.path());
  for (const char* group : {"Units", "Parameters", "Header"}) {
    EXPECT_EQ(plain.attribute(group, "UnitLength_in_cm"), std::vector{kGalacticUnits.length_cm}) << group;
    EXPECT_EQ(plain.attribute(group, "UnitMass_in_g"), std::vector{kGalacticUnits.mass_g}) << group;
    EXPECT_EQ(plain.attribute(group, "UnitVelocity_in_cm_per_s"), std::vector{kGalacticUnits.velocity_cm_s}) << group;
  }
  // Stars and dark matter, in the order of the run.
  std::vector<double> halo, stars;
  double mass = 0, farthest = 0;
  for (const Body& body : own.bodies) {
    std::vector<double>& positions = component_of(body.tag) == Component::halo ? halo : stars;
    for (int k = 0; k < 3; ++k) {
      positions.push_back(body.position[k] * own.run->units.length_kpc);
      farthest = std::max(farthest, std::abs(positions.back()));
    }
    mass += body.mass;
  }
  expect_near(plain.positions("PartType1"), halo, 1e-6 * farthest);
  expect_near(plain.positions("PartType4"), stars, 1e-6 * farthest);
  double written = 0;
  for (const char* type : {"PartType1", "PartType4"})
    for (const double each : plain.column(type, "Masses", 1)) written += each;
  EXPECT_NEAR(written / mass, own.units.mass_g / kGalacticUnits.mass_g, 1e-5 * written / mass);
  EXPECT_NEAR(written, 151.1, 0.2) << "two galaxies with a disc of 5e10 solar masses each";
  const double box = plain.attribute("Header", "BoxSize").at(0);
  EXPECT_GE(box, 2 * farthest);
  EXPECT_LT(box, 2.1 * farthest);
}

TEST(SavedRuns, GiveReadersTimeAndSoftening) {
  const TemporaryFile file("run.hdf5");
  save_collision(file.path());
  const Snapshot own = read_hdf5(file.path(), {});
  const PlainFile plain(file.path());
  const double gyr = own.time * own.run->units.time_myr / 1e3;
  EXPECT_NEAR(plain.attribute("Parameters", "Time_GYR").at(0), gyr, 0.002 * gyr);
  EXPECT_NEAR(plain.attribute("Header", "Time").at(0) * kKpcCm / 1e5 / (1e9 * kYearSecond), gyr, 0.002 * gyr);
  const double softening = own.softening * own.run->units.length_kpc;
  EXPECT_DOUBLE_EQ(plain.attribute("Parameters", "SofteningMaxPhysClass0").at(0), softening);
  EXPECT_EQ(plain.attribute("Parameters", "SofteningClassOfPartType4"), std::vector{0.0});
  EXPECT_DOUBLE_EQ(plain.column("PartType4", "Softenings", 1).at(0), softening);
  EXPECT_EQ(hdf5_time(file.path()), own.time) << "a series of saved runs is played in scene units";
}

TEST(SavedRuns, OfTheFirstFormatAreStillRead) {
  const std::string path = fixture_path("hdf5/saved_run_1.hdf5");
  const Snapshot snapshot = read_hdf5(path, {});
  ASSERT_TRUE(snapshot.run);
  const Scene scene = find_scene("collision")->make({.bodies = 24, .seed = 3});
  ASSERT_EQ(snapshot.bodies.size(), scene.bodies.size());
  const PlainFile plain(path);
  std::size_t found = 0;
  for (const char* type : {"PartType1", "PartType2"}) {
    const std::vector<double> ids = plain.ids(type), positions = plain.positions(type),
                              velocities = plain.column(type, "Velocities", 3),
                              masses = plain.column(type, "Masses", 1), tags = plain.column(type, "PericenterTags", 1);
    for (std::size_t k = 0; k < ids.size(); ++k, ++found) {
      const Body& body = snapshot.bodies.at(static_cast<std::size_t>(ids[k]) - 1);  // they count from 1
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(body.position[axis], positions[3 * k + axis], 1e-12) << ids[k];
        EXPECT_NEAR(body.velocity[axis], velocities[3 * k + axis], 1e-12) << ids[k];
      }
      EXPECT_NEAR(body.mass, masses[k], 1e-12) << ids[k];
      EXPECT_EQ(body.tag, static_cast<std::uint32_t>(tags[k])) << ids[k];
    }
  }
  EXPECT_EQ(found, snapshot.bodies.size());
  EXPECT_DOUBLE_EQ(snapshot.units.length_cm, scene.units.length_kpc * kKpcCm);
  Params params = scene.params;
  params.dt = 0.03;  // as the scene suggested then
  EXPECT_EQ(snapshot.run->params, params);
  EXPECT_FALSE(snapshot.run->start);
  EXPECT_FALSE(snapshot.run->origin);
}

// Also after steps, and when the loaded run continues and returns to a recorded moment.
TEST(SavedRuns, KeepDustAndYoungStars) {
  const auto tags_of = [](const Bodies& bodies) {
    std::vector<std::uint32_t> tags;
    for (const Body& body : bodies) tags.push_back(body.tag);
    return tags;
  };
  const auto marked = [](const Body& body) { return dust_of(body.tag) > 0 || is_young(body.tag); };
  const TemporaryFile file("arms.hdf5");
  Session session;
  session.load(request::LoadScene{"galaxy", {.bodies = 3000}});
  const std::vector<std::uint32_t> start = tags_of(session.snapshot().bodies);
  EXPECT_GT(std::ranges::count_if(session.snapshot().bodies, marked), 100);
  session.advance(nullptr, true);
  write_hdf5(file.path(), session.snapshot(), {});
  session.load(std::make_shared<const SceneSource>(file_source(file.path(), {})));
  EXPECT_EQ(tags_of(session.snapshot().bodies), start);
  session.advance(nullptr, true);
  EXPECT_EQ(tags_of(session.snapshot().bodies), start);
  session.apply(request::Rollback{});
  EXPECT_EQ(tags_of(session.snapshot().bodies), start);
}

TEST(SavedRuns, OfALoadedFileKeepIdsTypesUnitsAndPlace) {
  const TemporaryFile once("once.hdf5"), twice("twice.hdf5");
  for (const char* name : {"arepo.hdf5", "gadget2.hdf5", "gadget4.hdf5"}) {
    const std::string source = fixture_path(std::string("hdf5/") + name);
    save_after(source, once.path(), 0);
    save_after(once.path(), twice.path(), 0);
    const Snapshot before = read_hdf5(source, {});
    for (const std::string& path : {once.path(), twice.path()}) {
      const PlainFile from(source), to(path);
      for (int type = 0; type < 6; ++type) {
        const std::string group = "PartType" + std::to_string(type);
        EXPECT_EQ(to.ids(group), from.ids(group)) << name << group;
        expect_near(to.positions(group), from.positions(group), 1e-5);
        expect_near(to.column(group, "Velocities", 3), from.column(group, "Velocities", 3), 1e-5);
      }
      EXPECT_EQ(to.attribute("Header", "NumPart_ThisFile").at(1), from.attribute("Header", "NumPart_ThisFile").at(1));
      EXPECT_EQ(to.attribute("Units", "UnitLength_in_cm"), std::vector{before.units.length_cm}) << name;
      EXPECT_EQ(to.attribute("Units", "UnitMass_in_g"), std::vector{before.units.mass_g}) << name;
      EXPECT_NEAR(to.attribute("Header", "Time").at(0), before.time, 1e-12) << name;
    }
    const Snapshot first = read_hdf5(once.path(), {}), second = read_hdf5(twice.path(), {});
    ASSERT_EQ(first.bodies.size(), second.bodies.size());
    for (std::size_t i = 0; i < first.bodies.size(); ++i)
      EXPECT_EQ(first.bodies[i].position, second.bodies[i].position) << "bits of a restart, body " << i;
  }
}

TEST(SavedRuns, OfALoadedFileKeepItsBox) {
  const TemporaryFile source("source.hdf5"), once("once.hdf5"), twice("twice.hdf5");
  Snapshot snapshot = read_hdf5(fixture_path("hdf5/gadget4.hdf5"), {});
  for (const bool for_swift : {false, true}) {
    write_hdf5(source.path(), snapshot, {.for_swift = for_swift, .box_size = 300}, {});
    save_after(source.path(), once.path(), 3);
    save_after(once.path(), twice.path(), 3);
    for (const std::string& path : {once.path(), twice.path()}) {
      EXPECT_EQ(PlainFile(path).attribute("Header", "BoxSize"), std::vector{300.0}) << for_swift;
      EXPECT_EQ(PlainFile(path).attribute("Parameters", "BoxSize"), std::vector{300.0}) << for_swift;
    }
  }
  Session session;
  session.load(std::make_shared<const SceneSource>(file_source(source.path(), {})));
  Snapshot oblong = session.snapshot();
  FileOrigin origin = *oblong.run->origin;
  origin.box = {10, 20, 30};
  oblong.run->origin = std::make_shared<const FileOrigin>(origin);
  write_hdf5(once.path(), oblong, {});
  save_after(once.path(), twice.path(), 0);
  EXPECT_EQ(PlainFile(twice.path()).attribute("Header", "BoxSize"), (std::vector<double>{10, 20, 30}));
}

/// Ids of the bodies of each type in a file, sorted, and their positions.
std::vector<std::map<double, std::vector<double>>> bodies_by_type(const std::string& path) {
  std::vector<std::map<double, std::vector<double>>> types(6);
  for (std::size_t type = 0; type < types.size(); ++type) {
    const std::string group = "PartType" + std::to_string(type);
    const std::vector<double> ids = PlainFile(path).ids(group), x = PlainFile(path).positions(group);
    for (std::size_t i = 0; i < ids.size(); ++i) types[type][ids[i]] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  }
  return types;
}

/// The bodies of type 2 to 4 with descending ids in two files; in the second one, a body is replaced.
std::vector<std::string> playback_files(const TemporaryFile& first, const TemporaryFile& second) {
  Snapshot snapshot;
  snapshot.units = kGalacticUnits;
  for (std::uint64_t k = 0; k < 6; ++k) {
    const auto x = static_cast<double>(k);
    const Component component = k % 2 == 0 ? Component::bulge : Component::disc;
    snapshot.bodies.push_back({{100 + x, x * x, -x}, {1, 0, 0}, 1 + x, make_tag(0, component)});
    snapshot.ids.push_back(70 - k * k);
  }
  write_hdf5(first.path(), snapshot, {.box_size = 400}, {});
  snapshot.time = 1;
  snapshot.ids[2] = 1000;
  for (Body& body : snapshot.bodies) body.position[0] += 1;
  write_hdf5(second.path(), snapshot, {.box_size = 400}, {});
  return {first.path(), second.path()};
}

TEST(SavedRuns, OfAPlaybackKeepIdsTypesAndBox) {
  const TemporaryFile first("frame_0.hdf5"), second("frame_1.hdf5"), saved("saved.hdf5");
  const std::vector<std::string> paths = playback_files(first, second);
  const auto source = bodies_by_type(first.path());
  Session session;
  session.load(std::make_shared<const SceneSource>(series_source(paths, {})));
  ASSERT_TRUE(session.state().playback);
  for (const bool simulated : {false, true}) {
    if (simulated) session.apply(request::Simulate{});
    ASSERT_EQ(session.state().playback.has_value(), !simulated);
    write_hdf5(saved.path(), session.snapshot(), {});
    const auto found = bodies_by_type(saved.path());
    for (std::size_t type = 0; type < source.size(); ++type) {
      // The body that the second file replaces is not shown.
      EXPECT_EQ(found[type].size() + source[type].contains(66), source[type].size()) << type;
      for (const auto& [id, position] : found[type]) {
        ASSERT_TRUE(source[type].contains(id)) << id;
        expect_near(position, source[type].at(id), 1e-4);
      }
    }
    EXPECT_EQ(PlainFile(saved.path()).attribute("Header", "BoxSize"), std::vector{400.0});
  }
}

TEST(SavedRuns, OfATableMoveWithItsDrift) {
  // Two bodies about (1000, 0, 0) that move with (3, 0, 0).
  const TemporaryFile table("two.csv",
                            text_bytes("id,m,x,y,z,vx,vy,vz\n12,1,1010,0,0,3,0.2,0\n11,1,990,0,0,3,-0.2,0\n"));
  const TemporaryFile run("two.hdf5");
  save_after(table.path(), run.path(), 20);
  const PlainFile plain(run.path());
  EXPECT_EQ(plain.ids("PartType4"), (std::vector<double>{12, 11}));
  const double time = plain.attribute("Header", "Time").at(0);
  EXPECT_GT(time, 0);
  const std::vector<double> x = plain.positions("PartType4"), v = plain.column("PartType4", "Velocities", 3);
  ASSERT_EQ(x.size(), 6u);
  EXPECT_NEAR((x[0] + x[3]) / 2, 1000 + 3 * time, 1e-4);
  EXPECT_NEAR((v[0] + v[3]) / 2, 3, 1e-5);
  EXPECT_LT(std::abs(x[0] - x[3]), 20) << "they attract each other";
  EXPECT_NEAR(plain.column("PartType4", "Masses", 1).at(0), 1, 1e-12);
}

TEST(SavedRuns, ContinueTheEnergyError) {
  const TemporaryFile file("half.hdf5");
  const auto advance = [](Session& session, int steps) {
    for (int k = 0; k < steps; ++k) session.advance(nullptr, true);
    return session.state().energy_error;
  };
  Session whole;
  whole.load(request::LoadScene{"plummer", {.bodies = 300, .seed = 2}});
  advance(whole, 10);
  write_hdf5(file.path(), whole.snapshot(), {});
  const double expected = advance(whole, 10);
  Session rest;
  rest.load(std::make_shared<const SceneSource>(file_source(file.path(), {})));
  EXPECT_NE(rest.state().energy_error, 0);
  EXPECT_DOUBLE_EQ(advance(rest, 10), expected);
  // A reference for another softening is of no use.
  Session softer({.initial_params = [](const Params& saved) {
    Params params = saved;
    params.softening *= 2;
    return params;
  }});
  softer.load(std::make_shared<const SceneSource>(file_source(file.path(), {})));
  EXPECT_EQ(softer.state().energy_error, 0);
}

TEST(SavedRuns, WithADamagedOriginAreRefused) {
  const TemporaryFile file("damaged.hdf5");
  Session session;
  session.load(std::make_shared<const SceneSource>(file_source(fixture_path("hdf5/arepo.hdf5"), {})));
  const Snapshot good = session.snapshot();
  for (const double length : {0.0, -1.0, std::nan("")}) {
    Snapshot damaged = good;
    FileOrigin origin = *good.run->origin;
    origin.frame.length = length;
    damaged.run->origin = std::make_shared<const FileOrigin>(origin);
    write_hdf5(file.path(), damaged, {});
    EXPECT_THROW(read_hdf5(file.path(), {}), InputError) << length;
  }
}

TEST(SwiftInitialConditions, HaveTheAttributesOfSwiftsimio) {
  const TemporaryFile file("ics.hdf5");
  Snapshot snapshot;
  snapshot.bodies = find_scene("collision")->make({.bodies = 50}).bodies;
  snapshot.units = kGalacticUnits;
  snapshot.softening = 0.5;
  write_hdf5(file.path(), snapshot, {.for_swift = true, .box_size = 300}, {});
  const PlainFile plain(file.path());
  EXPECT_EQ(plain.attribute("Header", "BoxSize"), (std::vector<double>{300, 300, 300}));
  EXPECT_EQ(plain.attribute("Header", "Scale-factor"), std::vector{1.0});
  // swiftsimio fails for a name that it does not know.
  EXPECT_TRUE(plain.attribute("Units", "UnitLength_in_cm").empty());
  EXPECT_EQ(plain.attribute("Units", "Unit length in cgs (U_L)"), std::vector{kKpcCm});
  EXPECT_EQ(plain.dataset_attribute("Velocities", "U_t exponent"), std::vector{-1.0});
  EXPECT_EQ(plain.dataset_attribute("Velocities", "a-scale exponent"), std::vector{0.0});
  EXPECT_EQ(plain.dataset_attribute("Coordinates", "a-scale exponent"), std::vector{1.0});
  EXPECT_DOUBLE_EQ(
      plain.dataset_attribute("Velocities", "Conversion factor to CGS (not including cosmological corrections)").at(0),
      1e5);
}

}  // namespace
}  // namespace pericenter::test
