#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "sim/analysis/force_error.h"
#include "sim/core/random.h"
#include "sim/files/body_ids.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/hdf5/writer.h"
#include "tests/support/file_fixtures.h"

// make_hdf5_fixtures.py writes and documents the fixtures.

namespace pericenter::test {
namespace {

using testing::HasSubstr;

std::string fixture(const std::string& name) {
  return fixture_path("hdf5/" + name);
}

std::string hdf5_error(const std::string& path, const ReadOptions& options = {}) {
  try {
    read_hdf5(path, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

struct Scales {
  double position = 1, velocity = 1, mass = 1;
};

/// Expects body `j` of the fixtures.
void expect_body(const Body& body, double j, const Scales& scales = {}) {
  const Vec3 position{j + 1, 10 * (j + 1), -j - 0.5}, velocity{j, -2 * j, j / 2};
  for (int k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(body.position[k], position[k] * scales.position) << j;
    EXPECT_DOUBLE_EQ(body.velocity[k], velocity[k] * scales.velocity) << j;
  }
  EXPECT_DOUBLE_EQ(body.mass, (j + 1) / 4 * scales.mass) << j;
}

std::vector<Component> components_of(const Bodies& bodies) {
  std::vector<Component> components;
  for (const Body& body : bodies) components.push_back(component_of(body.tag));
  return components;
}

TEST(Hdf5Reader, ReadsGadget2WithItsMassTable) {
  const Snapshot snapshot = read_hdf5(fixture("gadget2.hdf5"), {});
  ASSERT_EQ(snapshot.bodies.size(), 6u);
  for (int j = 0; j < 3; ++j) EXPECT_EQ(snapshot.bodies[j].mass, 0.125);
  for (int j = 3; j < 6; ++j) expect_body(snapshot.bodies[j], j);
  EXPECT_EQ(snapshot.bodies[2].position, (Vec3{3, 30, -2.5}));
  EXPECT_EQ(components_of(snapshot.bodies), (std::vector{Component::halo, Component::halo, Component::halo,
                                                         Component::disc, Component::disc, Component::bulge}));
  EXPECT_EQ(snapshot.ids, (std::vector<std::uint64_t>{100, 101, 102, 103, 104, 105}));
  EXPECT_EQ(snapshot.time, 1.5);
  EXPECT_EQ(snapshot.format, "GADGET HDF5");
  EXPECT_EQ(snapshot.units, kGalacticUnits);
  ASSERT_EQ(snapshot.notes.size(), 1u);
  EXPECT_THAT(snapshot.notes[0], HasSubstr("units"));
  EXPECT_FALSE(snapshot.run);
}

TEST(Hdf5Reader, ConvertsComovingValues) {
  const Snapshot snapshot = read_hdf5(fixture("comoving.hdf5"), {});
  ASSERT_EQ(snapshot.bodies.size(), 2u);
  for (int j = 0; j < 2; ++j) expect_body(snapshot.bodies[j], j, {0.25 / 0.5, std::sqrt(0.25), 1 / 0.5});
  // Age at a = 0.25 with h = 0.5 and Omega 0.3, from a sum over da / (a H).
  const double unit = kKpcCm / 1e5;
  EXPECT_NEAR(snapshot.time * unit / 3.15576e16, 2.9575, 0.0001) << "Gyr";
  EXPECT_EQ(snapshot.notes.size(), 2u);
}

TEST(Hdf5Reader, SofteningIsDividedByH) {
  EXPECT_DOUBLE_EQ(read_hdf5(fixture("softening_parameter.hdf5"), {}).softening, 0.5);
  const Snapshot each = read_hdf5(fixture("softening_dataset.hdf5"), {});
  EXPECT_DOUBLE_EQ(each.softening, 0.75);
  EXPECT_DOUBLE_EQ(each.bodies[0].position[0], 1 / 0.7);
  ASSERT_EQ(each.notes.size(), 3u);  // units, h, softenings
  EXPECT_THAT(each.notes[1], HasSubstr("divided by h"));
}

TEST(Hdf5Reader, ReadsGadget4WithItsScalings) {
  const Snapshot snapshot = read_hdf5(fixture("gadget4.hdf5"), {});
  ASSERT_EQ(snapshot.bodies.size(), 6u);
  for (int j = 0; j < 6; ++j) expect_body(snapshot.bodies[j], j);
  EXPECT_EQ(components_of(snapshot.bodies), (std::vector{Component::halo, Component::halo, Component::disc,
                                                         Component::disc, Component::bulge, Component::disc}));
  EXPECT_EQ(snapshot.format, "GADGET-4 HDF5");
  EXPECT_EQ(snapshot.units, (FileUnits{3.085678e21, 1.989e43, 1e5}));
  EXPECT_EQ(snapshot.time, 0.75);
  EXPECT_EQ(snapshot.softening, 0.0625);
  EXPECT_TRUE(snapshot.notes.empty());
}

TEST(Hdf5Reader, ReadsArepo) {
  const Snapshot snapshot = read_hdf5(fixture("arepo.hdf5"), {});
  ASSERT_EQ(snapshot.bodies.size(), 5u);
  for (const int j : {0, 1, 4}) expect_body(snapshot.bodies[j], j);
  EXPECT_EQ(snapshot.bodies[2].mass, 0.5);
  EXPECT_EQ(component_of(snapshot.bodies[0].tag), Component::disc);
  EXPECT_EQ(snapshot.format, "AREPO HDF5");
  EXPECT_EQ(snapshot.units.length_cm, 3.085678e24);
  EXPECT_EQ(snapshot.softening, 0.25);
}

TEST(Hdf5Reader, ReadsCompressedSwiftWithTagsInIds) {
  const Snapshot snapshot = read_hdf5(fixture("swift.hdf5"), {});
  ASSERT_EQ(snapshot.bodies.size(), 6u);
  for (int j = 0; j < 6; ++j) {
    expect_body(snapshot.bodies[j], j);
    EXPECT_EQ(galaxy_of(snapshot.bodies[j].tag), j % 2u);
    EXPECT_EQ(component_of(snapshot.bodies[j].tag), Component::disc);
  }
  EXPECT_EQ(snapshot.format, "SWIFT HDF5");
  EXPECT_EQ(snapshot.units.length_cm, 3.086e21);
  EXPECT_EQ(snapshot.units.velocity_cm_s, 1e5);
  EXPECT_EQ(snapshot.time, 0.5);
  EXPECT_EQ(snapshot.softening, 0.03125);
}

TEST(Hdf5Reader, JoinsPieces) {
  for (const char* name : {"pieces.0.hdf5", "pieces.1.hdf5"}) {
    const Snapshot snapshot = read_hdf5(fixture(name), {});
    ASSERT_EQ(snapshot.bodies.size(), 4u);
    double mass = 0;
    for (const Body& body : snapshot.bodies) mass += body.mass;
    EXPECT_EQ(mass, 0.25 * (1 + 2 + 3 + 4));
    EXPECT_EQ(snapshot.ids.size(), 4u);
  }
  EXPECT_EQ(hdf5_time(fixture("pieces.0.hdf5")), 0.75);
}

TEST(Hdf5Reader, ExplainsErrors) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"nan.hdf5", {"PartType1", "body 1", "position", "--skip-bad"}},
      {"negative_mass.hdf5", {"PartType1", "body 2", "mass is negative"}},
      {"no_masses.hdf5", {"PartType1", "Masses", "MassTable"}},
      {"no_header.hdf5", {"/Header"}},
      {"no_group.hdf5", {"3 bodies of type 1", "group /PartType1 is missing"}},
      {"short.hdf5", {"PartType1", "Masses", "2 rows", "Coordinates has 3"}},
      {"flat.hdf5", {"PartType1", "Coordinates", "1 dimensions"}},
      {"text.hdf5", {"PartType1", "Masses", "numbers"}},
      {"never_written.hdf5", {"PartType1", "Coordinates", "not complete"}},
      {"bomb.hdf5", {"PartType1", "Coordinates", "1000000000000 rows", "can hold"}},
      {"swift_index.hdf5", {"Coordinates", "index", "NAME.0.hdf5"}},
      {"overrun.hdf5", {""}},  // with changed bytes in this index libhdf5 1.10 overruns a buffer
      {"nobody.hdf5", {"no such file"}},
      {"", {"not a regular file"}},
      {"../../make_hdf5_fixtures.py", {"HDF5"}},
  };
  for (const auto& [name, parts] : cases) {
    const std::string error = hdf5_error(fixture(name));
    EXPECT_FALSE(error.empty()) << name;
    for (const std::string& part : parts) {
      EXPECT_THAT(error, HasSubstr(part)) << name;
    }
  }
}

TEST(Hdf5Reader, SkipsInvalidBodiesOnlyOnRequest) {
  const Snapshot snapshot = read_hdf5(fixture("nan.hdf5"), {.skip_bad = true});
  EXPECT_EQ(snapshot.skipped, 1u);
  ASSERT_EQ(snapshot.bodies.size(), 2u);
  expect_body(snapshot.bodies[1], 2);
  EXPECT_EQ(snapshot.ids, (std::vector<std::uint64_t>{100, 102}));
}

TEST(Hdf5Reader, CanBeCancelled) {
  EXPECT_THROW(read_hdf5(fixture("gadget4.hdf5"), {.progress = [](double) { return false; }}), SceneCancelled);
}

// A truncated or changed file must not crash the program.
TEST(Hdf5Reader, SurvivesDamage) {
  const auto read = [](const std::vector<std::uint8_t>& bytes) {
    try {
      EXPECT_LE(read_hdf5_bytes(bytes, {}).bodies.size(), 6u);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  for (const char* name : {"gadget2.hdf5", "swift.hdf5"}) {
    const std::vector<std::uint8_t> whole = file_bytes(fixture(name));
    EXPECT_TRUE(read(whole));
    for (std::size_t size = 0; size < whole.size(); size += 499) {
      EXPECT_FALSE(read({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
    }
    Random random(1, 2);
    for (int round = 0; round < 60; ++round) {
      std::vector<std::uint8_t> changed = whole;
      for (int k = 0; k < 4; ++k) changed[random.next() % changed.size()] = static_cast<std::uint8_t>(random.next());
      read(changed);
    }
  }
}

SavedRun some_run() {
  SavedRun run;
  run.scene = "collision";
  run.request = {
      .bodies = 123, .seed = 0xFFFFFFFFFFFFFFFFull, .dimension = 3, .softening = 0.1, .encounter = Encounter{}};
  run.request.encounter->orbit = {1.0 / 3, 0.9, 27};
  run.request.encounter->second = {71, 30};
  run.request.encounter->mass_ratio = 0.25;
  run.config = {
      .solver = "tree-sorted", .precision = Precision::float64, .multipole = Multipole::monopole, .threads = 3};
  run.config.solver_options.set(SolverOption::walk, Walk::skip);
  run.config.solver_options.set(SolverOption::order, Order::shuffled);
  run.params = {.dt = -0.1, .theta = 1.0 / 3, .accuracy = 1.0 / 3e3, .softening = 0.07, .gravity = 2};
  run.suggested = {.dt = 0.3};
  run.steps = 1ull << 60;
  run.units = {3.5, 13.8, 247.9};
  run.view_radius = 15;
  run.angles = ViewAngles{30, -20};
  run.highlight_time = 28.3;
  run.has_planets = true;
  run.scene_string = "collision:v1;seed=5\nsecond line";
  return run;
}

Snapshot some_snapshot(std::size_t count) {
  Snapshot snapshot;
  Random random(7, 7);
  for (std::size_t i = 0; i < count; ++i) {
    Body body;
    for (int k = 0; k < 3; ++k) body.position[k] = random.uniform() - 0.5, body.velocity[k] = random.uniform() / 3;
    body.mass = random.uniform();
    body.tag = static_cast<std::uint32_t>(random.next());
    snapshot.bodies.push_back(body);
  }
  if (count > 3) {
    snapshot.bodies[1] = snapshot.bodies[0];
    snapshot.bodies[2].position = {-0.0, 5e-324, 1e300};
  }
  snapshot.time = 1.0 / 7;
  snapshot.run = some_run();
  return snapshot;
}

bool same_bits(const Bodies& a, const Bodies& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(&a[i].position, &b[i].position, sizeof(Vec3)) != 0) return false;
    if (std::memcmp(&a[i].velocity, &b[i].velocity, sizeof(Vec3)) != 0) return false;
    if (std::memcmp(&a[i].mass, &b[i].mass, sizeof(double)) != 0 || a[i].tag != b[i].tag) return false;
  }
  return true;
}

void expect_same_run(const SavedRun& a, const SavedRun& b) {
  EXPECT_EQ(a.scene, b.scene);
  EXPECT_EQ(a.request.bodies, b.request.bodies);
  EXPECT_EQ(a.request.seed, b.request.seed);
  EXPECT_EQ(a.request.dimension, b.request.dimension);
  EXPECT_EQ(a.request.softening, b.request.softening);
  EXPECT_EQ(a.request.encounter, b.request.encounter);
  EXPECT_EQ(a.config, b.config);
  EXPECT_EQ(a.params, b.params);
  EXPECT_EQ(a.suggested, b.suggested);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.units.length_kpc, b.units.length_kpc);
  EXPECT_EQ(a.units.time_myr, b.units.time_myr);
  EXPECT_EQ(a.units.velocity_kms, b.units.velocity_kms);
  EXPECT_EQ(a.view_radius, b.view_radius);
  EXPECT_EQ(a.angles, b.angles);
  EXPECT_EQ(a.highlight_time, b.highlight_time);
  EXPECT_EQ(a.has_planets, b.has_planets);
  EXPECT_EQ(a.scene_string, b.scene_string);
}

TEST(Hdf5Snapshots, RoundTripExactly) {
  const TemporaryFile file("whole.hdf5");
  for (const std::size_t count : {0u, 1u, 200u, 150'000u}) {
    const Snapshot before = some_snapshot(count);
    write_hdf5(file.path(), before, {});
    EXPECT_LE(file_bytes(file.path()).size(), hdf5_size(before));
    const Snapshot after = read_hdf5(file.path(), {});
    EXPECT_TRUE(same_bits(before.bodies, after.bodies)) << count;
    EXPECT_EQ(before.time, after.time);
    ASSERT_TRUE(after.run);
    expect_same_run(*before.run, *after.run);
    EXPECT_TRUE(after.ids.empty());
    EXPECT_TRUE(after.notes.empty());
    EXPECT_EQ(after.softening, 0.07);
  }
}

TEST(Hdf5Snapshots, StoreFloatsIfExact) {
  const TemporaryFile file("floats.hdf5");
  Snapshot doubles = some_snapshot(1000);
  doubles.bodies[2].position = {};
  Snapshot floats = doubles;
  floats.bodies = rounded(doubles.bodies, Precision::float32);
  write_hdf5(file.path(), doubles, {});
  const std::size_t large = file_bytes(file.path()).size();
  write_hdf5(file.path(), floats, {});
  EXPECT_LT(file_bytes(file.path()).size() + 1000 * 7 * 4 - 4096, large);
  EXPECT_TRUE(same_bits(read_hdf5(file.path(), {}).bodies, floats.bodies));
}

TEST(Hdf5Snapshots, DefineUnits) {
  const TemporaryFile file("units.hdf5");
  Snapshot snapshot = some_snapshot(10);
  snapshot.run->params.gravity = 1;
  write_hdf5(file.path(), snapshot, {});
  FileUnits units = read_hdf5(file.path(), {}).units;
  EXPECT_DOUBLE_EQ(units.length_cm, 3.5 * kKpcCm);
  EXPECT_DOUBLE_EQ(units.velocity_cm_s, 247.9e5);
  // The unit of mass is a disc of 5e10 solar masses.
  EXPECT_NEAR(units.mass_g / kSunGram, 5e10, 0.01e10);
  snapshot.run->units = {};
  write_hdf5(file.path(), snapshot, {});
  EXPECT_EQ(read_hdf5(file.path(), {}).units, FileUnits());
}

TEST(Hdf5Snapshots, LaterVersionIsRefused) {
  const TemporaryFile file("changed.hdf5");
  write_hdf5(file.path(), some_snapshot(3), {});
  std::vector<std::uint8_t> bytes = file_bytes(file.path());
  const std::string name = "Version";
  const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
  ASSERT_NE(at, bytes.end());
  const auto one = std::find(at, bytes.end(), 1);  // versions of the message, type and space, then the value
  for (auto k = one; k < at + 96; ++k) {
    std::vector<std::uint8_t> changed = bytes;
    changed[static_cast<std::size_t>(k - bytes.begin())] = 9;
    try {
      read_hdf5_bytes(changed, {});
    } catch (const InputError& error) {
      if (std::string(error.what()).find("later version of Pericenter (format 9") != std::string::npos) return;
    }
  }
  FAIL() << "no byte contains the version";
}

TEST(Hdf5Snapshots, InvalidParametersAreRefused) {
  const TemporaryFile file("wrong.hdf5");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Params& wrong : {Params{.theta = nan}, Params{.theta = -0.1}, Params{.accuracy = 0.5},
                              Params{.softening = -1}, Params{.dt = nan}}) {
    Snapshot snapshot = some_snapshot(3);
    snapshot.run->params = wrong;
    write_hdf5(file.path(), snapshot, {});
    EXPECT_THROW(read_hdf5(file.path(), {}), InputError);
  }
}

TEST(Hdf5Snapshots, WriteErrorsGiveTheReason) {
  try {
    write_hdf5("/dev/full", some_snapshot(10), {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(std::string(error.what()), HasSubstr("/dev/full")) << error.what();
  }
  EXPECT_THROW(write_hdf5("/no/such/folder/a.hdf5", some_snapshot(10), {}), std::runtime_error);
  const TemporaryFile file("cancelled.hdf5");
  EXPECT_THROW(write_hdf5(file.path(), some_snapshot(10), [](double) { return false; }), SceneCancelled);
}

TEST(MarkedIds, ContainTagAndIndex) {
  for (const std::uint32_t tag : {0u, 0x12u, 0xFFFFu}) {
    EXPECT_EQ(tag_of_id(marked_id(499'999'999, tag)), tag);
    EXPECT_EQ(marked_id(41, tag) & 0xFFFFFFFFFFull, 42u);
    EXPECT_GT(static_cast<std::int64_t>(marked_id(0, tag)), 0);
  }
  EXPECT_FALSE(tag_of_id(1));
  EXPECT_FALSE(tag_of_id(~0ull));
}

}  // namespace
}  // namespace pericenter::test
