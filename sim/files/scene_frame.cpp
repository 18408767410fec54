#include "sim/files/scene_frame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/core/median.h"
#include "sim/core/parallel.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr std::size_t kSampled = 1 << 16;
constexpr double kMaxNumber = 1e100;     // its cube and its inverse are finite
constexpr double kMinSpanShare = 1e-12;  // fraction of the distance from the origin; doubles resolve it well
constexpr double kMaxSpan = 1e7;         // units of length; a tree of more bodies resolves it
constexpr double kMaxSpanOfFew = 1e12;   // floats represent its cube
constexpr std::size_t kMaxFew = 4096;
constexpr double kLeftShare = 1e3;      // median distances; bodies beyond have left the system
constexpr double kMinUnit = 1e-6;       // share of the span, if most bodies are at one place
constexpr std::size_t kLeastDisc = 20;  // bodies of a disc with a scale length
constexpr double kMinGravity = 1e-3;    // share of the speeds below which gravity is negligible

/// Sum of value(body), a Vec3, over all bodies; independent of the number of threads.
template <class Value>
Vec3 sum(const Bodies& bodies, const Value& value) {
  std::vector<Vec3> sums(chunk_count(bodies.size()));
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    Vec3& total = sums[first / kChunk];
    for (std::size_t i = first; i < last; ++i) total += value(bodies[i]);
  });
  Vec3 total;
  for (const Vec3& each : sums) total += each;
  return total;
}

// Extent of the positions; span and farthest are maxima over the axes.
struct Extent {
  double span = 0, farthest = 0;  // largest difference, largest distance from 0
  Vec3 middle;
};

Extent extent_of(const Bodies& bodies) {
  Vec3 low = bodies.front().position, high = low;
  for (const Body& body : bodies) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], body.position[k]);
      high[k] = std::max(high[k], body.position[k]);
    }
  }
  Extent extent;
  for (int k = 0; k < 3; ++k) {
    extent.span = std::max(extent.span, high[k] - low[k]);
    extent.farthest = std::max({extent.farthest, std::abs(low[k]), std::abs(high[k])});
    extent.middle[k] = low[k] / 2 + high[k] / 2;
  }
  return extent;
}

void check_extent(const Extent& extent, std::size_t bodies) {
  if (!(extent.farthest < kMaxNumber))
    throw InputError("Positions up to " + shown(extent.farthest) + " are too large to compute with. Use larger units.");
  if (bodies == 1) return;
  if (extent.span == 0) throw InputError("All bodies are at the same place.");
  if (extent.span < 1 / kMaxNumber)
    throw InputError("The extent of the bodies, " + shown(extent.span) +
                     ", is too small to compute with. Use smaller units.");
  if (extent.span < kMinSpanShare * extent.farthest)
    throw InputError(
        "The bodies extend over " + shown(extent.span) + " at a distance of " + shown(extent.farthest) +
        " from the origin, so the digits of their positions do not resolve them. Subtract the centre before "
        "writing the file.");
}

// Positions of up to kSampled visible bodies, or of all bodies if none is visible.
std::vector<Vec3> sampled_positions(const Bodies& bodies) {
  const auto is_visible = [](const Body& body) { return component_of(body.tag) != Component::halo; };
  const auto seen = static_cast<std::size_t>(std::ranges::count_if(bodies, is_visible));
  const std::size_t count = seen > 0 ? seen : bodies.size();
  const std::size_t stride = (count + kSampled - 1) / kSampled;
  std::vector<Vec3> positions;
  std::size_t index = 0;
  for (const Body& body : bodies) {
    if (seen > 0 && !is_visible(body)) continue;
    if (index++ % stride == 0) positions.push_back(body.position);
  }
  return positions;
}

double median_distance(const std::vector<Vec3>& positions, const Vec3& centre) {
  std::vector<double> distances;
  for (const Vec3& position : positions) distances.push_back(length(position - centre));
  return median(std::move(distances));
}

// Robust against a few distant bodies.
Vec3 median_position(const std::vector<Vec3>& positions) {
  Vec3 result;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> numbers;
    for (const Vec3& position : positions) numbers.push_back(position[k]);
    result[k] = median(std::move(numbers));
  }
  return result;
}

/// The place of most bodies, and the distance from it beyond which a body has left them and does not define the frame;
/// infinite if there are none. The heaviest body never counts as one that has left.
struct Middle {
  Vec3 place;
  double distance = 0;  ///< half of the sampled bodies are nearer
  double limit = std::numeric_limits<double>::infinity();

  bool has(const Body& body) const { return !(length(body.position - place) > limit); }
};

Middle middle_of(const Bodies& bodies, double span) {
  const std::vector<Vec3> positions = sampled_positions(bodies);
  Middle middle{.place = median_position(positions)};
  middle.distance = median_distance(positions, middle.place);
  if (!(middle.distance > 0 && span > kLeftShare * middle.distance)) return middle;
  if (span > (bodies.size() > kMaxFew ? kMaxSpan : kMaxSpanOfFew) * middle.distance)
    throw InputError("The bodies extend over " + shown(span) + ", but half of them are within " +
                     shown(middle.distance) + ": single precision does not resolve both. Remove the distant bodies.");
  const double limit = kLeftShare * middle.distance;
  const Body& heaviest = *std::ranges::max_element(bodies, {}, &Body::mass);
  if (length(heaviest.position - middle.place) <= limit) middle.limit = limit;
  return middle;
}

/// Scale length, with two digits, of the largest disc, if any carries dust, as those of our own scenes do: images
/// expect it to be about 1 (render/dust_pass.cpp). nullopt: there is none.
std::optional<double> disc_scale_length(const Bodies& bodies) {
  constexpr double kMedianRadius = 1.678;    // of an exponential disc, in scale lengths: (1 + r) exp(-r) = 1/2
  std::array<std::size_t, 16> members = {};  // of each galaxy
  for (const Body& body : bodies) members[galaxy_of(body.tag)] += component_of(body.tag) == Component::disc;
  const auto largest = static_cast<std::size_t>(std::ranges::max_element(members) - members.begin());
  std::vector<Vec3> positions;
  std::size_t dusty = 0;
  for (const Body& body : bodies) {
    dusty += dust_of(body.tag) > 0;
    if (component_of(body.tag) == Component::disc && galaxy_of(body.tag) == largest) positions.push_back(body.position);
  }
  if (dusty == 0 || positions.size() < kLeastDisc) return std::nullopt;
  const double scale = median_distance(positions, median_position(positions)) / kMedianRadius;
  if (!(scale > 0)) return std::nullopt;
  const double digit = std::pow(10, std::floor(std::log10(scale)) - 1);
  return std::round(scale / digit) * digit;
}

double unit_of_length(const Bodies& bodies, const Middle& middle, const Vec3& centre, double span) {
  if (bodies.size() == 1) return 1;
  const double extent = std::min(span, middle.limit), distance = median_distance(sampled_positions(bodies), centre);
  return round_number(std::max(distance, kMinUnit * extent));
}

}  // namespace

double round_number(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  const double lead = x / power;
  return power * (lead < std::sqrt(2.0) ? 1 : lead < std::sqrt(10.0) ? 2 : lead < std::sqrt(50.0) ? 5 : 10);
}

SceneFrame frame_of(const Snapshot& snapshot) {
  const Bodies& bodies = snapshot.bodies;
  if (bodies.empty()) throw InputError("The file contains no bodies.");
  const Extent extent = extent_of(bodies);
  check_extent(extent, bodies.size());

  const double total = sum(bodies, [](const Body& body) { return Vec3{body.mass, 0, 0}; })[0];
  const double gravity = gravity_in(snapshot.units);
  if (!(total < kMaxNumber) || !(gravity > 0 && gravity < kMaxNumber))
    throw InputError("The sum of the masses, " + shown(total) + ", is too large to compute with. Use larger units.");
  const double share = 1 / static_cast<double>(bodies.size());
  const Middle middle = middle_of(bodies, extent.span);
  const auto share_of = [&](const Body& body) { return !middle.has(body) ? 0 : total > 0 ? body.mass / total : share; };
  const double shares = sum(bodies, [&](const Body& body) { return Vec3{share_of(body), 0, 0}; })[0];
  const auto weight = [&](const Body& body) { return share_of(body) / shares; };

  SceneFrame frame;
  // Relative to a place among them: far from the origin a plain sum loses digits.
  const Vec3 about = std::isfinite(middle.limit) ? middle.place : extent.middle;
  frame.centre = about + sum(bodies, [&](const Body& body) { return (body.position - about) * weight(body); });
  frame.drift = sum(bodies, [&](const Body& body) { return body.velocity * weight(body); });
  const double square = sum(bodies, [&](const Body& body) {
    const Vec3 v = body.velocity - frame.drift;
    return Vec3{dot(v, v) * share, 0, 0};
  })[0];
  if (!(square < kMaxNumber)) throw InputError("The velocities are too large to compute with. Use larger units.");
  frame.time = std::isfinite(snapshot.time) ? snapshot.time : 0;
  const double size = unit_of_length(bodies, middle, frame.centre, extent.span);
  frame.length = disc_scale_length(bodies).value_or(size);
  frame.velocity = std::max(std::sqrt(gravity * total / size), kMinGravity * std::sqrt(square));
  if (total == 0) frame.velocity = std::sqrt(square);
  if (!(frame.velocity > 0)) frame.velocity = 1;
  frame.mass = frame.length * frame.velocity * frame.velocity / gravity;
  if (!(frame.mass > 0 && std::isfinite(frame.mass) && std::isfinite(frame.time_unit())))
    throw InputError("Lengths, masses and velocities differ too much in magnitude to compute with. Use other units.");
  return frame;
}

Bodies bodies_in(const SceneFrame& frame, Snapshot snapshot) {
  const Vec3 centre = frame.centre_at(std::isfinite(snapshot.time) ? snapshot.time : frame.time);
  parallel_chunks(0, snapshot.bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Body& body = snapshot.bodies[i];
      body.position = (body.position - centre) * (1 / frame.length);
      body.velocity = (body.velocity - frame.drift) * (1 / frame.velocity);
      body.mass /= frame.mass;
    }
  });
  return std::move(snapshot.bodies);
}

Units units_in(const SceneFrame& frame, const FileUnits& units) {
  if (!units.known()) return {};
  return {.length_kpc = frame.length * units.length_cm / (1e3 * kParsecCm),
          .time_myr = frame.time_unit() * units.length_cm / units.velocity_cm_s / (1e6 * kYearSecond),
          .velocity_kms = frame.velocity * units.velocity_cm_s / 1e5};
}

}  // namespace pericenter
