#pragma once

#include <gtest/gtest.h>

#include "tests/support/file_fixtures.h"

namespace pericenter::test {

/// That positions and velocities are those of the fixtures, from the body `first` on.
inline void expect_fixture_bodies(const Snapshot& snapshot, std::size_t first = 0) {
  for (std::size_t i = 0; i < snapshot.bodies.size(); ++i) {
    const Body expected = fixture_body(first + i);
    EXPECT_EQ(snapshot.bodies[i].position, expected.position) << i;
    EXPECT_EQ(snapshot.bodies[i].velocity, expected.velocity) << i;
  }
}

}  // namespace pericenter::test
