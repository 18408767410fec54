#include "sim/solvers/tree/body_range.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace pericenter::test {
namespace {

/// Leaves of one to a hundred bodies.
std::vector<BodyRange> leaves_of(std::uint32_t bodies, std::mt19937& random) {
  std::vector<BodyRange> leaves;
  for (std::uint32_t begin = 0; begin < bodies;) {
    const std::uint32_t end = std::min<std::uint32_t>(bodies, begin + 1 + static_cast<std::uint32_t>(random() % 100));
    leaves.push_back({begin, end});
    begin = end;
  }
  return leaves;
}

/// Parts of the bodies, some of them empty.
std::vector<BodyRange> parts_of(std::uint32_t bodies, unsigned count, std::mt19937& random) {
  std::vector<std::uint32_t> ends = {0, bodies};
  for (unsigned k = 1; k < count; ++k) ends.push_back(static_cast<std::uint32_t>(random() % (bodies + 1)));
  std::ranges::sort(ends);
  std::vector<BodyRange> parts;
  for (unsigned k = 0; k < count; ++k) parts.push_back({ends[k], ends[k + 1]});
  return parts;
}

TEST(BodyRanges, DivideTheLeavesAmongTheParts) {
  std::mt19937 random(7);
  for (int run = 0; run < 300; ++run) {
    const auto bodies = static_cast<std::uint32_t>(1 + random() % 2000);
    const std::vector<BodyRange> leaves = leaves_of(bodies, random);
    const std::vector<BodyRange> parts = parts_of(bodies, 1 + run % 5, random);
    for (const BodyRange& leaf : leaves) {
      const auto with = [&](bool whole_leaves) {
        return std::ranges::count_if(parts, [&](const BodyRange& p) { return processes(p, whole_leaves, leaf, true); });
      };
      EXPECT_EQ(with(true), 1);
      // Each part processes all leaves with its bodies.
      const auto overlapping = std::ranges::count_if(parts, [&](const BodyRange& part) {
        return part.size() > 0 && std::max(part.begin, leaf.begin) < std::min(part.end, leaf.end);
      });
      EXPECT_GE(with(false), overlapping);
      for (const BodyRange& part : parts) {
        for (const bool whole_leaves : {true, false}) {
          if (!processes(part, whole_leaves, leaf, true)) continue;
          const BodyRange cell{static_cast<std::uint32_t>(random() % (leaf.begin + 1)),
                               leaf.end + static_cast<std::uint32_t>(random() % (bodies - leaf.end + 1))};
          EXPECT_TRUE(processes(part, whole_leaves, cell, false));
        }
      }
    }
  }
}

}  // namespace
}  // namespace pericenter::test
