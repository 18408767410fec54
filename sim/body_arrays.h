#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/bodies.h"

namespace pericenter {

/// The state of a simulation on the host as structure of arrays, in the order in which the bodies were given.
template <class Real, int Dim>
struct BodyArrays {
  using Component = std::vector<Real>;
  std::array<Component, Dim> position, velocity, acceleration;
  Component mass, potential;  ///< potential per unit mass of the body, from all others
  std::vector<std::uint32_t> tag;
  std::vector<std::uint32_t> interactions;  ///< cells and bodies that acted on each; empty: nobody asks

  std::size_t size() const { return mass.size(); }
};

template <class Real, int Dim>
BodyArrays<Real, Dim> to_arrays(const Bodies& bodies) {
  BodyArrays<Real, Dim> arrays;
  const std::size_t n = bodies.size();
  for (int k = 0; k < Dim; ++k) {
    arrays.position[k].resize(n);
    arrays.velocity[k].resize(n);
    arrays.acceleration[k].resize(n);
  }
  arrays.mass.resize(n);
  arrays.potential.resize(n);
  arrays.tag.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < Dim; ++k) {
      arrays.position[k][i] = static_cast<Real>(bodies[i].position[k]);
      arrays.velocity[k][i] = static_cast<Real>(bodies[i].velocity[k]);
    }
    arrays.mass[i] = static_cast<Real>(bodies[i].mass);
    arrays.tag[i] = bodies[i].tag;
  }
  return arrays;
}

template <class Real, int Dim>
Bodies to_bodies(const BodyArrays<Real, Dim>& arrays) {
  Bodies bodies(arrays.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (int k = 0; k < Dim; ++k) {
      bodies[i].position[k] = static_cast<double>(arrays.position[k][i]);
      bodies[i].velocity[k] = static_cast<double>(arrays.velocity[k][i]);
    }
    bodies[i].mass = static_cast<double>(arrays.mass[i]);
    bodies[i].tag = arrays.tag[i];
  }
  return bodies;
}

}  // namespace pericenter
