// Parts of a file: every Nth body, types, a region.
#include "sim/files/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "sim/files/body_selector.h"
#include "sim/files/file_origin.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"
#include "tests/support/hdf5_maker.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Snapshot read_part(const std::string& path, const Selection& selection) {
  return read_snapshot(path, {.selection = selection});
}

std::vector<double> mass_of_types(const Snapshot& snapshot) {
  std::vector<double> masses(kBodyTypes, 0.0);
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) masses[type_of(snapshot, i)] += snapshot.bodies[i].mass;
  return masses;
}

/// The places in `whole` of every n-th body of each type for which chosen(i) holds.
std::vector<std::size_t> expected_places(const Snapshot& whole, std::size_t every,
                                         const std::function<bool(std::size_t)>& chosen) {
  std::vector<std::size_t> places, turns(kBodyTypes, 0);
  for (std::size_t i = 0; i < whole.bodies.size(); ++i)
    if (chosen(i) && turns[type_of(whole, i)]++ % every == 0) places.push_back(i);
  return places;
}

void expect_bodies_at(const std::vector<std::size_t>& places, const Snapshot& whole, const Snapshot& part) {
  ASSERT_EQ(part.bodies.size(), places.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    EXPECT_EQ(part.bodies[k].position, whole.bodies[places[k]].position) << k;
    EXPECT_EQ(part.bodies[k].velocity, whole.bodies[places[k]].velocity) << k;
    EXPECT_EQ(part.ids[k], whole.ids.empty() ? places[k] : whole.ids[places[k]]) << k;
  }
}

class SelectionOf : public testing::TestWithParam<const char*> {};

TEST_P(SelectionOf, OneOfThreeBodiesHasTheMassOfAll) {
  const std::string path = fixture_path(GetParam());
  const Snapshot whole = read_snapshot(path, {}), part = read_part(path, {.every = 3});
  expect_bodies_at(expected_places(whole, 3, [](std::size_t) { return true; }), whole, part);
  const std::vector<double> expected = mass_of_types(whole), found = mass_of_types(part);
  for (std::size_t type = 0; type < kBodyTypes; ++type) EXPECT_NEAR(found[type], expected[type], 1e-12) << type;
  EXPECT_EQ(part.census.bodies(), whole.bodies.size());
  EXPECT_THAT(notes_of(part), HasSubstr("one of 3 bodies of each type): " + std::to_string(part.bodies.size()) +
                                        " of " + std::to_string(whole.bodies.size()) + " bodies. Their masses"));
}

TEST_P(SelectionOf, ARegionHasTheBodiesInIt) {
  const std::string path = fixture_path(GetParam());
  const Snapshot whole = read_snapshot(path, {});
  const Vec3 centre = whole.bodies[1].position;
  std::vector<double> distances;
  for (const Body& body : whole.bodies) distances.push_back(length(body.position - centre));
  std::vector<double> sorted = distances;
  std::ranges::sort(sorted);
  const double radius = (sorted[sorted.size() / 2 - 1] + sorted[sorted.size() / 2]) / 2;
  const double unit = whole.length_factor;  // the region is in numbers of the file, which may be comoving
  const Snapshot part = read_part(path, {.region = Region{centre * (1 / unit), radius / unit}});
  expect_bodies_at(expected_places(whole, 1, [&](std::size_t i) { return distances[i] <= radius; }), whole, part);
  for (const Body& body : part.bodies)
    EXPECT_TRUE(std::ranges::any_of(whole.bodies,
                                    [&](const Body& b) { return b.position == body.position && b.mass == body.mass; }));
}

TEST_P(SelectionOf, ATypeIsReadAlone) {
  const std::string path = fixture_path(GetParam());
  const Snapshot whole = read_snapshot(path, {});
  const std::size_t type = type_of(whole, whole.bodies.size() / 2);
  const Snapshot part = read_part(path, {.every = 2, .types = 1u << type});
  expect_bodies_at(expected_places(whole, 2, [&](std::size_t i) { return type_of(whole, i) == type; }), whole, part);
  EXPECT_EQ(part.census.bodies(), whole.bodies.size());
  const std::size_t other = type == 7 ? 6 : 7;
  EXPECT_THAT(error_of([&] { read_part(path, {.types = 1u << other}); }),
              testing::AllOf(HasSubstr("No body is of a selected type (" + type_name(other) + "). The file has: "),
                             HasSubstr(type_name(type) + " (" + std::to_string(type) + ")")));
}

TEST_P(SelectionOf, ARegionWithoutBodiesIsRefusedWithTheExtent) {
  const std::string path = fixture_path(GetParam());
  EXPECT_THAT(error_of([&] {
                read_part(path, {.region = Region{{1e9, 0, 0}, 1}});
              }),
              testing::AllOf(HasSubstr("No body is within 1 of (1e+09, 0, 0). The bodies extend from ("),
                             HasSubstr("in the file's unit of length")));
}

INSTANTIATE_TEST_SUITE_P(Formats, SelectionOf,
                         testing::Values("gadget1_little", "gadget2_big", "gadget_cosmological",
                                         "gadget1_table_without_ids", "tipsy_standard", "tipsy_ids", "stdpar_3d.bin",
                                         "table.csv", "hdf5/gadget2.hdf5", "hdf5/swift.hdf5", "hdf5/comoving.hdf5",
                                         "rebound_5.bin", "tables/gaia.fits", "tables/types_BINARY.vot",
                                         "ramses/output_00001/info_00001.txt"),
                         [](const auto& format) {
                           std::string name = format.param;
                           std::ranges::replace_if(
                               name, [](char c) { return c == '.' || c == '/'; }, '_');
                           return name;
                         });

TEST(Selection, TheRestIsMissingOnlyIfThereIsOne) {
  const auto note = [](const Selection& selection) {
    return read_part(fixture_path("gadget2_big"), selection).notes.back();
  };
  const std::string missing = "The gravity of the rest is missing.";
  const Snapshot whole = read_snapshot(fixture_path("gadget2_big"), {});
  const auto first = static_cast<unsigned>(type_of(whole, 0));
  EXPECT_THAT(note({.types = 1u << first}), HasSubstr(missing));
  EXPECT_THAT(note({.types = 0xff}), testing::Not(HasSubstr(missing)));
  EXPECT_THAT(note({.region = Region{{0, 0, 0}, 1e9}}), testing::Not(HasSubstr(missing)));
  EXPECT_THAT(note({.every = 2}), testing::Not(HasSubstr(missing)));
}

TEST(Selection, CountsInEachFileOfASnapshot) {
  for (const char* name : {"pieces.0", "pieces.1", "hdf5/pieces.0.hdf5"}) {
    const Snapshot whole = read_snapshot(fixture_path(name), {}), part = read_part(fixture_path(name), {.every = 3});
    EXPECT_LT(part.bodies.size(), whole.bodies.size());
    EXPECT_EQ(part.census.bodies(), whole.bodies.size());
    const std::vector<double> expected = mass_of_types(whole), found = mass_of_types(part);
    for (std::size_t type = 0; type < kBodyTypes; ++type) EXPECT_NEAR(found[type], expected[type], 1e-12) << type;
    for (const std::uint64_t id : part.ids) EXPECT_EQ(std::ranges::count(whole.ids, id), 1);
  }
}

// More bodies than one block has.
TEST(Selection, ContinuesFromBlockToBlock) {
  constexpr std::uint32_t kMany = 100'001;
  std::vector<std::uint8_t> bytes(16 + std::size_t{kMany} * 28);
  const auto put = [&](std::size_t at, auto number) { std::memcpy(bytes.data() + at, &number, sizeof number); };
  put(0, kMany);
  put(4, std::uint32_t{3});
  put(8, 1.0f);
  put(12, 1.0f);
  for (std::size_t i = 0; i < kMany; ++i) {
    put(16 + 28 * i, 1.0f);
    put(16 + 28 * i + 4, static_cast<float>(i));
  }
  const TemporaryFile file("many.bin", bytes);
  const Snapshot part = read_part(file.path(), {.every = 7});
  ASSERT_EQ(part.bodies.size(), 14'286u);
  for (std::size_t k = 0; k < part.bodies.size(); ++k)
    EXPECT_EQ(part.bodies[k].position[0], 7.0 * static_cast<double>(k));
  EXPECT_NEAR(mass_of_types(part)[4], kMany, 1e-6);
}

// Without it the others would get the mass of the sun.
TEST(Selection, ABodyThatOutweighsTheOthersIsAlwaysKept) {
  std::string table = "m,x,y,z\n";
  for (int i = 0; i < 1000; ++i) table += (i == 501 ? "1," : "1e-9,") + std::to_string(i) + ",0,0\n";
  const TemporaryFile file("system.csv", {table.begin(), table.end()});
  const Snapshot part = read_part(file.path(), {.every = 10});
  ASSERT_EQ(part.bodies.size(), 101u);
  const auto sun = std::ranges::max_element(part.bodies, {}, &Body::mass);
  EXPECT_EQ(sun->position[0], 501);
  EXPECT_NEAR(sun->mass, 1, 1e-9);
  EXPECT_NEAR(part.bodies.front().mass, 1e-8, 1e-10);
}

TEST(Selection, TheSunAndThePlanetsThatAreAddedStay) {
  std::string table = "e,i,om,w,q,ma,epoch,GM\n";
  for (int i = 0; i < 40; ++i) table += "0.1,5,10,20," + std::to_string(2 + 0.01 * i) + ",30,2461000.5,1e-3\n";
  const TemporaryFile file("belt.csv", {table.begin(), table.end()});
  const Snapshot whole = read_snapshot(file.path(), {}), part = read_part(file.path(), {.every = 4});
  ASSERT_EQ(part.bodies.size(), 9u + 10u);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(part.bodies[i].mass, whole.bodies[i].mass);
  EXPECT_NEAR(part.bodies[9].mass / whole.bodies[9].mass, 4, 1e-12);
}

TEST(Selection, ARegionExtendsThroughPeriodicWalls) {
  Hdf5Maker file;
  file.header({0, 4, 0, 0, 0, 0}).put("Header", "BoxSize", 100.0);
  file.data("PartType1", "Coordinates", {1, 50, 50, 99, 50, 50, 95, 50, 50, 50, 50, 50}, 3);
  file.data("PartType1", "Masses", {1, 1, 1, 1}).data("PartType1", "ParticleIDs", {1, 2, 3, 4});
  const std::string path = file.path();
  EXPECT_EQ(read_part(path, {.region = Region{{0, 50, 50}, 2}}).ids, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(read_part(path, {.region = Region{{101, 50, 50}, 1}}).ids, (std::vector<std::uint64_t>{1}))
      << "a place outside the box";
  const ReadOptions open{.stated = {.box = 0}, .selection = {.region = Region{{0, 50, 50}, 2}}};
  EXPECT_EQ(read_snapshot(path, open).ids, (std::vector<std::uint64_t>{1}));
}

TEST(Selection, TypesThatAreNotSelectedAreNotRead) {
  Hdf5Maker file;
  file.header({3, 5, 0, 0, 0, 0}).bodies(0, 3, 0, {"Masses"}).data("PartType0", "Masses", {1}).bodies(1, 5);
  EXPECT_THAT(error_of([&] { read_snapshot(file.path(), {}); }), HasSubstr("Masses has 1 rows"));
  const Snapshot halo = read_part(file.path(), {.types = types_from("halo")});
  EXPECT_EQ(halo.bodies.size(), 5u);
  EXPECT_EQ(halo.census.types[0].bodies, 3u);
}

// It is read as other programs read it, in the units of the file.
TEST(Selection, ASavedRunIsReadInPart) {
  const std::string path = fixture_path("hdf5/saved_run_1.hdf5");
  const Snapshot whole = read_snapshot(path, {}), part = read_part(path, {.every = 2});
  ASSERT_TRUE(whole.run);
  EXPECT_FALSE(part.run);
  EXPECT_NEAR(static_cast<double>(part.bodies.size()), static_cast<double>(whole.bodies.size()) / 2, 1);
  const LoadedScene scene = scene_of(part);
  EXPECT_FALSE(scene.config);
  ASSERT_TRUE(scene.origin);
  EXPECT_EQ(scene.origin->ids.size(), part.bodies.size());
}

// ---- series

/// A snapshot of bodies with these ids, in this order.
std::string saved(Hdf5Maker& file, const std::vector<double>& ids, double time) {
  const auto count = static_cast<double>(ids.size());
  std::vector<double> places;
  for (const double id : ids) places.insert(places.end(), {id, time, 0});
  file.header({0, count, 0, 0, 0, 0}).put("Header", "Time", time);
  file.data("PartType1", "Coordinates", places, 3).data("PartType1", "Masses", std::vector<double>(ids.size(), 1.0));
  file.data("PartType1", "ParticleIDs", ids, 1, H5T_NATIVE_UINT64);
  return file.path();
}

std::vector<std::uint64_t> shown_ids(Simulation& playback, double time) {
  playback.seek(time, {});
  return playback.labels().ids;
}

// Codes write bodies in another order each time, and give them ids of any arithmetic sequence.
TEST(Selection, ASeriesShowsTheSameBodiesInEachSnapshot) {
  for (const double step : {1.0, 2.0, 100.0}) {
    std::vector<double> ids;
    for (int i = 0; i < 5000; ++i) ids.push_back(7 + step * i);
    Hdf5Maker a("a_000.hdf5"), b("a_001.hdf5");
    const std::string first = saved(a, ids, 0);
    std::ranges::rotate(ids, ids.begin() + 1234);
    std::ranges::reverse(ids);
    const std::string second = saved(b, ids, 1);
    const SceneSource source = series_source({first, second}, {.selection = {.every = 100}});
    LoadedScene loaded = source.load({});
    EXPECT_NEAR(static_cast<double>(loaded.playback->size()), 50, 3) << step;
    EXPECT_EQ(shown_ids(*loaded.playback, loaded.playback_range.first).size(), loaded.playback->size());
    EXPECT_EQ(shown_ids(*loaded.playback, loaded.playback_range.first),
              shown_ids(*loaded.playback, loaded.playback_range.last));
    EXPECT_THAT(loaded.note, HasSubstr("chosen by id"));
    EXPECT_EQ(source.options.selection.every, 100u) << "for the scene string";
  }
}

// Their places in the file are their ids.
TEST(Selection, ASeriesWithoutIdsKeepsPlaces) {
  std::string table = "m,x,y,z,vx\n", later = table;
  for (int i = 0; i < 900; ++i) {
    table += "1," + std::to_string(i) + ",0,0,1\n";
    later += "1," + std::to_string(i + (i == 450 ? 500 : 0)) + ",1,0,1\n";  // one leaves the region
  }
  const TemporaryFile first("t_0.csv", {table.begin(), table.end()}), second("t_1.csv", {later.begin(), later.end()});
  const Selection selection{.region = Region{{450, 0, 0}, 100}};
  const Snapshot a = read_part(first.path(), selection), b = read_part(second.path(), selection);
  EXPECT_EQ(a.bodies.size(), 201u);
  for (const Snapshot* each : {&a, &b})
    for (std::size_t i = 0; i < each->bodies.size(); ++i)
      EXPECT_EQ(static_cast<double>(each->ids[i]), each->bodies[i].position[0]);
}

// A single black hole would vanish from most series.
TEST(Selection, SmallTypesStayInASeries) {
  Hdf5Maker file;
  file.header({0, 2000, 0, 0, 0, 3}).bodies(1, 2000).bodies(5, 3, 5000);
  const Snapshot part = read_part(file.path(), {.every = 50, .by_id = true});
  EXPECT_EQ(std::ranges::count(part.types, 5), 3);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(part.types, 1)), 40, 3);
  EXPECT_EQ(part.bodies.back().mass, 5003 / 4.0);
}

// An invalid id is found after bodies have been selected by theirs.
TEST(Selection, IdsThatAreIgnoredSelectNothing) {
  std::string table = "id,m,x,y,z\n";
  for (int i = 0; i < 400; ++i)
    table += (i == 300 ? "x" : std::to_string(3 * i)) + ",1," + std::to_string(i) + ",0,0\n";
  const TemporaryFile file("ids.csv", {table.begin(), table.end()});
  const Snapshot part = read_part(file.path(), {.every = 10, .by_id = true});
  for (std::size_t i = 0; i < part.bodies.size(); ++i)
    EXPECT_EQ(static_cast<double>(part.ids[i]), part.bodies[i].position[0]);
  EXPECT_THAT(notes_of(part), HasSubstr("The ids are ignored"));
}

// ---- text

TEST(Selection, TypesAreNamesOrNumbers) {
  EXPECT_EQ(types_from("gas, Star"), 0b10001u);
  EXPECT_EQ(types_from("0 4"), 0b10001u);
  EXPECT_EQ(types_from("black-hole"), types_from("5"));
  EXPECT_EQ(types_from("all"), 0u);
  EXPECT_EQ(types_text(0b100110), "halo,disk,boundary");
  EXPECT_EQ(types_from(types_text(0b1111111)), 0b1111111u);
  for (const char* wrong : {"", "gas,x", "8", "-1", "gasstar"})
    EXPECT_THAT(error_of([&] { types_from(wrong); }), HasSubstr("is no list of types. Write names or numbers"))
        << wrong;
}

TEST(Selection, ARegionIsFourNumbers) {
  const Region region = region_from("1,-2.5 3e2, 0.1");
  EXPECT_EQ(region, (Region{{1, -2.5, 300}, 0.1}));
  EXPECT_EQ(region_from(region_text(region)), region);
  for (const char* wrong : {"", "1 2 3", "1 2 3 0", "1 2 3 -1", "1 2 3 x", "1 2 3 4 5", "1 2 inf 4"})
    EXPECT_THAT(error_of([&] { region_from(wrong); }), HasSubstr("is no region. Write four numbers")) << wrong;
}

}  // namespace
}  // namespace pericenter::test
