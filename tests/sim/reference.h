#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "sim/scenes/registry.h"
#include "sim/simulation.h"
#include "sim/solvers/registry.h"

namespace pericenter::test {

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

struct ForceErrors {
  double mean = 0, percentile_99 = 0, max = 0;
};

/// Relative errors of the accelerations of about `samples` evenly spread bodies.
inline ForceErrors force_errors(const Config& config, const Params& params, const Bodies& bodies, std::size_t samples) {
  const std::vector<Vec3> accelerations = Simulation::create(config, bodies)->accelerations(params);
  // The solver sees rounded coordinates; the reference must see the same.
  Bodies seen = bodies;
  if (config.precision == Precision::float32) {
    for (Body& body : seen) {
      for (int k = 0; k < 3; ++k) body.position[k] = static_cast<double>(static_cast<float>(body.position[k]));
      body.mass = static_cast<double>(static_cast<float>(body.mass));
    }
  }
  std::vector<double> errors;
  const std::size_t stride = std::max<std::size_t>(1, bodies.size() / samples);
  for (std::size_t i = 0; i < bodies.size(); i += stride) {
    const Vec3 exact = exact_acceleration(seen, i, params.softening);
    errors.push_back(length(accelerations[i] - exact) / length(exact));
  }
  std::sort(errors.begin(), errors.end());
  ForceErrors result;
  for (const double error : errors) result.mean += error / static_cast<double>(errors.size());
  result.percentile_99 = errors[errors.size() * 99 / 100];
  result.max = errors.back();
  return result;
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

/// Every combination that a solver must get right: solver, dimension, precision and instruction set.
inline std::vector<Config> all_configs() {
  std::vector<Config> configs;
  for (const SolverInfo& solver : solvers()) {
    for (const int dimension : {2, 3}) {
      for (const Precision precision : {Precision::float32, Precision::float64}) {
        for (const Simd simd : supported_simd()) {
          configs.push_back(
              {.solver = std::string(solver.name), .precision = precision, .dimension = dimension, .simd = simd});
        }
      }
    }
  }
  return configs;
}

inline std::string describe(const Config& config) {
  return config.solver + " " + std::to_string(config.dimension) + "D " +
         (config.precision == Precision::float32 ? "float " : "double ") + simd_name(config.simd);
}

/// The same as a name that GoogleTest takes.
inline std::string test_name(const testing::TestParamInfo<Config>& config) {
  std::string name = describe(config.param);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

}  // namespace pericenter::test

namespace pericenter {

/// For GoogleTest, which would print the bytes.
inline void PrintTo(const Config& config, std::ostream* out) {
  *out << test::describe(config);
}

}  // namespace pericenter
