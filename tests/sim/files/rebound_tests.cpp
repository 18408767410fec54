// Archives of REBOUND. The fixtures are from make_fixtures.py, in the layout that REBOUND 4.4.3 and 5.2.2 write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numbers>
#include <string>

#include "sim/files/unit_system.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using Data = std::vector<std::uint8_t>;

class Rebound : public testing::TestWithParam<const char*> {
 protected:
  Data bytes() const { return fixture_bytes(std::string("rebound_") + GetParam() + ".bin"); }
  static Data with_gravity(Data data, double gravity) {
    const double written = 0.5;
    const auto* const number = reinterpret_cast<const std::uint8_t*>(&written);
    const auto found = std::search(data.begin(), data.end(), number, number + 8);
    std::memcpy(&*found, &gravity, 8);
    return data;
  }
};

void expect_particles(const Snapshot& snapshot, std::size_t first, double gravity) {
  ASSERT_EQ(snapshot.bodies.size(), 4u) << "variational particles are no bodies";
  for (std::size_t i = 0; i < 4; ++i) {
    const Body body = fixture_body(first + i);
    EXPECT_EQ(snapshot.bodies[i].mass, body.mass * gravity);
    EXPECT_EQ(snapshot.bodies[i].position, body.position);
    EXPECT_EQ(snapshot.bodies[i].velocity, body.velocity);
  }
}

TEST_P(Rebound, LastSnapshotWithTheFieldsOfTheFirst) {
  const Snapshot snapshot = read_as("rebound", bytes());
  expect_particles(snapshot, 20, 0.5);
  EXPECT_EQ(snapshot.time, 3.0);
  EXPECT_EQ(snapshot.softening, 0.25) << "the second snapshot has another, the third that of the first";
  EXPECT_FALSE(snapshot.units.known());
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("last of 3 snapshots")));
  EXPECT_THAT(snapshot.notes, Contains(HasSubstr("masses were multiplied")));
}

TEST_P(Rebound, UnitsByTheGravitationalConstant) {
  const double pi = std::numbers::pi;
  const std::pair<double, FileUnits> cases[] = {
      {1, {}},
      {4 * pi * pi, {kAstronomicalUnitCm, kSunGram, kAstronomicalUnitCm / kYearSecond}},
      {39.476926421373, {kAstronomicalUnitCm, kSunGram, kAstronomicalUnitCm / kYearSecond}},
      {6.67408e-11, {100, 1000, 100}},
      {6.674e-8, {1, 1, 1}}};
  for (const auto& [gravity, units] : cases) {
    const Snapshot snapshot = read_as("rebound", with_gravity(bytes(), gravity));
    expect_particles(snapshot, 20, 1);
    EXPECT_EQ(snapshot.units.length_cm, units.length_cm) << gravity;
    EXPECT_EQ(snapshot.units.mass_g, units.mass_g) << gravity;
    EXPECT_EQ(snapshot.units.velocity_cm_s, units.velocity_cm_s) << gravity;
  }
}

TEST_P(Rebound, IncompleteArchivesShowTheLastCompleteSnapshot) {
  const Data whole = bytes();
  std::size_t seen = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const Bytes part = Bytes(whole).first(size);
    if (const std::string error = error_of("rebound", part); !error.empty()) {
      EXPECT_EQ(seen, 0u) << size;
      EXPECT_THAT(error, HasSubstr("opy it again"));
      continue;
    }
    const Snapshot snapshot = read_as("rebound", part);
    const std::size_t first = snapshot.time == 1 ? 0 : snapshot.time == 2 ? 10 : 20;
    EXPECT_GE(first, seen);
    seen = first;
    expect_particles(snapshot, first, 0.5);
  }
  EXPECT_EQ(seen, 20u);
  EXPECT_THAT(read_as("rebound", Bytes(whole).first(whole.size() - 100)).notes, Contains(HasSubstr("incomplete")));
}

TEST_P(Rebound, OtherVersionsAreNamed) {
  Data other = bytes();
  other[30] = '3';
  EXPECT_THAT(error_of("rebound", other), HasSubstr("archive of REBOUND 3."));
}

TEST_P(Rebound, ContradictionsAreExplained) {
  Data data = bytes();
  const std::string name =
      GetParam()[0] == '5' ? std::string("\0\0\0N\0\4", 6) : std::string("\4\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\6", 17);
  const auto found = std::search(data.begin(), data.end(), name.begin(), name.end());
  ASSERT_NE(found, data.end());
  found[static_cast<std::ptrdiff_t>(name.size()) - 1] = 7;
  EXPECT_THAT(error_of("rebound", data), HasSubstr("declares 7 particles"));
}

INSTANTIATE_TEST_SUITE_P(Versions, Rebound, testing::Values("4", "5"));

}  // namespace
}  // namespace pericenter::test
