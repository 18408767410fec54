#pragma once

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/body_arrays.h"
#include "sim/core/parallel.h"
#include "sim/core/scalar.h"
#include "sim/core/vertex_target.h"

namespace pericenter {

/// The scalar that vertices show. `logarithms`: its value per body, if it is not stored with the bodies.
struct ShownScalar {
  Scalar scalar;
  std::span<const float> logarithms;
};

template <class Real, int Dim>
double length_of(const std::array<std::vector<Real>, Dim>& vectors, std::size_t i) {
  double squared = 0;
  for (const std::vector<Real>& component : vectors) {
    const double x = static_cast<double>(component[i]);
    squared += x * x;
  }
  return std::sqrt(squared);
}

template <class Real, int Dim>
float scalar_of(const BodyArrays<Real, Dim>& bodies, const ShownScalar& shown, std::size_t i) {
  switch (shown.scalar) {
    case Scalar::speed:
      return static_cast<float>(length_of<Real, Dim>(bodies.velocity, i));
    case Scalar::acceleration:
      return log_scalar(length_of<Real, Dim>(bodies.acceleration, i));
    case Scalar::interactions:
      return log_scalar(bodies.interactions[i]);
    default:
      return i < shown.logarithms.size() ? shown.logarithms[i] : kNoScalar;
  }
}

/// Writes one vertex per body: position, tag and the shown scalar.
template <class Real, int Dim>
void write_body_vertices(const BodyArrays<Real, Dim>& bodies, const ShownScalar& shown, Vertex* vertices) {
  parallel_chunks(0, bodies.tag.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      float x[3] = {};
      for (int k = 0; k < Dim; ++k) x[k] = static_cast<float>(bodies.position[k][i]);
      vertices[i] = {x[0], x[1], x[2], make_attribute(bodies.tag[i], scalar_of(bodies, shown, i))};
    }
  });
}

}  // namespace pericenter
