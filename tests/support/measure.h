#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/scenes/registry.h"

namespace pericenter::test {

/// Creates scene `name` of the table. Throws std::out_of_range if it does not exist.
Scene make_scene(std::string_view name, const SceneRequest& request);

/// Softened acceleration at a point from all bodies, in doubles.
Vec3 acceleration_at(const Vec3& point, const Bodies& bodies, double softening);

/// 2K/|W| from all pairs, in doubles.
double virial_ratio(const Bodies& bodies, double softening);

/// Selects the bodies of one component of one galaxy.
struct Part {
  std::uint32_t galaxy = 0;
  Component component = Component::disc;
};
Bodies part_of(const Bodies& bodies, const Part& part);

Vec3 mean_position(const Bodies& bodies);

/// Half-mass radius of bodies of equal mass about the z axis (in space: about the origin).
double half_mass_radius(const Bodies& bodies, bool in_space = false);

/// Moments of the bodies of a disc about the z axis between two radii.
struct RingMoments {
  std::size_t count = 0;
  double mean_azimuthal = 0;
  double sigma_radial = 0, sigma_azimuthal = 0, sigma_vertical = 0;
  double z_rms = 0;
};
RingMoments ring_moments(const Bodies& disc, double inner, double outer);

}  // namespace pericenter::test
