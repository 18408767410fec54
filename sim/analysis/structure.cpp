#include "sim/analysis/structure.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sim/core/median.h"

namespace pericenter {

struct CorePoint {
  Vec3 position;
  double mass = 0;
};

namespace {

constexpr std::size_t kMaxSampled = 25'000;     ///< bodies of a galaxy, once for its nucleus and once for its radii
constexpr std::size_t kMaxDisc = 100'000;       ///< bodies of the disc
constexpr double kMinGalaxyMass = 1e-3;         ///< share of the mass of all bodies
constexpr double kHeavy = 1e-3;                 ///< share of a galaxy's mass beyond which a body is never left out
constexpr std::size_t kMinBodies = 30;          ///< fewer have no density and no radii
constexpr std::size_t kMaxForMedian = 4096;     ///< bodies that determine the first sphere
constexpr double kShrink = 0.9;                 ///< ratio of consecutive radii
constexpr int kMaxSpheres = 350;                ///< a smaller one is below the resolution of doubles in the first
constexpr double kReach = 1.5;                  ///< bodies farther from the centre, in radii, are not visited again
constexpr std::size_t kLastSphereDivisor = 20;  ///< the last sphere contains this fraction of the bodies
constexpr double kKernelShare = 0.5;  ///< the initial kernel has this share of the bodies that determine a nucleus
constexpr int kMaxShifts = 40;
constexpr double kShiftTolerance = 1e-4;  ///< tolerance in kernel widths

/// The sphere about the median of each coordinate that contains about half of the points, twice as wide.
std::pair<Vec3, double> first_sphere(std::span<const CorePoint> points) {
  const std::size_t stride = (points.size() + kMaxForMedian - 1) / kMaxForMedian;
  const auto median_of = [&](const auto& value) {
    std::vector<double> values;
    for (std::size_t i = 0; i < points.size(); i += stride) values.push_back(value(points[i]));
    return median(std::move(values));
  };
  Vec3 center;
  for (int k = 0; k < 3; ++k) center[k] = median_of([&](const CorePoint& point) { return point.position[k]; });
  return {center, 2 * median_of([&](const CorePoint& point) { return length(point.position - center); })};
}

double radius_of_share(std::span<const CorePoint> points, const Vec3& center, double share) {
  std::vector<double> radii;
  for (const CorePoint& point : points) radii.push_back(length(point.position - center));
  const auto last = radii.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(radii.size() - 1));
  std::ranges::nth_element(radii, last);
  return *last;
}

/// The end of the shrinking sphere. Reorders the points.
Vec3 densest_point(std::span<CorePoint> points) {
  const std::size_t enough = std::max(kMinBodies, points.size() / kLastSphereDivisor);
  auto [center, radius] = first_sphere(points);
  for (int k = 0; k < kMaxSpheres && radius > 0; ++k, radius *= kShrink) {
    std::size_t near = 0, inside = 0;
    CorePoint sum;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 offset = points[i].position - center;
      const double square = dot(offset, offset);
      if (square > kReach * kReach * radius * radius) continue;
      if (square <= radius * radius) {
        ++inside;
        sum.position += points[i].position * points[i].mass;
        sum.mass += points[i].mass;
      }
      std::swap(points[near++], points[i]);
    }
    if (!(sum.mass > 0)) break;
    center = sum.position * (1 / sum.mass);
    if (inside <= enough) break;
    points = points.first(near);
  }
  return center;
}

/// Weight of a point in the mean shift with the kernel (1 - (r / width)^2)^2; without a width all points count.
double shift_weight(const Vec3& offset, double width) {
  return width > 0 ? std::max(0.0, 1 - dot(offset, offset) / (width * width)) : 1;
}

/// The maximum near `center` of the density of the points, smoothed with the kernel (1 - (r / width)^2)^2, by mean
/// shift (Fukunaga and Hostetler 1975, doi:10.1109/TIT.1975.1055330).
Vec3 smoothed_maximum(std::span<CorePoint> points, Vec3 center, double width) {
  const auto is_near = [&](const CorePoint& point) { return length(point.position - center) <= 2 * width; };
  const auto end = std::partition(points.begin(), points.end(), is_near);
  points = points.first(static_cast<std::size_t>(end - points.begin()));
  for (int k = 0; k < kMaxShifts; ++k) {
    CorePoint sum;
    for (const CorePoint& point : points) {
      const Vec3 offset = point.position - center;
      const double weight = point.mass * shift_weight(offset, width);
      sum.position += offset * weight;
      sum.mass += weight;
    }
    if (!(sum.mass > 0)) break;
    const Vec3 shift = sum.position * (1 / sum.mass);
    center += shift;
    if (length(shift) < kShiftTolerance * width) break;
  }
  return center;
}

}  // namespace

/// Number and mass of the bodies of each galaxy.
struct StructureMeter::Census {
  struct Entry {
    std::size_t all = 0, core = 0, disc = 0;
    double mass = 0, core_mass = 0;

    bool has_core() const { return core_mass > 0 && (core >= kMinBodies || core == all); }
  };
  std::array<Entry, 1u << kTagGalaxyBits> galaxies;

  explicit Census(const Bodies& bodies) {
    for (const Body& body : bodies) {
      Entry& galaxy = galaxies[galaxy_of(body.tag)];
      const Component component = component_of(body.tag);
      const bool is_core = component != Component::halo;
      ++galaxy.all;
      galaxy.mass += body.mass;
      galaxy.core += is_core;
      galaxy.core_mass += is_core ? body.mass : 0;
      galaxy.disc += component == Component::disc;
    }
  }
};

StructureMeter::StructureMeter(const Bodies& bodies) : size_(bodies.size()) {
  const Census census(bodies);
  double whole = 0;
  for (const Census::Entry& entry : census.galaxies) whole += entry.mass;
  for (std::uint32_t k = 0; k < census.galaxies.size() && galaxies_.size() < kMaxPlottedGalaxies; ++k)
    if (census.galaxies[k].mass > kMinGalaxyMass * whole) galaxies_.push_back({k, {}, {}, {}});
  choose(bodies, census);
  for (Galaxy& galaxy : galaxies_) galaxy.width = kernel_width(galaxy, bodies);
  if (galaxies_.size() == 2) tails_.emplace(bodies, std::array{galaxies_[0].index, galaxies_[1].index}, nuclei(bodies));
}

namespace {

/// Chooses every n-th body of a group, so that at most `most` are chosen.
class Stride {
 public:
  Stride(std::size_t count, std::size_t most) : stride_((count + most - 1) / most) {}
  bool takes() { return count_++ % stride_ == 0; }
  double weight() const { return static_cast<double>(stride_); }

 private:
  std::size_t stride_, count_ = 0;
};

}  // namespace

void StructureMeter::choose(const Bodies& bodies, const Census& census) {
  std::array<Galaxy*, 1u << kTagGalaxyBits> galaxy_at{};
  std::vector<std::pair<Stride, Stride>> strides(census.galaxies.size(), {Stride(0, 1), Stride(0, 1)});
  for (Galaxy& galaxy : galaxies_) {
    const Census::Entry& entry = census.galaxies[galaxy.index];
    galaxy_at[galaxy.index] = &galaxy;
    strides[galaxy.index] = {Stride(entry.has_core() ? entry.core : entry.all, kMaxSampled),
                             Stride(entry.all, kMaxSampled)};
  }
  if (galaxies_.empty()) return;
  const std::uint32_t first = galaxies_.front().index;
  Stride disc(census.galaxies[first].disc, kMaxDisc);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    const std::uint32_t index = galaxy_of(body.tag);
    const Component component = component_of(body.tag);
    if (index == first && component == Component::disc && disc.takes()) disc_.push_back(i);
    if (!galaxy_at[index]) continue;
    Galaxy& galaxy = *galaxy_at[index];
    const Census::Entry& entry = census.galaxies[index];
    const bool is_heavy = body.mass > kHeavy * entry.mass;
    const auto add = [&](std::vector<Member>& members, Stride& stride) {
      if (is_heavy) return members.push_back({i, body.mass});
      if (stride.takes()) members.push_back({i, body.mass * stride.weight()});
    };
    if (body.mass > 0.5 * entry.mass) galaxy.central = i;
    add(galaxy.all, strides[index].second);
    if (component != Component::halo || !entry.has_core()) add(galaxy.core, strides[index].first);
  }
}

std::vector<CorePoint> StructureMeter::core_points(const Galaxy& galaxy, const Bodies& bodies) {
  std::vector<CorePoint> points;
  points.reserve(galaxy.core.size());
  for (const Member& member : galaxy.core)
    if (const Vec3& position = bodies[member.body].position; is_finite(position))
      points.push_back({position, member.mass});
  return points;
}

/// 0 if the bodies are too few.
double StructureMeter::kernel_width(const Galaxy& galaxy, const Bodies& bodies) {
  std::vector<CorePoint> points = core_points(galaxy, bodies);
  if (galaxy.central || points.size() < kMinBodies) return 0;
  return radius_of_share(points, densest_point(points), kKernelShare);
}

std::optional<Vec3> StructureMeter::nucleus_of(const Galaxy& galaxy, const Bodies& bodies) {
  if (galaxy.central) {
    const Vec3& position = bodies[*galaxy.central].position;
    return is_finite(position) ? std::optional(position) : std::nullopt;
  }
  std::vector<CorePoint> points = core_points(galaxy, bodies);
  if (points.empty()) return std::nullopt;
  const Vec3 densest = densest_point(points);
  return galaxy.width > 0 ? smoothed_maximum(points, densest, galaxy.width) : densest;
}

Vec3 StructureMeter::velocity_of(const Galaxy& galaxy, const Bodies& bodies, const Vec3& nucleus) {
  if (galaxy.central) return bodies[*galaxy.central].velocity;
  Vec3 sum;
  double whole = 0;
  for (const Member& member : galaxy.core) {
    const Body& body = bodies[member.body];
    const double weight = member.mass * shift_weight(body.position - nucleus, galaxy.width);
    if (!(weight > 0) || !is_finite(body.velocity)) continue;
    sum += body.velocity * weight;
    whole += weight;
  }
  return whole > 0 ? sum * (1 / whole) : Vec3();
}

LagrangeRadii StructureMeter::radii_of(const Galaxy& galaxy, const Bodies& bodies, const Vec3& nucleus) {
  std::vector<std::pair<double, double>> shells;  // radius and mass
  shells.reserve(galaxy.all.size());
  double whole = 0;
  for (const Member& member : galaxy.all) {
    const double radius = length(bodies[member.body].position - nucleus);
    if (!(member.mass > 0) || !std::isfinite(radius)) continue;
    shells.push_back({radius, member.mass});
    whole += member.mass;
  }
  if (shells.size() < kMinBodies) return {};
  std::ranges::sort(shells);
  LagrangeRadii radii;
  double sum = 0;
  for (const auto& [radius, mass] : shells) {
    const double before = sum / whole, after = (sum += mass) / whole;
    if (before < 0.1 && after >= 0.1) radii.r10 = radius;
    if (before < 0.5 && after >= 0.5) radii.r50 = radius;
    if (before < 0.9 && after >= 0.9) radii.r90 = radius;
  }
  return radii;
}

StructureMeter::Nuclei StructureMeter::nuclei(const Bodies& bodies) const {
  Nuclei found;
  for (std::size_t k = 0; k < galaxies_.size(); ++k) found[k] = nucleus_of(galaxies_[k], bodies);
  return found;
}

std::vector<Nucleus> StructureMeter::moving_nuclei(const Bodies& bodies) const {
  std::vector<Nucleus> found;
  for (const Galaxy& galaxy : galaxies_)
    if (const auto at = nucleus_of(galaxy, bodies))
      found.push_back({galaxy.index, *at, velocity_of(galaxy, bodies, *at)});
  return found;
}

namespace {

double distance_between(const StructureMeter::Nuclei& nuclei) {
  return nuclei[0] && nuclei[1] ? length(*nuclei[1] - *nuclei[0]) : kNotMeasured;
}

}  // namespace

double StructureMeter::separation(const Bodies& bodies) const {
  return distance_between(nuclei(bodies));
}

StructureSample StructureMeter::sample_with(const Nuclei& nuclei, const Bodies& bodies) const {
  StructureSample sample;
  sample.separation = distance_between(nuclei);
  if (tails_) {
    sample.tail_fraction = tails_->fraction(bodies, nuclei);
    sample.disc_radius = tails_->disc_radius();
  }
  return sample;
}

StructureSample StructureMeter::measure_encounter(const Bodies& bodies) const {
  return sample_with(nuclei(bodies), bodies);
}

StructureSample StructureMeter::measure(const Bodies& bodies) const {
  const Nuclei found = nuclei(bodies);
  StructureSample sample = sample_with(found, bodies);
  for (std::size_t k = 0; k < galaxies_.size(); ++k)
    if (found[k]) sample.galaxies[k] = radii_of(galaxies_[k], bodies, *found[k]);
  return sample;
}

std::optional<TailCriterion> StructureMeter::tail_criterion(const Bodies& bodies) const {
  return tails_ ? tails_->criterion(nuclei(bodies)) : std::nullopt;
}

}  // namespace pericenter
