#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/core/simulation.h"
#include "sim/core/vertex_target.h"

namespace pericenter::test {

/// Value of an IEEE half; NaN and infinity are not supported, because half_bits() never returns them.
inline double half_value(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31u);
  const double fraction = static_cast<double>(bits & 1023u) / 1024;
  const double size = exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
  return (bits & 0x8000u) != 0 ? -size : size;
}

/// Rounding error bound of a half.
inline double half_rounding(double value) {
  return std::abs(value) * 0x1p-11 + 0x1p-24;
}

inline std::vector<Vertex> published(Simulation& simulation) {
  std::vector<Vertex> vertices(simulation.size());
  simulation.write_vertices(host_target(vertices));
  return vertices;
}

inline std::vector<double> scalars_of(const std::vector<Vertex>& vertices) {
  std::vector<double> scalars;
  for (const Vertex& vertex : vertices) scalars.push_back(half_value(vertex.attribute >> 16));
  return scalars;
}

/// The scalars of all vertices when `scalar` is shown.
inline std::vector<double> published_scalars(Simulation& simulation, Scalar scalar) {
  simulation.show(scalar);
  return scalars_of(published(simulation));
}

}  // namespace pericenter::test
