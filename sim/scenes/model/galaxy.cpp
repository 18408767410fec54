#include "sim/scenes/model/galaxy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "sim/core/parallel.h"

namespace pericenter {
namespace {

constexpr double kSmoothDust = 60'000;  // bodies of the largest disc of which the cold ones suffice to carry its dust
constexpr double kWarmestDust = 1.7;    // times the energy of the coldest; more would be nearly as thick as the disc

std::vector<double> operator+(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

std::vector<double> masses_of(const SphereModel& model) {
  if (model.mass == 0) return std::vector<double>(radial_grid().size());
  return shell_masses([&](double r) { return model.density(r); });
}

double sum(const std::vector<double>& masses) {
  return std::accumulate(masses.begin(), masses.end(), 0.0);
}

}  // namespace

double mass_of(const GalaxyModel& model) {
  return model.disc.mass + sum(masses_of(model.bulge)) + sum(masses_of(model.halo));
}

Galaxy::Gravity::Gravity(const GalaxyModel& model, double softening, int dimension)
    : spheroids(masses_of(model.bulge) + masses_of(model.halo), softening, dimension) {
  const auto disc = shell_masses([&](double r) { return model.disc.mass * disc_sphere_density(r, dimension); });
  const ShellGravity disc_gravity(disc, softening, dimension);
  total_potential = parallel_values(radial_grid().size(), [&](std::size_t i) {
    const double r = radial_grid()[i];
    return spheroids.potential(r) + disc_gravity.potential(r);
  });
}

Galaxy::Galaxy(const GalaxyModel& model, double softening, int dimension, const GalaxySize& size)
    : Galaxy(model, Gravity(model, softening / size.length, dimension), softening / size.length, size) {}

Galaxy::Galaxy(const GalaxyModel& model, const Gravity& gravity, double softening, const GalaxySize& size)
    : dimension_(gravity.spheroids.dimension()),
      size_(size),
      even_(model.even),
      disc_(model.disc, gravity.spheroids, softening),
      bulge_(model.bulge, gravity.total_potential, dimension_),
      halo_(model.halo, gravity.total_potential, dimension_) {}

GalaxyShares Galaxy::shares(std::size_t bodies) const {
  double disc_mass = disc_.mass(), bulge_mass = bulge_.mass(), halo_mass = halo_.mass();
  const double halo_ratio = halo_mass / kMaxHaloBodyMass;  // halo bodies per disc body, times the disc mass
  const double others = disc_mass + halo_ratio;
  const std::size_t pairs = bodies / 2;
  const auto part_of = [](std::size_t count, double part, double whole) {
    return static_cast<double>(count) * part / whole;
  };
  const std::size_t bulge_pairs =
      others > 0 ? static_cast<std::size_t>(part_of(pairs, bulge_mass, disc_mass + bulge_mass + halo_ratio)) : pairs;
  const std::size_t rest = pairs - bulge_pairs;
  std::size_t halo_pairs =
      disc_mass > 0 ? static_cast<std::size_t>(std::ceil(part_of(rest, halo_ratio, others))) : rest;
  if (halo_pairs == rest && rest > 0 && disc_mass > 0)
    --halo_pairs;  // a single pair belongs to the disc, which is visible
  GalaxyShares result;
  result.disc = 2 * (rest - halo_pairs);
  result.bulge = 2 * bulge_pairs;
  result.halo = 2 * halo_pairs;
  (bulge_mass > 0 ? result.bulge : (halo_mass > 0 ? result.halo : result.disc)) += bodies % 2;

  double& heir = result.bulge > 0 ? bulge_mass : (result.halo > 0 ? halo_mass : disc_mass);
  const auto inherit = [&heir](std::size_t count, double& mass) {
    if (count == 0 && &mass != &heir) heir += mass;
  };
  inherit(result.disc, disc_mass);
  inherit(result.bulge, bulge_mass);
  inherit(result.halo, halo_mass);
  if (result.disc > 0) result.disc_body = size_.mass * disc_mass / static_cast<double>(result.disc);
  if (result.bulge > 0) result.bulge_body = size_.mass * bulge_mass / static_cast<double>(result.bulge);
  if (result.halo > 0) result.halo_body = size_.mass * halo_mass / static_cast<double>(result.halo);
  return result;
}

GalaxySampler Galaxy::sampler(std::size_t bodies, std::uint64_t seed, std::uint32_t galaxy,
                              std::size_t largest_disc) const {
  const GalaxyShares share = shares(bodies);
  GalaxySampler sampler{.parts = {},
                        .odd = {},
                        .bodies = bodies,
                        .seed = seed,
                        .galaxy = galaxy,
                        .dimension = dimension_,
                        .size = size_,
                        .speed = std::sqrt(size_.mass / size_.length),
                        .even = even_,
                        .disc = disc_.view(),
                        .bulge = bulge_.view(),
                        .halo = halo_.view()};
  // Few bodies with dust would be grainy, so that warmer ones carry it too: the same share of all discs of a scene,
  // because every body with dust carries as much.
  const auto disc = static_cast<double>(std::max(share.disc, largest_disc));
  if (disc > 0) sampler.disc.dust_energy *= std::clamp(kSmoothDust / disc, 1.0, kWarmestDust);
  Random of_arms(seed, std::numeric_limits<std::uint64_t>::max());  // a stream that no pair has
  sampler.disc.arms.start = 2 * std::numbers::pi * of_arms.uniform();
  sampler.disc.arms.seed = of_arms.next();
  std::size_t last_pair = 0;
  GalaxySampler::Part* part = sampler.parts;
  const auto add = [&](Component component, std::size_t count, double mass) {
    last_pair += count / 2;
    *part++ = {component, last_pair, count / 2, mass};
    if (count % 2 == 1) sampler.odd = {component, 0, 0, mass};
  };
  add(Component::disc, share.disc, share.disc_body);
  add(Component::halo, share.halo, share.halo_body);
  add(Component::bulge, share.bulge, share.bulge_body);
  return sampler;
}

}  // namespace pericenter
