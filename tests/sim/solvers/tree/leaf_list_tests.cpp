#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "sim/core/random.h"
#include "sim/solvers/tree/insertion_tree.h"

namespace pericenter::test {
namespace {

constexpr std::uint32_t kEndOfList = InsertionTree<3>::kNoBody;

/// Links the bodies in this order; returns the first.
std::uint32_t linked(const std::vector<std::uint32_t>& bodies, std::vector<std::uint32_t>& next) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    next[bodies[i]] = i + 1 < bodies.size() ? bodies[i + 1] : kEndOfList;
  }
  return bodies[0];
}

TEST(LeafLists, AreSortedByBody) {
  Random random(4);
  for (std::size_t count = 1; count <= 70; ++count) {
    std::vector<std::uint32_t> bodies(count), next(3 * count, 12345);
    for (std::size_t i = 0; i < count; ++i) bodies[i] = static_cast<std::uint32_t>(3 * i + 1);
    for (std::size_t i = count; i > 1; --i) std::swap(bodies[i - 1], bodies[random.next() % i]);
    std::vector<std::uint32_t> got;
    for (std::uint32_t body = sorted_list(next.data(), linked(bodies, next)); body != kEndOfList; body = next[body]) {
      got.push_back(body);
      ASSERT_LE(got.size(), count);
    }
    std::ranges::sort(bodies);
    EXPECT_EQ(got, bodies);
    EXPECT_EQ(next[0], 12345u) << "not in the list";
  }
}

}  // namespace
}  // namespace pericenter::test
