#pragma once

#include <cstddef>
#include <vector>

#include "sim/core/body_arrays.h"
#include "sim/cpu/massless_bodies.h"

namespace pericenter {

inline std::vector<double> masses_of(const Bodies& bodies) {
  std::vector<double> mass;
  for (const Body& body : bodies) mass.push_back(body.mass);
  return mass;
}

template <class Real, int Dim>
Motion motion_of(const BodyArrays<Real, Dim>& bodies) {
  Motion motion;
  for (int k = 0; k < 3; ++k) {
    if (k < Dim) motion.position[k].assign(bodies.position[k].begin(), bodies.position[k].end());
    if (k < Dim) motion.velocity[k].assign(bodies.velocity[k].begin(), bodies.velocity[k].end());
    motion.position[k].resize(bodies.size());
    motion.velocity[k].resize(bodies.size());
  }
  return motion;
}

template <class Real, int Dim>
void set_motion(const Motion& motion, BodyArrays<Real, Dim>& bodies) {
  for (int k = 0; k < Dim; ++k) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies.position[k][i] = static_cast<Real>(motion.position[k][i]);
      bodies.velocity[k][i] = static_cast<Real>(motion.velocity[k][i]);
    }
  }
}

}  // namespace pericenter
