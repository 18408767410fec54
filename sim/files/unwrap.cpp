#include "sim/files/unwrap.h"

#include <algorithm>
#include <limits>

namespace pericenter {
namespace {

constexpr std::size_t kBins = 4096;
constexpr double kContinuous = 0.5;  // empty share of the joined group at the wall, at most: few bodies are at an edge

struct Range {
  double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
};

Range range_of(const Bodies& bodies, int axis) {
  Range range;
  for (const Body& body : bodies) {
    range.low = std::min(range.low, body.position[axis]);
    range.high = std::max(range.high, body.position[axis]);
  }
  return range;
}

/// The longest part of the range without bodies, shorter by at most two bins.
Range longest_gap(const Bodies& bodies, int axis, const Range& range) {
  std::vector<bool> taken(kBins);
  const double width = (range.high - range.low) / kBins;
  for (const Body& body : bodies)
    taken[std::min(static_cast<std::size_t>((body.position[axis] - range.low) / width), kBins - 1)] = true;
  std::size_t begin = 0, longest = 0, end = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    if (!taken[bin]) continue;
    if (bin - begin > longest) {
      longest = bin - begin;
      end = bin;
    }
    begin = bin + 1;
  }
  return {range.low + static_cast<double>(end - longest) * width, range.low + static_cast<double>(end) * width};
}

/// Whether a wall cut the group, which is joined then.
bool unwrap_axis(Bodies& bodies, int axis, double side) {
  const Range range = range_of(bodies, axis);
  const double at_wall = side - (range.high - range.low);
  if (!(range.high - range.low > 1e-300) || !(at_wall > -1e-5 * side) || at_wall > kGroupShare * kContinuous * side)
    return false;
  const Range gap = longest_gap(bodies, axis, range);
  const double empty = gap.high - gap.low;
  if (empty < (1 - kGroupShare) * side || at_wall > kContinuous * (side - empty)) return false;
  const auto is_above = [&](const Body& body) { return body.position[axis] >= gap.high; };
  const auto above = static_cast<std::size_t>(std::ranges::count_if(bodies, is_above));
  const bool moves_above = 2 * above <= bodies.size();
  for (Body& body : bodies) {
    if (is_above(body) == moves_above) body.position[axis] += moves_above ? -side : side;
  }
  return true;
}

}  // namespace

void unwrap(Snapshot& snapshot) {
  if (snapshot.run || snapshot.bodies.empty()) return;
  std::string axes;
  for (int axis = 0; axis < 3; ++axis) {
    if (unwrap_axis(snapshot.bodies, axis, snapshot.box[axis]))
      axes += std::string(axes.empty() ? "" : " and ") + "xyz"[axis];
  }
  if (!axes.empty())
    snapshot.notes.push_back("A wall of the periodic volume cuts the group of bodies along " + axes +
                             ": its smaller part is moved by one side, so that it is whole.");
}

}  // namespace pericenter
