// Groups of bodies that a wall of a periodic volume cuts.
#include "sim/files/unwrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/scenes/registry.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

constexpr double kSide = 100;

/// A Plummer sphere of scale radius 1 about this place, wrapped into [corner, corner + kSide].
Snapshot cluster_at(const Vec3& centre, double corner = 0) {
  Snapshot snapshot = snapshot_of(find_scene("plummer")->make({.bodies = 2000}).bodies);
  for (Body& body : snapshot.bodies) {
    body.position += centre;
    for (int k = 0; k < 3; ++k) body.position[k] -= kSide * std::floor((body.position[k] - corner) / kSide);
  }
  snapshot.box = Vec3{1, 1, 1} * kSide;
  return snapshot;
}

/// Largest difference to the bodies of the sphere about the image of its centre.
double error_of(const Snapshot& snapshot, const Vec3& centre) {
  const Bodies whole = find_scene("plummer")->make({.bodies = 2000}).bodies;
  double error = 0;
  for (std::size_t i = 0; i < whole.size(); ++i)
    error = std::max(error, length(snapshot.bodies[i].position - centre - whole[i].position));
  return error;
}

TEST(Unwrap, JoinsAGroupOnAWallAnEdgeOrACorner) {
  struct Case {
    Vec3 centre, image;
    const char* axes;
  };
  for (const auto& [centre, image, axes] :
       {Case{{0.3, 50, 50}, {0.3, 50, 50}, "along x:"}, Case{{99.7, 50, 50}, {99.7, 50, 50}, "along x:"},
        Case{{50, 0.3, 99.7}, {50, 0.3, 99.7}, "along y and z:"},
        Case{{0.3, 0.3, 0.3}, {0.3, 0.3, 0.3}, "x and y and z:"}}) {
    Snapshot snapshot = cluster_at(centre);
    unwrap(snapshot);
    EXPECT_LT(error_of(snapshot, image), 1e-9) << axes;
    ASSERT_EQ(snapshot.notes.size(), 1u) << axes;
    EXPECT_THAT(snapshot.notes[0], testing::HasSubstr(axes));
  }
}

// Few bodies are at an edge: their distance across the wall is a large part of the group.
TEST(Unwrap, JoinsSparseGroupsWhereverTheyAreCut) {
  int joined = 0, cut = 0;
  for (int k = 0; k < 100; ++k) {
    const double place = 0.04 * (k - 50);
    Snapshot snapshot =
        snapshot_of(find_scene("plummer")->make({.bodies = 100, .seed = static_cast<std::uint32_t>(k)}).bodies);
    const Bodies whole = snapshot.bodies;
    for (Body& body : snapshot.bodies) {
      body.position += Vec3{place, 50, 50};
      if (body.position[0] < 0) body.position[0] += kSide;
    }
    if (std::ranges::none_of(snapshot.bodies, [](const Body& body) { return body.position[0] > kSide / 2; })) continue;
    snapshot.box = {kSide, kSide, kSide};
    ++cut;
    unwrap(snapshot);
    joined += std::abs(snapshot.bodies[0].position[0] - snapshot.bodies[1].position[0] -
                       (whole[0].position[0] - whole[1].position[0])) < 1e-9 &&
              !snapshot.notes.empty();
  }
  EXPECT_GT(cut, 80);
  EXPECT_GE(joined, cut - cut / 30);
}

TEST(Unwrap, AlsoInAVolumeAboutTheOrigin) {
  Snapshot snapshot = cluster_at({49.8, -49.8, 0}, -kSide / 2);
  unwrap(snapshot);
  EXPECT_LT(error_of(snapshot, {49.8, -49.8, 0}), 1e-9);
}

TEST(Unwrap, LeavesWholeGroupsAndFullVolumes) {
  Snapshot inside = cluster_at({50, 50, 50});
  Snapshot full = cluster_at({0, 0, 0});
  for (std::size_t i = 0; i < full.bodies.size(); ++i) {
    const double share = static_cast<double>(i) / 2000;
    full.bodies[i].position = Vec3{std::fmod(share * 700, 100), std::fmod(share * 1300, 100), 100 * share};
  }
  Snapshot isolated = cluster_at({0.3, 50, 50});
  isolated.box = {};
  for (Snapshot* snapshot : {&inside, &full, &isolated}) {
    const Bodies before = snapshot->bodies;
    unwrap(*snapshot);
    EXPECT_TRUE(snapshot->notes.empty());
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(snapshot->bodies[i].position, before[i].position);
  }
}

TEST(Unwrap, LeavesTwoGalaxiesNearOppositeWalls) {
  Snapshot snapshot = cluster_at({20, 50, 50});
  for (std::size_t i = 0; i < 1000; ++i) snapshot.bodies[i].position[0] += 60;
  const Bodies before = snapshot.bodies;
  unwrap(snapshot);
  EXPECT_TRUE(snapshot.notes.empty());
  EXPECT_EQ(snapshot.bodies[0].position, before[0].position);
}

TEST(Unwrap, SurvivesImpossibleVolumes) {
  for (const double side : {-1.0, 0.0, 1e-320, 1e308, HUGE_VAL, std::nan("")}) {
    for (const double place : {0.0, 1e-310, 1e308}) {
      Snapshot snapshot = snapshot_of({{{place, 0, 0}, {}, 1, 0}, {{-place, 0, 0}, {}, 1, 0}, {{}, {}, 1, 0}});
      snapshot.box = {side, side, side};
      unwrap(snapshot);
      EXPECT_TRUE(snapshot.notes.empty()) << side << ' ' << place;
    }
  }
  Snapshot none;
  none.box = {1, 1, 1};
  unwrap(none);
}

}  // namespace
}  // namespace pericenter::test
