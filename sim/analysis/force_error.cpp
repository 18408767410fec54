#include "sim/analysis/force_error.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/core/parallel.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/simd/pair_kernels.h"

namespace pericenter {
namespace {

/// Targets per task, few enough that a sample of 2,048 occupies many cores, and sources per tile, which fit into the
/// first-level cache.
constexpr std::size_t kTargets = 16;
constexpr std::size_t kTile = 512;
static_assert(kTargets % kTargetPadding == 0 && kTile % kSourcePadding == 0);

/// Positions and masses in the layout of the kernels, padded with zero masses.
struct Sources {
  std::vector<double> position[3], mass;

  explicit Sources(const Bodies& bodies) : mass(padded(bodies.size(), kSourcePadding)) {
    for (auto& component : position) component.resize(mass.size());
    parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (int k = 0; k < 3; ++k) position[k][i] = bodies[i].position[k];
        mass[i] = bodies[i].mass;
      }
    });
  }
};

/// Accelerations of up to kTargets bodies.
void sum_over(const Sources& sources, std::span<const std::size_t> sampled, double softening, std::span<Vec3> out) {
  double at[3][kTargets] = {}, sums[3][kTargets] = {};
  TargetBlock<double, 3> targets{{}, {}, nullptr, padded(sampled.size(), kTargetPadding)};
  for (int k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < sampled.size(); ++i) at[k][i] = sources.position[k][sampled[i]];
    targets.position[k] = at[k];
    targets.acceleration[k] = sums[k];
  }
  const auto kernel = pair_kernels<double, 3>(Simd::best).points;
  for (std::size_t tile = 0; tile < sources.mass.size(); tile += kTile) {
    PointList<double, 3> list{{}, sources.mass.data() + tile, std::min(kTile, sources.mass.size() - tile)};
    for (int k = 0; k < 3; ++k) list.position[k] = sources.position[k].data() + tile;
    kernel(list, targets, softening * softening);
  }
  for (std::size_t i = 0; i < sampled.size(); ++i) out[i] = {sums[0][i], sums[1][i], sums[2][i]};
}

/// Calls visit(number) for all floating-point members of the bodies.
template <class Visit>
void each_number(std::span<Body> bodies, const Visit& visit) {
  for (Body& body : bodies) {
    for (int k = 0; k < 3; ++k) visit(body.position[k]);
    for (int k = 0; k < 3; ++k) visit(body.velocity[k]);
    visit(body.mass);
  }
}

double relative_error(const Vec3& acceleration, const Vec3& reference) {
  const double size = length(reference), error = length(acceleration - reference) / (size > 0 ? size : 1);
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

}  // namespace

Bodies rounded(Bodies bodies, Precision precision) {
  if (precision != Precision::float32) return bodies;
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    // Uses an array of floats, because g++ 12 with -O2 omits an in-place conversion of a double to float and back.
    std::vector<float> numbers;
    numbers.reserve(7 * (last - first));
    each_number(std::span(bodies).subspan(first, last - first),
                [&](const double& number) { numbers.push_back(static_cast<float>(number)); });
    auto next = numbers.begin();
    each_number(std::span(bodies).subspan(first, last - first),
                [&](double& number) { number = static_cast<double>(*next++); });
  });
  return bodies;
}

std::vector<Vec3> direct_accelerations(const Bodies& bodies, std::span<const std::size_t> sampled, double softening) {
  const Sources sources(bodies);
  std::vector<Vec3> accelerations(sampled.size());
  tbb::parallel_for(std::size_t(0), (sampled.size() + kTargets - 1) / kTargets, [&](std::size_t block) {
    const std::size_t first = block * kTargets, count = std::min(kTargets, sampled.size() - first);
    sum_over(sources, sampled.subspan(first, count), softening, std::span(accelerations).subspan(first, count));
  });
  return accelerations;
}

std::vector<double> relative_errors(std::span<const Vec3> accelerations, std::span<const Vec3> reference) {
  std::vector<double> errors(reference.size());
  std::transform(accelerations.begin(), accelerations.end(), reference.begin(), errors.begin(), relative_error);
  return errors;
}

ForceErrors distribution(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  const double count = static_cast<double>(errors.size());
  return {.mean = std::accumulate(errors.begin(), errors.end(), 0.0) / count,
          .median = errors[errors.size() / 2],
          .percentile_99 = errors[errors.size() * 99 / 100],
          .max = errors.back()};
}

ForceErrors force_errors(std::span<const Vec3> accelerations, std::span<const Vec3> reference) {
  return distribution(relative_errors(accelerations, reference));
}

}  // namespace pericenter
