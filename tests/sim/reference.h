#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "sim/force_error.h"
#include "sim/scenes/registry.h"
#include "sim/simulation.h"
#include "sim/solvers/registry.h"

namespace pericenter::test {

/// What the solvers run on that these tests are compiled for: the same tests make sim_tests and gpu_tests.
#ifdef PERICENTER_TEST_CUDA
inline constexpr Backend kBackend = Backend::cuda;
#else
inline constexpr Backend kBackend = Backend::cpu;
#endif

inline Bodies scene_bodies(const char* name, std::size_t count, int dimension = 3, std::uint64_t seed = 1) {
  return find_scene(name)->make({.bodies = count, .seed = seed, .dimension = dimension}).bodies;
}

/// Acceleration of body i by direct summation in doubles, G = 1. Coincident bodies give nothing.
inline Vec3 exact_acceleration(const Bodies& bodies, std::size_t i, double softening) {
  Vec3 sum;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    const Vec3 d = bodies[j].position - bodies[i].position;
    const double r2 = dot(d, d) + softening * softening;
    if (j != i && r2 > 0) sum += d * (bodies[j].mass / (r2 * std::sqrt(r2)));
  }
  return sum;
}

inline double exact_potential_energy(const Bodies& bodies, double softening) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      const Vec3 d = bodies[j].position - bodies[i].position;
      const double r2 = dot(d, d) + softening * softening;
      if (r2 > 0) sum -= bodies[i].mass * bodies[j].mass / std::sqrt(r2);
    }
  }
  return sum;
}

/// Errors of the accelerations of about `samples` evenly spread bodies.
inline ForceErrors force_errors(const Config& config, const Params& params, const Bodies& bodies, std::size_t samples) {
  const std::vector<Vec3> all = Simulation::create(config, bodies)->accelerations(params);
  const Bodies seen = rounded(bodies, config.precision);
  std::vector<Vec3> got, exact;
  const std::size_t stride = std::max<std::size_t>(1, bodies.size() / samples);
  for (std::size_t i = 0; i < bodies.size(); i += stride) {
    got.push_back(all[i]);
    exact.push_back(exact_acceleration(seen, i, params.softening));
  }
  return pericenter::force_errors(got, exact);
}

/// Bits of positions and velocities, for tests of reproducibility (FNV-1a).
inline std::uint64_t hash(const Bodies& bodies) {
  std::uint64_t hash = 14695981039346656037ull;
  const auto add = [&](const Vec3& v) {
    for (const double x : v.data) {
      const auto* bytes = reinterpret_cast<const unsigned char*>(&x);
      for (std::size_t k = 0; k < sizeof(x); ++k) hash = (hash ^ bytes[k]) * 1099511628211ull;
    }
  };
  for (const Body& body : bodies) {
    add(body.position);
    add(body.velocity);
  }
  return hash;
}

inline bool runs_on(const SolverInfo& solver, Backend backend) {
  return backend == Backend::cpu ? solver.cpu : solver.cuda;
}

/// Every combination of solver, dimension and precision on `backend`, with each of these instruction sets.
inline std::vector<Config> configs_of(Backend backend, const std::vector<Simd>& levels = {Simd::best}) {
  std::vector<Config> configs;
  for (const SolverInfo& solver : solvers()) {
    if (!runs_on(solver, backend)) continue;
    for (const int dimension : {2, 3}) {
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        for (const Simd simd : levels) {
          configs.push_back({.solver = std::string(solver.name),
                             .backend = backend,
                             .precision = precision,
                             .dimension = dimension,
                             .simd = simd});
        }
      }
    }
  }
  return configs;
}

/// Every combination that a solver must get right.
inline std::vector<Config> all_configs() {
  return configs_of(kBackend, kBackend == Backend::cpu ? supported_simd() : std::vector{Simd::best});
}

inline std::string describe(const Config& config) {
  return config.solver + " " + std::to_string(config.dimension) + "D " +
         (config.precision == Precision::float32 ? "float " : "double ") +
         (config.backend == Backend::cuda ? "CUDA" : simd_name(config.simd));
}

/// The same as a name that GoogleTest takes.
inline std::string test_name(const testing::TestParamInfo<Config>& config) {
  std::string name = describe(config.param);
  for (const char separator : {' ', '-'}) std::replace(name.begin(), name.end(), separator, '_');
  return name;
}

}  // namespace pericenter::test

namespace pericenter {

/// For GoogleTest, which would print the bytes.
inline void PrintTo(const Config& config, std::ostream* out) {
  *out << test::describe(config);
}

}  // namespace pericenter
