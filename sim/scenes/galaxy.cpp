#include "sim/scenes/galaxy.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "sim/random.h"

namespace pericenter {
namespace {

std::vector<double> operator+(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

std::vector<double> masses_of(const SphereModel& model) {
  if (model.mass == 0) return std::vector<double>(radial_grid().size());
  return shell_masses([&](double r) { return model.density(r); });
}

Body twin_of(const Body& body) {
  Body twin = body;
  twin.position = -body.position;
  twin.velocity = -body.velocity;
  return twin;
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
  for (const double r : radial_grid()) total_potential.push_back(spheroids.potential(r) + disc_gravity.potential(r));
}

Galaxy::Galaxy(const GalaxyModel& model, double softening, int dimension, const GalaxySize& size)
    : Galaxy(model, Gravity(model, softening / size.length, dimension), softening / size.length, size) {}

Galaxy::Galaxy(const GalaxyModel& model, const Gravity& gravity, double softening, const GalaxySize& size)
    : dimension_(gravity.spheroids.dimension()),
      size_(size),
      disc_(model.disc, gravity.spheroids, softening),
      bulge_(model.bulge, gravity.total_potential, dimension_),
      halo_(model.halo, gravity.total_potential, dimension_) {}

GalaxyShares Galaxy::shares(std::size_t bodies) const {
  double disc_mass = disc_.mass(), bulge_mass = bulge_.mass(), halo_mass = halo_.mass();
  const double halo_ratio = halo_mass / kHeaviestHaloBody;  // halo bodies to disc bodies that weigh 1 in all
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
  if (halo_pairs == rest && rest > 0 && disc_mass > 0) --halo_pairs;  // a lone pair belongs to the disc, which is seen
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

Body Galaxy::disc_body(double share, Random& random) const {
  const double r = disc_.radius(share);
  const double angle = 2 * std::numbers::pi * random.uniform();
  const double c = std::cos(angle), s = std::sin(angle);
  const auto velocities = disc_.velocities(r);
  const double radial = velocities.sigma_radial * random.normal();
  const double azimuthal = velocities.mean_azimuthal + velocities.sigma_azimuthal * random.normal();
  Body body;
  body.position = {r * c, r * s, disc_.height() * std::atanh(2 * random.uniform() - 1)};
  body.velocity = {radial * c - azimuthal * s, radial * s + azimuthal * c, velocities.sigma_vertical * random.normal()};
  return body;
}

Body Galaxy::spheroid_body(const Spheroid& spheroid, double share, Random& random) const {
  Body body;
  body.position = random.direction() * spheroid.radius(share);
  if (dimension_ == 2) {
    body.position[2] = 0;
    const double angle = 2 * std::numbers::pi * random.uniform();
    body.velocity = Vec3{std::cos(angle), std::sin(angle), 0} * spheroid.speed(length(body.position), random.uniform());
  } else {
    body.velocity = random.direction() * spheroid.speed(length(body.position), random.uniform());
  }
  return body;
}

void Galaxy::fill(std::span<Body> bodies, std::uint64_t seed, std::uint32_t home, SceneProgress& progress) const {
  const GalaxyShares share = shares(bodies.size());
  const double speed = std::sqrt(size_.mass / size_.length);
  std::uint64_t first_stream = 0;
  // Each pair takes the next equal share of the mass, which leaves less noise in the profile than free choice would.
  const auto fill_component = [&](std::span<Body> part, Component component, double mass, const auto& make) {
    const std::size_t pairs = part.size() / 2;
    progress.for_each(pairs, [&](std::size_t i) {
      Random random(seed, first_stream + i);
      Body body = make((static_cast<double>(i) + random.uniform()) / static_cast<double>(pairs), random);
      body.mass = mass;
      body.tag = make_tag(home, component, length(body.position));
      body.position *= size_.length;
      body.velocity *= speed;
      part[2 * i] = body;
      part[2 * i + 1] = twin_of(body);
    });
    if (part.size() % 2 == 1) part.back() = Body{{}, {}, mass, make_tag(home, component)};
    first_stream += pairs;
  };
  fill_component(bodies.first(share.disc), Component::disc, share.disc_body,
                 [&](double u, Random& random) { return disc_body(u, random); });
  fill_component(bodies.subspan(share.disc, share.halo), Component::halo, share.halo_body,
                 [&](double u, Random& random) { return spheroid_body(halo_, u, random); });
  fill_component(bodies.last(share.bulge), Component::bulge, share.bulge_body,
                 [&](double u, Random& random) { return spheroid_body(bulge_, u, random); });
}

}  // namespace pericenter
