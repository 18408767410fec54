#include "sim/session/timeline.h"

#include <algorithm>

namespace pericenter {

double Timeline::time_at(double position) const {
  const auto& points = details->points;
  if (points.empty()) return position;
  const auto right = std::ranges::upper_bound(points, position, {}, &TimelinePoint::position);
  if (right == points.begin()) return points.front().time;
  if (right == points.end()) return points.back().time;
  const TimelinePoint &a = *(right - 1), &b = *right;
  return a.time + (b.time - a.time) * (position - a.position) / (b.position - a.position);
}

double Timeline::position_at(double time) const {
  const auto& points = details->points;
  if (points.empty()) return time;
  for (auto right = points.end() - 1; right > points.begin(); --right) {
    const TimelinePoint &a = *(right - 1), &b = *right;
    if (a.time == b.time || time < std::min(a.time, b.time) || time > std::max(a.time, b.time)) continue;
    return a.position + (b.position - a.position) * (time - a.time) / (b.time - a.time);
  }
  const bool forwards = points.back().time >= points.front().time;
  return (time < points.front().time) == forwards ? points.front().position : points.back().position;
}

}  // namespace pericenter
