#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/body_arrays.h"
#include "sim/core/parallel.h"
#include "sim/core/vertex_target.h"
#include "sim/cpu/massless_bodies.h"

namespace pericenter {

template <class Real, int Dim>
Vec3 element(const std::array<std::vector<Real>, Dim>& vectors, std::size_t i) {
  Vec3 vector;
  for (int k = 0; k < Dim; ++k) vector[k] = static_cast<double>(vectors[k][i]);
  return vector;
}

/// The scalar that vertices show. `values`: one per body, if they are not stored with the bodies.
struct ShownScalar {
  Scalar scalar;
  std::span<const float> values;
};

template <class Real, int Dim>
float scalar_of(const BodyArrays<Real, Dim>& bodies, const ShownScalar& shown, std::size_t i) {
  switch (shown.scalar) {
    case Scalar::speed:
      return static_cast<float>(length(element<Real, Dim>(bodies.velocity, i)));
    case Scalar::acceleration:
      return log_scalar(length(element<Real, Dim>(bodies.acceleration, i)));
    case Scalar::interactions:
      return log_scalar(bodies.interactions[i]);
    default:
      return i < shown.values.size() ? shown.values[i] : kNoScalar;
  }
}

/// Where vertices are between two steps.
template <class Real, int Dim>
struct Ways {
  const BodyArrays<Real, Dim>& bodies;
  KickDrift<Real> motion = {};
  const Motion* next = nullptr;  ///< the end of a step that has been taken ahead

  /// Component k of the position of body i at the end, rounded as the step rounds it.
  Real end(int k, std::size_t i) const {
    if (next) return static_cast<Real>(next->position[k][i]);
    if (motion.drift == 0) return bodies.position[k][i];
    const Real velocity = bodies.velocity[k][i] + bodies.acceleration[k][i] * motion.kick;
    return bodies.position[k][i] + velocity * motion.drift;
  }

  /// The mean acceleration of a step that is known, because in a long one that of its start is far from all others.
  Real acceleration(int k, std::size_t i) const {
    if (!next) return bodies.acceleration[k][i];
    return (static_cast<Real>(next->velocity[k][i]) - bodies.velocity[k][i]) / motion.drift;
  }

  std::uint32_t bend(std::size_t i) const {
    float way[3] = {}, pull[3] = {};
    for (int k = 0; k < Dim; ++k) {
      pull[k] = static_cast<float>(acceleration(k, i));
      way[k] =
          static_cast<float>(next ? end(k, i) - bodies.position[k][i]
                                  : (bodies.velocity[k][i] + bodies.acceleration[k][i] * motion.kick) * motion.drift);
    }
    return bend_bits(way, pull, static_cast<float>(motion.drift));
  }
};

/// Writes one vertex per body, or of one in VertexTarget::every: the end of its way, tag and the shown scalar, or the
/// bend of the way.
template <class Real, int Dim>
void write_body_vertices(const Ways<Real, Dim>& ways, const ShownScalar& shown, bool bends, const VertexTarget& out) {
  const BodyArrays<Real, Dim>& bodies = ways.bodies;
  parallel_chunks(0, vertices_of(bodies.tag.size(), out.every), [&](std::size_t first, std::size_t last) {
    for (std::size_t vertex = first; vertex < last; ++vertex) {
      const std::size_t i = vertex * out.every;
      float x[3] = {};
      for (int k = 0; k < Dim; ++k) x[k] = static_cast<float>(ways.end(k, i));
      out.vertices[vertex] = {x[0], x[1], x[2],
                              bends ? (bodies.tag[i] & 0xFFFFu) | ways.bend(i) << 16
                                    : make_attribute(bodies.tag[i], scalar_of(bodies, shown, i))};
    }
  });
}

}  // namespace pericenter
