#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/bodies.h"

namespace pericenter {

/// The state of a simulation on the host as a structure of arrays, in the order of the input bodies.
template <class Real, int Dim>
struct BodyArrays {
  using Component = std::vector<Real>;
  std::array<Component, Dim> position, velocity, acceleration;
  Component mass, potential;  ///< potential per unit mass of the body, from all others
  std::vector<std::uint32_t> tag;
  std::vector<std::uint32_t> interactions;  ///< cells and bodies that acted on each body; empty: not requested

  std::size_t size() const { return mass.size(); }
};

// to_arrays() and to_bodies() use the threads of the current oneTBB arena. Accelerations and potentials are set to 0.
template <class Real, int Dim>
BodyArrays<Real, Dim> to_arrays(const Bodies& bodies);
/// Element i of the arrays.
template <class Real, int Dim>
Body to_body(const BodyArrays<Real, Dim>& arrays, std::size_t i) {
  Body body;
  for (int k = 0; k < Dim; ++k) {
    body.position[k] = static_cast<double>(arrays.position[k][i]);
    body.velocity[k] = static_cast<double>(arrays.velocity[k][i]);
  }
  body.mass = static_cast<double>(arrays.mass[i]);
  body.tag = arrays.tag[i];
  return body;
}
template <class Real, int Dim>
Bodies to_bodies(const BodyArrays<Real, Dim>& arrays);

}  // namespace pericenter
