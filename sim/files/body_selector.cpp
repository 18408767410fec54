#include "sim/files/body_selector.h"

#include <cmath>

namespace pericenter {

std::size_t type_of(const Snapshot& snapshot, std::size_t index) {
  if (snapshot.types.size() == snapshot.bodies.size())
    return std::min<std::size_t>(snapshot.types[index], kBodyTypes - 1);
  switch (component_of(snapshot.bodies[index].tag)) {
    case Component::halo:
      return 1;
    case Component::disc:
      return 2;
    case Component::bulge:
      return 3;
    case Component::other:
      break;
  }
  return 4;
}

void restore_masses(Snapshot& snapshot, std::size_t first) {
  std::array<double, kBodyTypes> factors = {};
  for (std::size_t type = 0; type < kBodyTypes; ++type) {
    const Census::Type& found = snapshot.census.types[type];
    factors[type] = found.kept_mass > 0 ? found.mass / found.kept_mass : 1;
  }
  for (std::size_t i = first; i < snapshot.bodies.size(); ++i) snapshot.bodies[i].mass *= factors[type_of(snapshot, i)];
}

BodySelector::BodySelector(const ReadOptions& options, const Vec3& box, double length_factor)
    : options_(options),
      length_factor_(length_factor),
      box_(options.stated.box ? Vec3{1, 1, 1} * (*options.stated.box * length_factor) : box) {}

void BodySelector::pass(std::size_t type, std::uint64_t count) {
  census_.types[std::min(type, kBodyTypes - 1)].bodies += count;
  place_ += count;
}

/// A body whose nearest image is in the region. A size of the volume that is no period, because the bodies extend
/// beyond it, moves none farther than once.
bool BodySelector::is_chosen(const Body& body, std::size_t type) const {
  const Selection& selection = options_.selection;
  if (!selection.has(type)) return false;
  if (!selection.region) return true;
  Vec3 distance = body.position - selection.region->centre * length_factor_;
  for (int k = 0; k < 3; ++k) {
    const double side = box_[k];
    if (side > 0 && std::abs(distance[k]) < 1.5 * side) distance[k] -= side * std::round(distance[k] / side);
  }
  return length(distance) <= selection.region->radius * length_factor_;
}

/// Whether one of `every` bodies is this one. The multiples of the golden section (Weyl 1916, doi:10.1007/BF01475864)
/// take an equal share of any arithmetic sequence of ids, unlike the remainder of a division.
bool BodySelector::is_kept(Body& body, std::size_t type, std::uint64_t id) {
  constexpr std::uint64_t kGoldenSection = 0x9E3779B97F4A7C15;  // 2^64 times 0.618
  const auto& [every, types, region, by_id] = options_.selection;
  Census::Type& found = census_.types[type];
  const auto number = static_cast<double>(every), mean = found.mass / static_cast<double>(found.chosen);
  const bool turn = by_id ? id * kGoldenSection <= UINT64_MAX / every : turns_[type]++ % every == 0;
  const bool always = every == 1 || body.mass > number * mean || (by_id && found.chosen <= every);
  if (!always && !turn) return false;
  if (!always) body.mass *= number;
  found.kept_mass += body.mass;
  return true;
}

void BodySelector::apply(Snapshot& snapshot, std::size_t first) {
  if (!selects() || first == snapshot.bodies.size()) return;
  census_.places = census_.places || snapshot.ids.size() != snapshot.bodies.size();
  while (snapshot.ids.size() < snapshot.bodies.size()) snapshot.ids.push_back(place_ + snapshot.ids.size() - first);
  place_ += snapshot.bodies.size() - first;
  for (std::size_t i = first; i < snapshot.bodies.size(); ++i) {
    const Body& body = snapshot.bodies[i];
    const std::size_t type = type_of(snapshot, i);
    Census::Type& found = census_.types[type];
    ++found.bodies;
    if (!options_.selection.has(type)) continue;
    census_.add_place(body.position * (1 / length_factor_));
    if (!is_chosen(body, type)) continue;
    ++found.chosen;
    found.mass += body.mass;
  }
  keep_bodies(snapshot, first, [&](std::size_t i) {
    const std::size_t type = type_of(snapshot, i);
    return is_chosen(snapshot.bodies[i], type) && is_kept(snapshot.bodies[i], type, snapshot.ids[i]);
  });
}

void BodySelector::finish(Snapshot& snapshot, std::size_t first) const {
  if (!selects()) return;
  snapshot.census = census_;
  restore_masses(snapshot, first);
}

}  // namespace pericenter
