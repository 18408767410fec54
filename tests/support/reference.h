#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "sim/analysis/force_error.h"
#include "sim/core/simulation.h"
#include "sim/scenes/registry.h"
#include "sim/solvers/registry.h"

namespace pericenter::test {

/// Backend of this test program; the same tests are compiled into sim_tests and gpu_tests.
#ifdef PERICENTER_TEST_CUDA
inline constexpr Backend kBackend = Backend::cuda;
#else
inline constexpr Backend kBackend = Backend::cpu;
#endif

inline Bodies scene_bodies(const char* name, std::size_t count, int dimension = 3, std::uint64_t seed = 1) {
  return find_scene(name)->make({.bodies = count, .seed = seed, .dimension = dimension}).bodies;
}

/// Acceleration of body i by direct summation in double precision, G = 1. Coincident bodies do not interact.
inline Vec3 exact_acceleration(const Bodies& bodies, std::size_t i, double softening) {
  Vec3 sum;
  for (std::size_t j = 0; j < bodies.size(); ++j) {
    const Vec3 d = bodies[j].position - bodies[i].position;
    const double r2 = dot(d, d) + softening * softening;
    if (j != i && r2 > 0) sum += d * (bodies[j].mass / (r2 * std::sqrt(r2)));
  }
  return sum;
}

/// Largest error of the accelerations of every `stride`-th body, relative to the exact one or, if forces cancel, to
/// their mean.
inline double worst_error(const std::vector<Vec3>& got, const Bodies& bodies, double softening,
                          std::size_t stride = 1) {
  std::vector<Vec3> exact;
  double sum = 0, worst = 0;
  for (std::size_t i = 0; i < bodies.size(); i += stride) {
    exact.push_back(exact_acceleration(bodies, i, softening));
    sum += length(exact.back());
  }
  for (std::size_t k = 0; k < exact.size(); ++k) {
    const double scale = std::max(length(exact[k]), sum / static_cast<double>(exact.size()));
    const double error = length(got[k * stride] - exact[k]);
    if (!(error <= worst * scale)) worst = error / scale;
  }
  return worst;
}

/// Whether distant cells act as monopoles only.
inline bool has_monopoles_alone(const Config& config) {
  const SolverInfo& solver = *find_solver(config.solver);
  return solver.has_tree() && !solver.quadrupoles && !solver.expansions;
}

/// Bound of worst_error() at theta = 0.2; larger for monopoles.
inline double coarse_bound(const Config& config) {
  return has_monopoles_alone(config) ? 4e-2 : 5e-3;
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

/// Every combination of solver, dimension and precision on `backend`, with each of these instruction sets.
inline std::vector<Config> configs_of(Backend backend, const std::vector<Simd>& levels = {Simd::best}) {
  std::vector<Config> configs;
  for (const SolverInfo& solver : solvers()) {
    if (!solver.runs_on(backend)) continue;
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

/// Whether the solver has kernels per instruction set on the CPU.
inline bool uses_pair_kernels(const Config& config) {
  return has_option(config, SolverOption::walk) ? option_value<Walk>(config) == Walk::group
                                                : config.solver != "direct-pairs";
}

/// Every configuration that must be correct.
inline std::vector<Config> all_configs() {
  if (kBackend == Backend::cuda) return configs_of(kBackend);
  std::vector<Config> configs;
  for (const Config& config : configs_of(kBackend, supported_simd())) {
    if (config.simd == Simd::plain || uses_pair_kernels(config)) configs.push_back(config);
  }
  return configs;
}

/// `config` with every non-default value of every option, one at a time; if the value requires a second change, with
/// that too.
inline std::vector<Config> switched_configs(const Config& config) {
  std::vector<Config> configs;
  const auto for_each_value = [](const Config& base, const auto& function) {
    for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
      const auto which = static_cast<SolverOption>(k);
      if (!has_option(base, which)) continue;
      for (int choice = 0; choice < static_cast<int>(solver_option_info(which).values.size()); ++choice) {
        Config other = base;
        other.solver_options.set(which, choice);
        if (base.solver_options[which] == SolverOptions::kDefault && choice != value_index(base, which))
          function(other);
      }
    }
  };
  for_each_value(config, [&](const Config& switched) {
    if (problem_with(switched).empty()) return configs.push_back(switched);
    bool found = false;
    for_each_value(switched, [&](const Config& with_another) {
      if (!found && problem_with(with_another).empty()) configs.push_back(with_another);
      found = found || problem_with(with_another).empty();
    });
  });
  return configs;
}

/// Tolerance for forces whose sums have another order, relative to the largest terms.
inline double rounding(const Config& config) {
  return config.precision == Precision::float32 ? 2e-5 : 1e-13;
}

/// Whether two runs agree bit by bit or, with solvers that are not reproducible, to rounding.
inline testing::AssertionResult same_motion(const Config& config, const Bodies& a, const Bodies& b) {
  double worst = 0, farthest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    worst = std::max(worst, length(a[i].position - b[i].position));
    farthest = std::max(farthest, length(a[i].position));
  }
  const bool reproducible = find_solver(config.solver)->reproducible;
  if (reproducible ? hash(a) == hash(b) : worst <= rounding(config) * farthest) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "positions differ by up to " << worst;
}

inline std::string describe(const Config& config) {
  std::string text = config.solver + " " + std::to_string(config.dimension) + "D " +
                     (config.precision == Precision::float32 ? "float " : "double ") +
                     std::string(config.backend == Backend::cuda ? "CUDA" : enum_name(config.simd));
  for (std::size_t k = 0; k < kSolverOptionCount; ++k) {
    const SolverOptionInfo& info = solver_option_info(static_cast<SolverOption>(k));
    const int choice = config.solver_options[static_cast<SolverOption>(k)];
    if (choice == SolverOptions::kDefault) continue;
    for (const std::string_view word : {info.name, info.values[static_cast<std::size_t>(choice)].name}) {
      text += ' ';
      text += word;
    }
  }
  return text;
}

/// The same as a valid GoogleTest name.
inline std::string test_name(const testing::TestParamInfo<Config>& config) {
  std::string name = describe(config.param);
  for (const char separator : {' ', '-'}) std::replace(name.begin(), name.end(), separator, '_');
  return name;
}

}  // namespace pericenter::test

namespace pericenter {

/// For GoogleTest, which would print raw bytes.
inline void PrintTo(const Config& config, std::ostream* out) {
  *out << test::describe(config);
}

}  // namespace pericenter
