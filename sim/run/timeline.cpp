#include "sim/run/timeline.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace pericenter {

std::size_t Timeline::point_count() const {
  const auto& points = details->points;
  const bool has_end = !points.empty() && std::isfinite(last_time) && last > points.back().position;
  return points.size() + (has_end ? 1 : 0);
}

TimelinePoint Timeline::point(std::size_t index) const {
  return index < details->points.size() ? details->points[index] : TimelinePoint{last, last_time};
}

double Timeline::time_at(double position) const {
  const std::size_t count = point_count();
  if (count == 0) return position;
  const auto& points = details->points;
  const auto right = static_cast<std::size_t>(
      std::distance(points.begin(), std::ranges::upper_bound(points, position, {}, &TimelinePoint::position)));
  if (right == 0) return point(0).time;
  if (right == count || position >= point(count - 1).position) return point(count - 1).time;
  const TimelinePoint a = point(right - 1), b = point(right);
  return a.time + (b.time - a.time) * (position - a.position) / (b.position - a.position);
}

double Timeline::position_at(double time) const {
  const std::size_t count = point_count();
  if (count == 0) return time;
  const TimelinePoint start = point(0), end = point(count - 1);
  for (std::size_t right = count - 1; right > 0; --right) {
    const TimelinePoint a = point(right - 1), b = point(right);
    if (a.time == b.time || time < std::min(a.time, b.time) || time > std::max(a.time, b.time)) continue;
    return a.position + (b.position - a.position) * (time - a.time) / (b.time - a.time);
  }
  const bool forwards = end.time >= start.time;
  return (time < start.time) == forwards ? start.position : end.position;
}

}  // namespace pericenter
