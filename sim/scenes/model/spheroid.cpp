#include "sim/scenes/model/spheroid.h"

#include <array>
#include <numbers>
#include <numeric>

#include "sim/core/parallel.h"

namespace pericenter {
namespace {

using std::numbers::pi;
constexpr std::size_t kNodes = 800;
constexpr double kInnermost = SpheroidView::kInnermost, kOutermost = 600;
constexpr std::size_t kRowStride = 4;                     // nodes per row of speeds
constexpr std::size_t kRows = (kNodes - 1) / kRowStride;  // the outermost nodes have no mass
constexpr std::size_t kColumns = SpheroidView::kColumns;

double log_step() {
  return std::log(kOutermost / kInnermost) / (kNodes - 1);
}

std::array<double, kNodes> make_radial_grid() {
  std::array<double, kNodes> radii;
  for (std::size_t i = 0; i < kNodes; ++i) radii[i] = kInnermost * std::exp(log_step() * static_cast<double>(i));
  return radii;
}

std::array<double, kNodes> make_shell_radii() {
  std::array<double, kNodes> radii;
  radii[0] = kInnermost * 2 / 3;
  for (std::size_t i = 1; i < kNodes; ++i) radii[i] = std::sqrt(radial_grid()[i - 1] * radial_grid()[i]);
  return radii;
}

// Radii of the thin shells that represent the mass between two nodes.
const std::array<double, kNodes>& shell_radii() {
  static const std::array<double, kNodes> radii = make_shell_radii();
  return radii;
}

// Surface density of the sphere projected on a plane, at distance r from the centre.
double projected_density(const SphereModel& model, double r) {
  constexpr int kSteps = 160;
  const double first = std::log(kInnermost * 0.1), last = std::log(kOutermost);
  const double step = (last - first) / kSteps;
  double sum = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = std::exp(first + step * i);
    sum += model.density(std::hypot(r, z)) * z;
  }
  return 2 * (sum * step + model.density(r) * kInnermost * 0.1);
}

// The fraction of the column at this position in [0, 1].
double share_at(double position) {
  const double end = position < 0.5 ? 2 * position : 2 * (1 - position);
  return position < 0.5 ? 0.5 * end * end * end : 1 - 0.5 * end * end * end;
}

double power(double x, int exponent) {
  return exponent == 2 ? x * x : x * x * x;
}

}  // namespace

std::span<const double> radial_grid() {
  static const std::array<double, kNodes> radii = make_radial_grid();
  return radii;
}

double SphereModel::density(double r) const {
  const double cut = 1 / (1 + std::exp((r - 0.85 * truncation) / (0.05 * truncation)));
  switch (profile) {
    case SphereProfile::hernquist:
      return mass * scale / (2 * pi * r * power(r + scale, 3)) * cut;
    case SphereProfile::nfw: {
      const double c = truncation / scale;
      return mass / (4 * pi * (std::log1p(c) - c / (1 + c)) * r * power(r + scale, 2)) * cut;
    }
    case SphereProfile::plummer:
      return 3 * mass * scale * scale / (4 * pi * std::pow(r * r + scale * scale, 2.5)) * cut;
  }
  return 0;
}

std::vector<double> shell_masses(const std::function<double(double)>& density) {
  const auto radii = radial_grid();
  const auto integrand = [&](double r) { return 4 * pi * r * r * r * density(r); };
  std::vector<double> masses(kNodes);
  masses[0] = 0.5 * integrand(radii[0]);  // densities are proportional to 1/r there
  for (std::size_t i = 1; i < kNodes; ++i) {
    const double middle = std::sqrt(radii[i - 1] * radii[i]);
    masses[i] = log_step() / 6 * (integrand(radii[i - 1]) + 4 * integrand(middle) + integrand(radii[i]));
  }
  return masses;
}

ShellGravity::ShellGravity(std::vector<double> shell_masses, double softening, int dimension)
    : masses_(std::move(shell_masses)), softening_(softening), dimension_(dimension) {}

double ShellGravity::softened(double distance) const {
  return std::sqrt(distance * distance + softening_ * softening_);
}

// With s = |distance to the nearest point of the shell| + |distance to the farthest|, both softened, a shell of radius
// a has the potential 2/s, and as a disc, at height `softening` above its plane, asin(2a/s)/a.
double ShellGravity::potential(double r) const {
  const std::array<double, kNodes>& radii = shell_radii();
  double sum = 0;
  for (std::size_t i = 0; i < kNodes; ++i) {
    const double a = radii[i];
    const double s = softened(r - a) + softened(r + a);
    sum += masses_[i] * (dimension_ == 2 ? std::asin(std::min(1.0, 2 * a / s)) / a : 2 / s);
  }
  return sum;
}

double ShellGravity::force(double r) const {
  const std::array<double, kNodes>& radii = shell_radii();
  double sum = 0;
  for (std::size_t i = 0; i < kNodes; ++i) {
    const double a = radii[i];
    const double near = softened(r - a), far = softened(r + a);
    const double s = near + far;
    const double slope = (near > 0 ? (r - a) / near : 0) + (r + a) / far;
    const double gap = dimension_ == 2 ? s * s - 4 * a * a : s * s;
    if (slope > 0 && gap > 0) sum += masses_[i] * 2 * slope / (s * std::sqrt(gap));
  }
  return sum;
}

std::vector<double> isotropic_distribution(std::span<const double> density, std::span<const double> potential,
                                           int dimension) {
  const std::vector<double> integral = parallel_values(kNodes, [&](std::size_t i) {
    if (dimension == 2) return density[i] / (2 * pi);
    double sum = 0, root = 0;
    for (std::size_t j = i; j + 1 < kNodes; ++j) {
      const double next_root = std::sqrt(potential[i] - potential[j + 1]);
      sum += 2 * (density[j] - density[j + 1]) / (root + next_root);
      root = next_root;
    }
    return sum / (std::sqrt(8.0) * pi * pi);
  });
  std::vector<double> distribution(kNodes);
  for (std::size_t i = 0; i < kNodes; ++i) {
    const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, kNodes - 1);
    distribution[i] = (integral[before] - integral[after]) / (potential[before] - potential[after]);
  }
  return distribution;
}

Spheroid::Spheroid(const SphereModel& model, std::span<const double> potential, int dimension) : dimension_(dimension) {
  if (model.mass == 0) return;
  speeds_.resize(kRows * kColumns);
  std::vector<double> cumulative = shell_masses([&](double r) { return model.density(r); });
  std::partial_sum(cumulative.begin(), cumulative.end(), cumulative.begin());
  mass_ = cumulative.back();
  std::vector<double> radii(1, 0.0), shares(1, 0.0);
  for (std::size_t i = 0; i < kNodes && shares.back() < 1; ++i) {
    radii.push_back(radial_grid()[i]);
    shares.push_back(cumulative[i] / mass_);
  }
  radius_ = Table(std::move(shares), std::move(radii));

  const std::vector<double> density = parallel_values(kNodes, [&](std::size_t i) {
    const double r = radial_grid()[i];
    return dimension == 2 ? projected_density(model, r) : model.density(r);
  });
  const std::vector<double> distribution = isotropic_distribution(density, potential, dimension);
  tbb::parallel_for(std::size_t{0}, kRows,
                    [&](std::size_t row) { tabulate_speeds(row * kRowStride, potential, distribution); });
}

void Spheroid::tabulate_speeds(std::size_t node, std::span<const double> potential,
                               std::span<const double> distribution) {
  // Fraction of slower bodies at the speeds whose energy equals the potential at an outer node, tabulated in powers of
  // the speed, in which it is nearly linear.
  std::vector<double> speed_powers(1, 0.0), slower(1, 0.0);
  for (std::size_t j = node + 1; j < kNodes; ++j) {
    const double speed = std::sqrt(2 * (potential[node] - potential[j]));
    const double f = std::max(0.0, 0.5 * (distribution[j - 1] + distribution[j]));
    speed_powers.push_back(power(speed, dimension_));
    slower.push_back(slower.back() + f * (speed_powers.back() - speed_powers[speed_powers.size() - 2]));
  }
  double* row = &speeds_[node / kRowStride * kColumns];
  std::size_t j = 1;
  for (std::size_t k = 1; k < kColumns; ++k) {
    const double target = share_at(static_cast<double>(k) / (kColumns - 1)) * slower.back();
    while (j + 1 < slower.size() && slower[j] < target) ++j;
    const double width = slower[j] - slower[j - 1];
    const double fraction = width > 0 ? (target - slower[j - 1]) / width : 1;
    const double at = std::lerp(speed_powers[j - 1], speed_powers[j], fraction);
    row[k] = dimension_ == 2 ? std::sqrt(at) : std::cbrt(at);
  }
}

SpheroidView Spheroid::view() const {
  return {radius_.view(), speeds_.data(), kRows, log_step() * kRowStride};
}

}  // namespace pericenter
