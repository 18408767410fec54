#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/bodies.h"

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

/// Both on the threads of the current oneTBB arena. Arrays leave accelerations and potentials at 0.
template <class Real, int Dim>
BodyArrays<Real, Dim> to_arrays(const Bodies& bodies);
template <class Real, int Dim>
Bodies to_bodies(const BodyArrays<Real, Dim>& arrays);

}  // namespace pericenter
