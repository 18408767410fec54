#include "sim/analysis/force_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/core/parallel.h"
#include "sim/solvers/exact_sums.h"

namespace pericenter {
namespace {

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
  std::vector<Vec3> targets(sampled.size());
  std::ranges::transform(sampled, targets.begin(), [&](std::size_t i) { return bodies[i].position; });
  const ExactSources sources{bodies.size(), [&](std::size_t first, std::size_t last, const SourceTile& to) {
                               for (std::size_t i = first; i < last; ++i) {
                                 for (int k = 0; k < 3; ++k) to.position[k][i - first] = bodies[i].position[k];
                                 to.mass[i - first] = bodies[i].mass;
                               }
                             }};
  return exact_accelerations(targets, sources, softening);
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
