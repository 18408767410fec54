#include "sim/core/body_arrays.h"

#include <oneapi/tbb/task_group.h>

#include "sim/core/parallel.h"

namespace pericenter {

template <class Real, int Dim>
BodyArrays<Real, Dim> to_arrays(const Bodies& bodies) {
  BodyArrays<Real, Dim> arrays;
  const std::size_t n = bodies.size();
  // One task per array, because the first touch of the pages dominates.
  tbb::task_group touching;
  for (auto* vectors : {&arrays.position, &arrays.velocity, &arrays.acceleration}) {
    for (auto& component : *vectors) touching.run([&component, n] { component.resize(n); });
  }
  for (auto* scalar : {&arrays.mass, &arrays.potential}) touching.run([scalar, n] { scalar->resize(n); });
  touching.run_and_wait([&] { arrays.tag.resize(n); });
  parallel_chunks(0, n, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      for (int k = 0; k < Dim; ++k) {
        arrays.position[k][i] = static_cast<Real>(bodies[i].position[k]);
        arrays.velocity[k][i] = static_cast<Real>(bodies[i].velocity[k]);
      }
      arrays.mass[i] = static_cast<Real>(bodies[i].mass);
      arrays.tag[i] = bodies[i].tag;
    }
  });
  return arrays;
}

template <class Real, int Dim>
Bodies to_bodies(const BodyArrays<Real, Dim>& arrays) {
  Bodies bodies = uninitialized_bodies(arrays.size());
  parallel_chunks(0, bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) bodies[i] = to_body(arrays, i);
  });
  return bodies;
}

#define PERICENTER_INSTANTIATE(Real, Dim)                         \
  template BodyArrays<Real, Dim> to_arrays(const Bodies& bodies); \
  template Bodies to_bodies(const BodyArrays<Real, Dim>& arrays);
PERICENTER_INSTANTIATE(float, 2)
PERICENTER_INSTANTIATE(float, 3)
PERICENTER_INSTANTIATE(double, 2)
PERICENTER_INSTANTIATE(double, 3)
#undef PERICENTER_INSTANTIATE

}  // namespace pericenter
