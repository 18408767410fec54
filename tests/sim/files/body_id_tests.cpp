// Ids of any value: each body keeps its own when its file is loaded, played, and saved again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/files/file_origin.h"
#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/hdf5/writer.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"
#include "sim/session/session.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::HasSubstr;
using Ids = std::vector<std::uint64_t>;

// Doubles cannot hold the first two; as signed numbers, the fourth and fifth are negative; their lower halves are
// in another order.
const Ids kForeign = {
    (std::uint64_t{1} << 53) + 1, (std::uint64_t{1} << 53) + 2, 0, ~std::uint64_t{0}, (std::uint64_t{1} << 63) + 5, 77};
const Ids kEqual = {9, 4, 9, 9, 0, 4};

/// Bodies that differ in their masses, in no order of their ids.
Snapshot bodies_with(const Ids& ids) {
  Snapshot snapshot;
  snapshot.units = kGalacticUnits;
  snapshot.ids = ids;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto x = static_cast<double>(i);
    snapshot.bodies.push_back(
        {{x, x * x, 0}, {0, 1, 0}, 1 + x, make_tag(0, i % 2 == 0 ? Component::disc : Component::halo)});
  }
  return snapshot;
}

std::string table_with(const Ids& ids) {
  std::string text = "id,m,x,y\n";
  for (std::size_t i = 0; i < ids.size(); ++i)
    text += std::to_string(ids[i]) + "," + std::to_string(1 + i) + "," + std::to_string(i) + ",0\n";
  return text;
}

/// A column of numbers of one type of particles, as the file has it.
template <class Number>
std::vector<Number> stored_column(Hdf5Id file, const std::string& name, Hdf5Id memory) {
  const Hdf5Handle data(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(H5Dget_space(data.get()), H5Sclose);
  std::vector<Number> numbers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  EXPECT_GE(H5Dread(data.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  return numbers;
}

/// The id of the body of each mass in a file, as another program reads it.
std::map<long, std::uint64_t> ids_by_mass(const std::string& path) {
  const Hdf5Session session;
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::map<long, std::uint64_t> found;
  for (int type = 0; type < 6; ++type) {
    const std::string group = "/PartType" + std::to_string(type);
    if (H5Lexists(file.get(), group.c_str(), H5P_DEFAULT) <= 0) continue;
    const auto masses = stored_column<double>(file.get(), group + "/Masses", H5T_NATIVE_DOUBLE);
    const auto ids = stored_column<std::uint64_t>(file.get(), group + "/ParticleIDs", H5T_NATIVE_UINT64);
    for (std::size_t i = 0; i < ids.size(); ++i) found[std::lround(masses[i])] = ids[i];
  }
  return found;
}

/// Loads a file, takes two steps, saves the run, loads and saves that, and expects the ids of the bodies.
void expect_kept(const std::string& path, const Ids& ids) {
  const TemporaryFile once("once.hdf5"), twice("twice.hdf5");
  const auto save = [](const std::string& from, const std::string& to) {
    Session session;
    session.load(std::make_shared<const SceneSource>(file_source(from, {})));
    for (int k = 0; k < 2; ++k) session.advance(nullptr, true);
    write_hdf5(to, session.snapshot(), {});
  };
  save(path, once.path());
  save(once.path(), twice.path());
  std::map<long, std::uint64_t> expected;
  for (std::size_t i = 0; i < ids.size(); ++i) expected[1 + static_cast<long>(i)] = ids[i];
  EXPECT_EQ(ids_by_mass(once.path()), expected) << path;
  EXPECT_EQ(ids_by_mass(twice.path()), expected) << path;
}

TEST(BodyIds, OfTablesAndHdf5AreSavedAsTheyAreInTheFile) {
  for (const Ids& ids : {kForeign, kEqual}) {
    const std::string text = table_with(ids);
    const TemporaryFile table("ids.csv", {text.begin(), text.end()}), other("ids.hdf5");
    expect_kept(table.path(), ids);
    write_hdf5(other.path(), bodies_with(ids), {});
    expect_kept(other.path(), ids);
  }
}

TEST(BodyIds, OfGadgetAreSavedAsTheyAreInTheFile) {
  std::vector<std::uint8_t> data = fixture_bytes("gadget2_little");  // doubles and 64-bit ids
  const std::string label = "ID  ";
  const auto block = std::search(data.begin(), data.end(), label.begin(), label.end()) + 16;
  std::memcpy(&*block, kForeign.data(), kForeign.size() * sizeof(std::uint64_t));
  const Snapshot wide = read_as("gadget", data);
  EXPECT_EQ(Ids(wide.ids.begin(), wide.ids.begin() + 6), kForeign);
  EXPECT_EQ(wide.ids[6], 1006u);
  data = fixture_bytes("gadget1_little");
  const std::uint32_t before[2] = {1000, 1001}, after[2] = {~0u, 1u << 31};
  const auto* const first = reinterpret_cast<const std::uint8_t*>(before);
  const auto place = std::search(data.begin(), data.end(), first, first + sizeof before);
  ASSERT_NE(place, data.end());
  std::memcpy(&*place, after, sizeof after);
  const Snapshot narrow = read_as("gadget", data);
  EXPECT_EQ(Ids(narrow.ids.begin(), narrow.ids.begin() + 3), (Ids{~0u, 1u << 31, 1002}));
}

/// Replaces the ids of a type in a file by signed numbers.
void store_signed_ids(const std::string& path, const std::string& group, const std::vector<std::int64_t>& ids) {
  const Hdf5Session session;
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  const std::string name = group + "/ParticleIDs";
  H5Ldelete(file.get(), name.c_str(), H5P_DEFAULT);
  if (ids.empty()) return;
  const hsize_t extent = ids.size();
  const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  const Hdf5Handle data(
      H5Dcreate2(file.get(), name.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  EXPECT_GE(H5Dwrite(data.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, ids.data()), 0);
}

// Regression: the library made 0 of each of them.
TEST(BodyIds, OfHdf5ThatAreNegativeStayDifferent) {
  const TemporaryFile file("negative.hdf5");
  write_hdf5(file.path(), bodies_with({1, 2, 3, 4, 5, 6}), {});
  store_signed_ids(file.path(), "/PartType1", {-1, -7, std::numeric_limits<std::int64_t>::min()});
  const auto unsigned_id = [](std::int64_t id) { return static_cast<std::uint64_t>(id); };
  expect_kept(file.path(), {1, unsigned_id(-1), 3, unsigned_id(-7), 5, std::uint64_t{1} << 63});
}

// Regression: they were dropped without a word.
TEST(BodyIds, ThatOnlySomeBodiesHaveAreIgnoredWithANote) {
  const TemporaryFile file("some.hdf5");
  write_hdf5(file.path(), bodies_with({1, 2, 3, 4, 5, 6}), {});
  EXPECT_TRUE(read_hdf5(file.path(), {}).notes.empty());
  store_signed_ids(file.path(), "/PartType1", {});
  const Snapshot snapshot = read_hdf5(file.path(), {});
  EXPECT_TRUE(snapshot.ids.empty());
  EXPECT_EQ(snapshot.bodies.size(), 6u);
  EXPECT_THAT(snapshot.notes, testing::ElementsAre("The ids are ignored, because only some of the bodies have one."));
}

/// Two snapshots as HDF5; in the second, without the last `lost` bodies, they are in reverse order and 1 farther along
/// x.
std::vector<std::string> series_with(const TemporaryFile& first, const TemporaryFile& second, const Ids& ids,
                                     std::size_t lost = 0) {
  write_hdf5(first.path(), bodies_with(ids), {});
  Snapshot snapshot = bodies_with({ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(lost)});
  snapshot.time = 1;
  for (Body& body : snapshot.bodies) body.position[0] += 1;
  std::ranges::reverse(snapshot.bodies);
  std::ranges::reverse(snapshot.ids);
  write_hdf5(second.path(), snapshot, {});
  return {first.path(), second.path()};
}

TEST(BodyIds, OfAnyValueMatchTheBodiesOfAPlayback) {
  const TemporaryFile first("snap_0.hdf5"), second("snap_1.hdf5");
  for (const std::size_t lost : {0u, 1u, 5u}) {
    const LoadedScene loaded = series_source(series_with(first, second, kForeign, lost), {}).load({});
    Simulation& played = *loaded.playback;
    const Bodies before = played.bodies();
    played.seek(loaded.playback_range.last, {});
    const Bodies after = played.bodies();
    const Ids ids = played.labels().ids;
    ASSERT_EQ(after.size(), kForeign.size() - lost);
    const double unit = std::ranges::min_element(before, {}, &Body::mass)->mass;
    const Vec3 moved = after[0].position - before[0].position;
    for (std::size_t i = 0; i < after.size(); ++i) {
      EXPECT_LT(length(after[i].position - before[i].position - moved), 1e-9) << "body " << i << " is another one";
      EXPECT_EQ(ids[i], kForeign.at(static_cast<std::size_t>(std::lround(before[i].mass / unit)) - 1));
    }
    EXPECT_EQ(played.continuity().permutations, 0u) << "marks, a trail and the followed body stay with theirs";
  }
}

TEST(BodyIds, ThatAreEqualAreFollowedToTheNearest) {
  const TemporaryFile first("snap_0.hdf5"), second("snap_1.hdf5");
  const LoadedScene loaded = series_source(series_with(first, second, kEqual), {}).load({});
  Simulation& played = *loaded.playback;
  const Bodies before = played.bodies();
  played.seek(loaded.playback_range.last, {});
  const Bodies after = played.bodies();
  ASSERT_EQ(after.size(), kEqual.size());
  const Vec3 moved = after[0].position - before[0].position;
  for (std::size_t i = 0; i < after.size(); ++i)
    EXPECT_LT(length(after[i].position - before[i].position - moved), 1e-9) << "body " << i << " is another one";
  EXPECT_THAT(played.note(), testing::HasSubstr("Bodies that share their id"));
}

/// A TIPSY fixture at another time, without ids; the mass of a dark particle, if any, is not valid.
std::vector<std::uint8_t> tipsy_at(double time, std::optional<std::size_t> invalid) {
  std::vector<std::uint8_t> data = fixture_bytes("tipsy_native");
  std::memcpy(data.data(), &time, sizeof time);
  const float mass = -1;
  if (invalid) std::memcpy(data.data() + 32 + 2 * 48 + 36 * *invalid, &mass, sizeof mass);
  return data;
}

// Regression: if each snapshot lost one body, but not the same, bodies between them were taken for their neighbours.
TEST(BodyIds, ThatAreMissingRequireThatNoBodyIsSkipped) {
  const TemporaryFile first("snap_0", tipsy_at(0, 0)), second("snap_1", tipsy_at(1, 2)),
      third("snap_2", tipsy_at(2, {})), fourth("snap_3", tipsy_at(3, {}));
  const LoadedScene loaded = series_source({first.path(), second.path(), third.path(), fourth.path()}, {true}).load({});
  EXPECT_EQ(loaded.playback->size(), 9u);
  for (const std::string& path : {first.path(), second.path()})
    EXPECT_THAT(loaded.note, HasSubstr(path + ": Without ids, its bodies cannot be matched with another snapshot, "
                                              "because invalid ones were skipped."));
}

}  // namespace
}  // namespace pericenter::test
