// From a path to a scene: recognition of formats, pieces, units and frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numbers>

#include "sim/core/random.h"
#include "sim/files/file_origin.h"
#include "sim/files/formats.h"
#include "sim/files/load.h"
#include "sim/files/scene_frame.h"
#include "sim/files/unit_system.h"
#include "sim/scenes/registry.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;

std::string load_error(const std::string& path) {
  try {
    read_snapshot(path, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string scene_error_of(const Bodies& bodies) {
  try {
    scene_of(snapshot_of(bodies));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::uint8_t> as_bytes(const std::string& text) {
  return {text.begin(), text.end()};
}

Snapshot plummer(std::size_t n) {
  return snapshot_of(find_scene("plummer")->make({.bodies = n}).bodies);
}

// The snapshot with scaled and shifted bodies.
Snapshot changed(Snapshot snapshot, double scale, const Vec3& shift, const Vec3& drift = {}) {
  for (Body& body : snapshot.bodies) {
    body.position = body.position * scale + shift;
    body.velocity += drift;
  }
  return snapshot;
}

TEST(Formats, AreRecognisedByContents) {
  const std::vector<std::pair<const char*, const char*>> cases = {{"gadget1_little", "GADGET-1"},
                                                                  {"gadget2_big", "GADGET-2"},
                                                                  {"tipsy_standard", "TIPSY, big"},
                                                                  {"tipsy_native", "TIPSY, little"},
                                                                  {"stdpar_2d.bin", "2D"},
                                                                  {"stdpar_3d.bin", "3D"},
                                                                  {"table.csv", "table"}};
  for (const auto& [file, format] : cases)
    EXPECT_THAT(read_snapshot(fixture_path(file), {}).format, HasSubstr(format)) << file;
}

TEST(Formats, HaveTitleAndSummary) {
  for (const FileFormat& format : file_formats()) {
    EXPECT_FALSE(format.name.empty());
    EXPECT_FALSE(format.title.empty());
    EXPECT_GT(format.summary.size(), 20u);
    EXPECT_EQ(format.read == nullptr, format.name == "hdf5");
    EXPECT_TRUE(format.read || format.read_path);
  }
}

TEST(Formats, Hdf5IsFoundBehindAUserBlock) {
  const auto& hdf5 = file_formats().front();
  for (const std::size_t at : {0, 512, 1024, 2048}) {
    std::vector<std::uint8_t> data(4096, 0);
    std::memcpy(data.data() + at, "\x89HDF\r\n\x1A\n", 8);
    EXPECT_TRUE(hdf5.matches({data, data.size(), "x"})) << at;
  }
  const std::vector<std::uint8_t> zeros(4096, 0);
  EXPECT_FALSE(hdf5.matches({zeros, zeros.size(), "x.hdf5"}));
}

TEST(Loading, PiecesAreJoinedFromAnyOfThem) {
  for (const char* file : {"pieces.0", "pieces.1", "pieces.2"}) {
    const Snapshot snapshot = read_snapshot(fixture_path(file), {});
    ASSERT_EQ(snapshot.bodies.size(), 9u);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(snapshot.bodies[i].position, fixture_body(i).position);
      EXPECT_EQ(snapshot.bodies[i].mass, fixture_body(i).mass);
      EXPECT_EQ(snapshot.ids[i], 1000 + i);
    }
  }
}

TEST(Loading, NumbersOfPiecesMayBePadded) {
  const TemporaryFile first("pieces.00", fixture_bytes("pieces.0"));
  for (const char* number : {"1", "2"})
    std::filesystem::copy_file(fixture_path(std::string("pieces.") + number),
                               first.path(std::string("pieces.0") + number));
  for (const char* number : {"00", "02"})
    EXPECT_EQ(read_snapshot(first.path(std::string("pieces.") + number), {}).bodies.size(), 9u);
  for (const char* number : {"0", "1"})
    std::filesystem::copy_file(fixture_path(std::string("hdf5/pieces.") + number + ".hdf5"),
                               first.path(std::string("snap.00") + number + ".hdf5"));
  for (const char* number : {"000", "001"})
    EXPECT_EQ(read_snapshot(first.path(std::string("snap.") + number + ".hdf5"), {}).bodies.size(),
              read_snapshot(fixture_path("hdf5/pieces.0.hdf5"), {}).bodies.size());
}

std::string all_notes(const Snapshot& snapshot) {
  std::string all;
  for (const std::string& note : snapshot.notes) all += note + "\n";
  return all;
}

/// A fixture of GADGET-1, little endian, with other 32-bit numbers at these offsets of its header.
std::vector<std::uint8_t> with_header(const char* fixture,
                                      const std::vector<std::pair<std::size_t, std::uint32_t>>& numbers) {
  std::vector<std::uint8_t> data = fixture_bytes(fixture);
  for (const auto& [offset, number] : numbers) std::memcpy(data.data() + 4 + offset, &number, sizeof number);
  return data;
}
constexpr std::size_t kTotals = 96, kFiles = 124, kHighWords = 168;  // of type 0; bytes from the header's beginning

/// pieces.0 to pieces.2 under another name, with other numbers in their headers.
Snapshot joined_pieces(const std::string& tail, const std::vector<std::pair<std::size_t, std::uint32_t>>& numbers) {
  const TemporaryFile folder("other");
  for (const char* number : {"0", "1", "2"}) {
    const auto data = with_header((std::string("pieces.") + number).c_str(), numbers);
    std::ofstream(folder.path("snap." + std::string(number) + tail), std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  }
  return read_snapshot(folder.path("snap.1" + tail), {});
}

TEST(Loading, NamesOfPiecesMayHaveAnExtension) {
  for (const char* tail : {"", ".gad", ".dat"}) EXPECT_EQ(joined_pieces(tail, {}).bodies.size(), 9u) << tail;
}

TEST(Loading, MissingPieceIsReported) {
  const TemporaryFile first("pieces.0", fixture_bytes("pieces.0"));
  std::filesystem::copy_file(fixture_path("pieces.1"), first.path("pieces.1"));
  EXPECT_THAT(load_error(first.path()), HasSubstr("pieces.2: This file is missing. The snapshot has 3 files"));
  const TemporaryFile chunk("snap.0.hdf5", fixture_bytes("hdf5/pieces.0.hdf5"));
  std::filesystem::rename(first.path("pieces.1"), chunk.path("snap.7.hdf5"));
  EXPECT_EQ(load_error(chunk.path()), "") << "7 is no part of 2 files";
}

// Cut-outs copy the header of a snapshot, and archives offer single parts.
TEST(Loading, APieceWithoutTheOthersIsRead) {
  for (const char* name : {"pieces.1", "pieces.1.gad", "snapshot", "cut_001", "pieces.7"}) {
    const TemporaryFile file(name, fixture_bytes("pieces.1"));
    const Snapshot snapshot = read_snapshot(file.path(), {});
    EXPECT_EQ(snapshot.bodies.size(), 4u) << name;
    EXPECT_THAT(all_notes(snapshot), HasSubstr("declares 3 files and 9 bodies in total; only the 4 of this file"));
  }
  const TemporaryFile chunk("snap_099.1.hdf5", fixture_bytes("hdf5/pieces.1.hdf5"));
  const Snapshot snapshot = read_snapshot(chunk.path(), {});
  EXPECT_THAT(all_notes(snapshot), HasSubstr("only the " + std::to_string(snapshot.bodies.size()) + " of this file"));
}

TEST(Loading, AFileWithAllBodiesIsNoPiece) {
  const auto complete = with_header("gadget1_little", {{kFiles, 4}});
  for (const char* name : {"cut.gad", "cut_005", "halo.1"}) {
    const TemporaryFile file(name, complete);
    std::filesystem::copy_file(fixture_path("pieces.0"), file.path("halo.0"));
    std::filesystem::copy_file(fixture_path("pieces.0"), file.path("halo.2"));
    const Snapshot snapshot = read_snapshot(file.path(), {});
    EXPECT_EQ(snapshot.bodies.size(), 21u) << name;
    EXPECT_THAT(all_notes(snapshot), HasSubstr("declares 4 files and 21 bodies in total; only the 21 of this file"));
  }
}

TEST(Loading, WrongTotalsOfPiecesAreNoted) {
  std::vector<std::pair<std::size_t, std::uint32_t>> same_words, unset;
  const auto header = fixture_bytes("pieces.0");
  for (std::size_t type = 0; type < 6; ++type) {
    std::uint32_t low = 0;
    std::memcpy(&low, header.data() + 4 + kTotals + 4 * type, sizeof low);
    same_words.emplace_back(kHighWords + 4 * type, low);
    unset.emplace_back(kTotals + 4 * type, 0);
  }
  EXPECT_THAT(all_notes(joined_pieces("", {{kTotals, 5000}})),
              HasSubstr("contain 9 bodies, but their headers declare"));
  const Snapshot snapshot = joined_pieces("", same_words);
  EXPECT_EQ(snapshot.bodies.size(), 9u);
  EXPECT_THAT(all_notes(snapshot), HasSubstr("the headers are wrong, or the snapshot is not complete"));
  for (const auto& numbers : {unset, {}}) EXPECT_THAT(all_notes(joined_pieces("", numbers)), Not(HasSubstr("declare")));
}

TEST(Loading, MixedPiecesAreRefused) {
  const TemporaryFile first("pieces.0", fixture_bytes("pieces.0"));
  std::filesystem::copy_file(fixture_path("pieces.1"), first.path("pieces.1"));
  const auto put_last = [&](const std::vector<std::uint8_t>& data) {
    std::ofstream(first.path("pieces.2"), std::ios::binary)
        .write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  };
  put_last(fixture_bytes("pieces.1"));
  EXPECT_THAT(all_notes(read_snapshot(first.path(), {})), HasSubstr("contain 11 bodies, but their headers declare 9"));
  put_last(fixture_bytes("gadget1_little"));
  EXPECT_THAT(load_error(first.path()), HasSubstr("They do not belong together"));
  put_last(with_header("pieces.2", {{kTotals, 77}}));
  EXPECT_THAT(load_error(first.path()), HasSubstr("They do not belong together"));
}

TEST(Loading, NonFilesAreRefused) {
  const TemporaryFile empty("empty.csv");
  EXPECT_THAT(load_error(empty.path()), HasSubstr("empty.csv: The file is empty"));
  EXPECT_THAT(load_error(empty.path("none")), HasSubstr("There is no such file"));
  EXPECT_THAT(load_error(std::filesystem::temp_directory_path().string()), HasSubstr("This is a folder"));
  EXPECT_THAT(load_error("/dev/zero"), HasSubstr("a pipe or a device"));
  ASSERT_EQ(mkfifo(empty.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(load_error(empty.path("pipe")), HasSubstr("a pipe or a device"));
}

TEST(Loading, OnlyNonexistentFilesAreMissing) {
  const TemporaryFile text("notes.txt", as_bytes("nothing"));
  try {
    read_snapshot(text.path("none"), {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_TRUE(error.missing);
  }
  try {
    read_snapshot(text.path(), {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_FALSE(error.missing);
  }
}

TEST(Loading, UnknownContentsListSupportedFormats) {
  const TemporaryFile picture("picture.png", as_bytes("\x89PNG\r\n\x1A\n and so on"));
  EXPECT_THAT(load_error(picture.path()),
              HasSubstr("GADGET-1 and -2 binary; RAMSES particles; FITS table; VOTable; REBOUND archive; TIPSY"));
  const TemporaryFile prose("prose.txt", as_bytes("It was a dark night, and stars were out.\n"));
  EXPECT_THAT(load_error(prose.path()), HasSubstr("must name the columns m (or mass), x and y"));
}

// Sparse files of 5 GB must take neither time nor memory.
TEST(Loading, LargeSparseFilesAreFast) {
  const auto start = std::chrono::steady_clock::now();
  constexpr off_t kSize = 5'000'000'000;
  const TemporaryFile zeros("zeros"), gadget("gadget", fixture_bytes("gadget1_little")),
      table("table.csv", as_bytes("m,x,y\n1,0,0\n"));
  for (const TemporaryFile* file : {&zeros, &gadget, &table}) ASSERT_EQ(truncate(file->path().c_str(), kSize), 0);
  EXPECT_THAT(load_error(zeros.path()), HasSubstr("Unknown file format"));
  EXPECT_EQ(read_snapshot(gadget.path(), {}).bodies.size(), 21u);
  EXPECT_NE(load_error(table.path()), "");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(Loading, ReportsProgressAndCanBeCancelled) {
  std::vector<double> seen;
  const auto watch = [&](double done) {
    seen.push_back(done);
    return true;
  };
  read_snapshot(fixture_path("pieces.0"), {.progress = watch});
  // The first file is read before the number of files is known.
  EXPECT_TRUE(std::is_sorted(std::find(seen.begin(), seen.end(), 1.0) + 1, seen.end()));
  EXPECT_NEAR(seen.back(), 1, 1e-9);
  EXPECT_THROW(read_snapshot(fixture_path("pieces.0"), {.progress = [](double done) { return done < 0.6; }}),
               SceneCancelled);
}

TEST(Loading, DarkMatterAloneIsShown) {
  const Snapshot snapshot = read_snapshot(fixture_path("gadget_no_mass_block"), {});
  for (const Body& body : snapshot.bodies) EXPECT_EQ(component_of(body.tag), Component::other);
  const Snapshot mixed = read_snapshot(fixture_path("gadget1_little"), {});
  EXPECT_EQ(component_of(mixed.bodies[5].tag), Component::halo);
}

TEST(SceneOf, UnitsMakeGravityOne) {
  Snapshot snapshot = changed(plummer(2000), 7.3, {});
  snapshot.units = {3 * kParsecCm, 5 * kSunGram, 2e4};
  const double gravity = gravity_in(snapshot.units);
  const Bodies before = snapshot.bodies;
  const LoadedScene loaded = scene_of(snapshot);
  const Bodies& after = loaded.scene.bodies;
  // The potential of two bodies over the square of their relative speed is dimensionless.
  const auto ratio = [](const Bodies& b, double g) {
    const double speed = length(b[0].velocity - b[1].velocity);
    return g * b[0].mass / length(b[0].position - b[1].position) / (speed * speed);
  };
  EXPECT_NEAR(ratio(after, 1) / ratio(before, gravity), 1, 1e-9);
  const Units& units = loaded.scene.units;
  EXPECT_DOUBLE_EQ(units.length_kpc, 5 * 3e-3);  // half of a Plummer sphere is within 0.77: 5 is nearest to 5.6
  EXPECT_NEAR(units.velocity_kms * 1.0227121650537077 * units.time_myr / 1000 / units.length_kpc, 1, 1e-6);
  double mass = 0;
  for (const Body& body : after) mass += body.mass;
  EXPECT_NEAR(mass, 1, 1e-12);
}

TEST(SceneOf, CentreOfMassIsAtRestAtTheOrigin) {
  const LoadedScene loaded = scene_of(changed(plummer(1000), 1, {40, -3, 8}, {0.5, 2, -1}));
  Vec3 centre, drift;
  for (const Body& body : loaded.scene.bodies) {
    centre += body.position * body.mass;
    drift += body.velocity * body.mass;
  }
  EXPECT_LT(length(centre), 1e-12);
  EXPECT_LT(length(drift), 1e-12);
}

TEST(SceneOf, AnyScaleIsNormalised) {
  const LoadedScene reference = scene_of(plummer(1000));
  for (const double scale : {1e30, 1e-30}) {
    Snapshot snapshot = changed(plummer(1000), scale, {});
    for (Body& body : snapshot.bodies) body.velocity *= 1 / std::sqrt(scale);
    const LoadedScene loaded = scene_of(std::move(snapshot));
    EXPECT_NEAR(loaded.scene.bodies[3].position[0] / reference.scene.bodies[3].position[0], 1, 1e-9) << scale;
    EXPECT_NEAR(loaded.scene.bodies[3].velocity[1] / reference.scene.bodies[3].velocity[1], 1, 1e-9) << scale;
    EXPECT_NEAR(loaded.scene.params.softening, reference.scene.params.softening, 1e-9);
    EXPECT_NEAR(loaded.scene.params.dt, reference.scene.params.dt, 1e-9);
    EXPECT_NEAR(loaded.scene.view_radius, reference.scene.view_radius, 1e-9);
  }
}

TEST(SceneOf, PreservesFineStructureFarFromTheOrigin) {
  const Snapshot fine = changed(plummer(1000), 1e-3, {});
  const LoadedScene near = scene_of(fine), far = scene_of(changed(fine, 1, {1e6, 1e6, -1e6}));
  for (std::size_t i = 0; i < 1000; ++i)
    EXPECT_LT(length(near.scene.bodies[i].position - far.scene.bodies[i].position), 1e-5);
}

TEST(SceneOf, UnresolvableExtentsAreRefused) {
  const auto body = [](double x, double mass = 1) { return Body{{x, 0, 0}, {}, mass, 0}; };
  EXPECT_THAT(scene_error_of({}), HasSubstr("no bodies"));
  EXPECT_THAT(scene_error_of({body(2), body(2)}), HasSubstr("same place"));
  EXPECT_THAT(scene_error_of({body(1e200), body(0)}), HasSubstr("too large"));
  EXPECT_THAT(scene_error_of({body(1e15), body(1e15 + 1)}), HasSubstr("digits"));
  EXPECT_THAT(scene_error_of({body(0, 1e308), body(1, 1e308)}), HasSubstr("masses"));
  EXPECT_THAT(scene_error_of({body(0), body(1), body(2), body(1e30)}), HasSubstr("half of them"));
  EXPECT_EQ(scene_error_of({body(3)}), "");
}

// Regression: an ejected body made a dot of the others or refused the file.
TEST(SceneOf, ABodyThatLeftDoesNotHideTheSystem) {
  for (const double far : {1e5, 1e7, 1e10}) {
    Snapshot snapshot;
    snapshot.bodies = {{{}, {}, 1, 0}};
    for (const double a : {1, 2, 5, 10, 20, 30})
      snapshot.bodies.push_back({{a, 0, 0}, {0, 1 / std::sqrt(a), 0}, 1e-5, 0});
    snapshot.bodies.push_back({{far, 0, 0}, {1, 0, 0}, 1e-3, 0});
    const Scene scene = scene_of(snapshot).scene;
    const double unit = 1 / length(scene.bodies[1].position - scene.bodies[0].position);
    EXPECT_GT(scene.view_radius * unit, 30) << far;
    EXPECT_LT(scene.view_radius * unit, 40) << far;
    EXPECT_LT(length(scene.bodies[0].position) * unit, 0.01) << far;
    EXPECT_NEAR(length(scene.bodies[7].position) * unit / far, 1, 1e-6);
  }
  Snapshot sun;
  sun.bodies = {{{}, {}, 1, 0}, {{1, 0, 0}, {0, 1, 0}, 1e-6, 0}, {{39, 0, 0}, {0, 0.16, 0}, 1e-8, 0}};
  const Scene pluto = scene_of(sun).scene;
  EXPECT_GT(pluto.view_radius, length(pluto.bodies[2].position));
}

TEST(SceneOf, MasslessBodiesUseTheirMeanVelocity) {
  Snapshot snapshot;
  for (int i = 0; i < 4; ++i) snapshot.bodies.push_back({{10.0 + i, 0, 0}, {0, i % 2 ? 3.0 : 1.0, 0}, 0, 0});
  const LoadedScene loaded = scene_of(snapshot);
  EXPECT_NEAR(loaded.scene.bodies[0].position[0], -0.75, 1e-12);  // half of them are within 1.5: the unit is 2
  EXPECT_NEAR(length(loaded.scene.bodies[0].velocity), 1, 1e-12);
  EXPECT_EQ(loaded.scene.bodies[0].mass, 0);
  EXPECT_GT(loaded.scene.params.dt, 0);
}

// Suggestions for a sphere in equilibrium: a softening below the spacing in the core, and a time step in which a body
// travels at most half of it.
TEST(SceneOf, SuggestsSettingsForGalaxies) {
  const LoadedScene loaded = scene_of(plummer(10000));
  const Params& params = loaded.scene.params;
  EXPECT_GE(params.softening, 0.01);
  EXPECT_LE(params.softening, 0.05);
  EXPECT_LE(params.dt, params.softening);
  EXPECT_GE(params.dt, params.softening / 5);
  std::size_t inside = 0;
  for (const Body& body : loaded.scene.bodies) inside += length(body.position) < loaded.scene.view_radius / 1.1;
  EXPECT_NEAR(static_cast<double>(inside), 9500, 100);
}

// Regression: bodies at rest fall together faster than the virial speed, and the suggested step did not resolve that.
TEST(SceneOf, SuggestsSettingsForBodiesAtRest) {
  for (const std::size_t count : {65, 300}) {
    Snapshot snapshot;
    for (std::size_t k = 0; k < count; ++k) {
      Random random(3, k);
      snapshot.bodies.push_back({random.direction() * std::cbrt(random.uniform()), {}, 1, 0});
    }
    const Scene scene = scene_of(snapshot).scene;
    const auto simulation = Simulation::create({.precision = Precision::float64}, scene.bodies);
    const Diagnostics start = simulation->diagnostics(scene.params);
    while (simulation->time() < 4) simulation->step(scene.params);
    EXPECT_LE(std::abs(energy_error(start, simulation->diagnostics(scene.params))), 2e-3) << count;
  }
}

TEST(SceneOf, SuggestsAStepForTheFastestBodies) {
  Snapshot snapshot = plummer(1000);
  for (std::size_t k = 0; k < 10; ++k) snapshot.bodies[k].velocity = Vec3{2.5, 0, 0} * (k % 2 == 0 ? 1.0 : -1.0);
  const Params params = scene_of(snapshot).scene.params;
  EXPECT_LE(2.4 * params.dt, params.softening);
}

TEST(SceneOf, UsesSofteningOfTheFile) {
  Snapshot snapshot = changed(plummer(500), 10, {});
  snapshot.softening = 0.37;
  const LoadedScene loaded = scene_of(snapshot);
  EXPECT_DOUBLE_EQ(loaded.scene.params.softening, 0.037);  // half of the sphere is within 7.7: the unit is 10
}

// Regression: a time step of 1e25 for bodies whose speeds are far above those that their gravity causes.
TEST(SceneOf, SuggestsAStepForBodiesThatFlyApart) {
  Snapshot snapshot;
  snapshot.bodies = {{{1, 0, 0}, {}, 1, 0}, {{0, 0, 0}, {1e30, 0, 0}, 1, 0}, {{0, 1, 0}, {}, 1, 0}};
  const Scene scene = scene_of(snapshot).scene;
  EXPECT_LE(scene.params.dt * length(scene.bodies[1].velocity), scene.view_radius / 5);
}

// Regression: the step was a share of the period at the aphelion, and the comet was thrown out at its perihelion.
TEST(SceneOf, SuggestsAStepForThePerihelionOfAComet) {
  constexpr double kEccentricity = 0.967, kFar = 1, kNear = kFar * (1 - kEccentricity) / (1 + kEccentricity);
  Snapshot snapshot;
  snapshot.bodies = {{{}, {}, 1, 0}, {{kFar, 0, 0}, {0, std::sqrt((1 - kEccentricity) / kFar), 0}, 0, 0}};
  const Scene scene = scene_of(snapshot).scene;
  const auto simulation = Simulation::create({.solver = "direct", .precision = Precision::float64}, scene.bodies);
  const double far = length(scene.bodies[1].position), scale = far / kFar;
  const double period = 2 * std::numbers::pi * std::pow((far + kNear * scale) / 2, 1.5);
  double farthest = 0;
  while (simulation->time() < 2.5 * period) {
    simulation->step(scene.params);
    farthest = std::max(farthest, length(simulation->bodies()[1].position));
  }
  EXPECT_NEAR(farthest, far, 1e-3 * far);
  EXPECT_LT(simulation->steps(), 50'000u);
}

// Regression: only bound orbits counted, and a comet on a parabola or hyperbola left with another energy.
TEST(SceneOf, SuggestsAStepForThePerihelionOfAnUnboundComet) {
  for (const double energy : {0.0, 0.01}) {
    const double near = 0.0124, speed = std::sqrt(2 / near + 2 * energy);  // at the perihelion
    const double fast = std::sqrt(2 + 2 * energy), across = near * speed;  // at a distance of 1
    Snapshot snapshot;
    snapshot.bodies = {{{}, {}, 1, 0}, {{1, 0, 0}, {-std::sqrt(fast * fast - across * across), across, 0}, 0, 0}};
    const Scene scene = scene_of(snapshot).scene;
    const auto simulation = Simulation::create({.solver = "direct", .precision = Precision::float64}, scene.bodies);
    const auto energy_now = [&] {
      const Bodies bodies = simulation->bodies();
      return dot(bodies[1].velocity, bodies[1].velocity) / 2 -
             bodies[0].mass / length(bodies[1].position - bodies[0].position);
    };
    const double start = energy_now(), scale = scene.bodies[0].mass / length(scene.bodies[1].position);
    while (simulation->steps() < 50'000 &&
           (simulation->time() < 0.1 || length(simulation->bodies()[1].position) < length(scene.bodies[1].position)))
      simulation->step(scene.params);
    EXPECT_LT(simulation->steps(), 50'000u);
    EXPECT_NEAR(energy_now(), start, 0.02 * scale) << energy;
  }
}

// A planet and its moon: the time step resolves the moon, and there is no softening.
TEST(SceneOf, SuggestsSettingsForPlanets) {
  Snapshot snapshot;
  snapshot.bodies = {{{}, {}, 1, 0}, {{1, 0, 0}, {0, 1, 0}, 1e-3, 0}, {{1.001, 0, 0}, {0, 2, 0}, 1e-9, 0}};
  const LoadedScene loaded = scene_of(snapshot);
  const double orbit = 2 * std::numbers::pi * std::sqrt(1e-9 / 1e-3);
  EXPECT_NEAR(loaded.scene.params.dt / (orbit / 200), 1, 0.5);
  EXPECT_EQ(loaded.scene.params.softening, 0);
  snapshot.bodies[0].mass = snapshot.bodies[1].mass = snapshot.bodies[2].mass = 1;
  EXPECT_GT(scene_of(snapshot).scene.params.softening, 0);
  EXPECT_LE(scene_of(snapshot).scene.params.softening, 1e-5);
}

TEST(SceneOf, OwnSnapshotsAreUnchanged) {
  Snapshot snapshot = changed(plummer(10), 3, {5, 5, 5});
  const Bodies bodies = snapshot.bodies;
  snapshot.time = 12.5;
  SavedRun& run = snapshot.run.emplace();
  static_cast<ScenePresentation&>(run) = {{1, 2, 3}, 4, ViewAngles{30, 60}, 17};
  run.scene = "plummer";
  run.request = {.bodies = 10};
  run.config = {.solver = "direct"};
  run.params = {.dt = 0.5};
  run.steps = 25;
  const LoadedScene loaded = scene_of(snapshot);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(loaded.scene.bodies[i].position, bodies[i].position);
    EXPECT_EQ(loaded.scene.bodies[i].velocity, bodies[i].velocity);
    EXPECT_EQ(loaded.scene.bodies[i].mass, bodies[i].mass);
  }
  EXPECT_EQ(loaded.config->solver, "direct");
  EXPECT_EQ(loaded.scene.params.dt, 0.5);
  EXPECT_EQ(loaded.time, 12.5);
  EXPECT_EQ(loaded.steps, 25u);
  EXPECT_EQ(loaded.scene.units.time_myr, 2);
  EXPECT_EQ(loaded.scene.view_radius, 4);
  EXPECT_EQ(loaded.scene.angles->pitch, 60);
  EXPECT_EQ(loaded.scene.highlight_time, 17);
}

TEST(SceneFrames, FollowASeries) {
  Snapshot first = changed(plummer(100), 2, {7, 0, 0}, {0.25, 0, 0});
  first.time = 4;
  const SceneFrame frame = frame_of(first);
  Snapshot later = changed(first, 1, {0.25 * 3, 0, 0});
  later.time = 7;
  const Bodies a = bodies_in(frame, first), b = bodies_in(frame, later);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_LT(length(a[i].position - b[i].position), 1e-12);
}

TEST(SceneFrames, RoundNumbersAreNearest) {
  for (const auto& [x, round] : {std::pair(1.3, 1.0), {1.5, 2.0}, {3.0, 2.0}, {3.3, 5.0}, {7.0, 5.0}, {7.2, 10.0}})
    EXPECT_NEAR(round_number(x * 1e-7), round * 1e-7, 1e-20) << x;
}

TEST(SceneOf, NoteStatesTheUnits) {
  const auto note = [](const std::string& text) {
    const TemporaryFile file("table.csv", as_bytes(text));
    return file_source(file.path(), {}).load({}).note;
  };
  const std::string rows = "m,x,y,vx\n4,-20,0,1\n4,20,0,-1\n";
  // The masses of 8 and a length of 20 give a unit of velocity of sqrt(8/20).
  EXPECT_THAT(note(rows), HasSubstr("The file declares no units: G = 1 is assumed. 1 unit of length = 20 of the file, "
                                    "of mass = 8, of time = 31.62. Time step and softening are in these units."));
  EXPECT_THAT(note("#unit length=kpc mass=1e9 Msun\n" + rows),
              HasSubstr("1 unit of length = 20 kpc, of mass = 8e+09 Msun, of time = 471.5 Myr."));
  EXPECT_THAT(note("#unit length=AU mass=Msun\n" + rows),
              HasSubstr("1 unit of length = 20 AU, of mass = 8 Msun, of time = 5.033 yr."));
}

TEST(FileSource, ReportsFormatAndSkippedBodies) {
  const TemporaryFile file("snap_010.csv", as_bytes("m,x,y\n1,0,0\n1,1,0\nx,1,1\n"));
  const SceneSource source = file_source(file.path(), {true});
  EXPECT_EQ(source.name, "snap_010");
  EXPECT_EQ(source.path, file.path());
  const LoadedScene loaded = source.load({});
  EXPECT_EQ(loaded.scene.bodies.size(), 2u);
  EXPECT_THAT(loaded.note, HasSubstr("1 body with invalid values was skipped"));
  try {
    file_source(file.path(), {}).load({});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("snap_010.csv: Line 4, column 'm'"));
  }
}

}  // namespace
}  // namespace pericenter::test
