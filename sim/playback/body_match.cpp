#include "sim/playback/body_match.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

namespace pericenter {
namespace {

constexpr std::size_t kMaxNearest = 64;  // bodies of one id that are compared by distance
constexpr std::size_t kSampled = 4096;   // bodies of which the distance is compared with the velocity
constexpr double kFarthest = 3;          // distances that the mean speed allows; orbits are faster at the pericentre

/// A range of indices.
struct Run {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

Run run_at(const std::vector<std::uint64_t>& ids, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < ids.size() && ids[end] == ids[begin]) ++end;
  return {begin, end};
}

bool has_duplicates(const std::vector<std::uint64_t>& ids) {
  return std::ranges::adjacent_find(ids) != ids.end();
}

/// From the place of a body to its place in the other snapshot, across the nearest wall.
Vec3 displacement(const Keyframe& left, std::size_t i, const Keyframe& right, std::size_t j, double span) {
  const Body &before = left.bodies[i], &after = right.bodies[j];
  const Vec3 shift = image_shift(before, after, left.box, right.box, span);
  Vec3 way = after.position - before.position;
  for (int k = 0; k < 3; ++k) way[k] += shift[k] * right.box.sides[k];
  return way;
}

/// For each body of one run, the nearest of the other that is not taken yet.
std::vector<std::pair<std::size_t, std::size_t>> nearest_pairs(const Keyframe& left, Run a, const Keyframe& right,
                                                               Run b, double span) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<bool> taken(b.size());
  const auto differs = [&](std::size_t i, std::size_t j) {
    return !left.types.empty() && !right.types.empty() && left.types[i] != right.types[j];
  };
  for (std::size_t i = a.begin; i < a.end; ++i) {
    std::optional<std::size_t> best;
    std::pair<bool, double> least;
    for (std::size_t j = b.begin; j < b.end; ++j) {
      if (taken[j - b.begin]) continue;
      const Vec3 error = displacement(left, i, right, j, span) - left.bodies[i].velocity * span;
      const std::pair<bool, double> cost{differs(i, j), dot(error, error)};
      if (!best || cost < least) std::tie(best, least) = std::pair(j, cost);
    }
    if (!best) break;
    taken[*best - b.begin] = true;
    pairs.emplace_back(i, *best);
  }
  return pairs;
}

/// Whether most of the bodies, the n-th of each, are farther apart than they move in this time.
bool most_jump(const Keyframe& left, const Keyframe& right, double span) {
  const std::size_t stride = left.bodies.size() / kSampled + 1;
  std::size_t sampled = 0, far = 0;
  bool moves = false;
  for (std::size_t i = 0; i < left.bodies.size(); i += stride, ++sampled) {
    const double speed = (length(left.bodies[i].velocity) + length(right.bodies[i].velocity)) / 2;
    moves = moves || speed > 0;
    far += length(displacement(left, i, right, i, span)) > kFarthest * speed * span ? 1 : 0;
  }
  return moves && 2 * far > sampled;
}

}  // namespace

Vec3 image_shift(const Body& before, const Body& after, const PeriodicBox& left, const PeriodicBox& right,
                 double span) {
  Vec3 shift;
  for (int k = 0; k < 3; ++k) {
    const double side = right.sides[k];
    if (!(left.sides[k] > 0 && side > 0)) continue;
    // Physical lengths grow with the box from the origin of the file.
    const double grown = right.origin[k] + (before.position[k] - left.origin[k]) * (side / left.sides[k]);
    // A velocity that changes much in this time predicts nothing.
    const bool steady = std::abs(after.velocity[k] - before.velocity[k]) * span < side;
    const double drift = steady ? (before.velocity[k] + after.velocity[k]) / 2 * span : 0;
    shift[k] = std::round((grown + drift - after.position[k]) / side);
  }
  return shift;
}

BodyMatch::BodyMatch(const Keyframe& left, const Keyframe& right, double span) {
  const std::size_t count = left.bodies.size();
  all_ = &left == &right || (count == right.bodies.size() && left.ids == right.ids && !has_duplicates(left.ids));
  if (all_) {
    size_ = count;
    jumps_ = left.ids.empty() && &left != &right && most_jump(left, right, span);
    return;
  }
  merge(left, right, span);
  size_ = in_left_.size();
  unmatched_ = count + right.bodies.size() - 2 * size_;
}

void BodyMatch::add(std::size_t left, std::size_t right) {
  in_left_.push_back(static_cast<std::uint32_t>(left));
  in_right_.push_back(static_cast<std::uint32_t>(right));
}

void BodyMatch::merge(const Keyframe& left, const Keyframe& right, double span) {
  for (std::size_t i = 0, j = 0; i < left.ids.size() && j < right.ids.size();) {
    if (left.ids[i] != right.ids[j]) {
      ++(left.ids[i] < right.ids[j] ? i : j);
      continue;
    }
    const Run a = run_at(left.ids, i), b = run_at(right.ids, j);
    if (a.size() == 1 && b.size() == 1) {
      add(i, j);
    } else if (std::max(a.size(), b.size()) > kMaxNearest) {
      for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) add(i + k, j + k);
    } else {
      for (const auto& [mine, other] : nearest_pairs(left, a, right, b, span)) add(mine, other);
    }
    if (std::max(a.size(), b.size()) > 1) ambiguous_ += a.size();
    i = a.end;
    j = b.end;
  }
}

std::string BodyMatch::note() const {
  std::string text;
  if (unmatched_ > 0)
    text = "Bodies that are in only one of the two snapshots and are not shown: " + std::to_string(unmatched_) + ". ";
  if (ambiguous_ > 0)
    text +=
        "Bodies that share their id with others, each followed to the nearest of these: " + std::to_string(ambiguous_) +
        ". ";
  if (jumps_)
    text +=
        "The files have no ids, and most bodies move farther than their velocities allow when they are matched by "
        "their order: the order seems to differ. Write the snapshots with ids. ";
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace pericenter
