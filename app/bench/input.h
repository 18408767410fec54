#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/core/units.h"
#include "sim/files/snapshot.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// Input of a benchmark: bodies, and a sample for the force errors.
struct InputRequest {
  /// A scene ("plummer" is rescaled to scale length 1), kDisc, or a file for read_bench_input().
  std::string name = "plummer";
  std::size_t bodies = 0;
  std::uint64_t seed = 1;
  int dimension = 3;
  Precision precision = Precision::float32;
  double softening = 0.001;
  std::size_t samples = 2048;   ///< number of sampled bodies; all if there are fewer
  bool test_particles = false;  ///< only bodies of at least 1e-8 of the total mass act

  friend bool operator==(const InputRequest&, const InputRequest&) = default;
};

/// Bodies at rest, uniform over a disc of radius 1 in the plane z = 0.
inline constexpr const char* kDisc = "disc";

/// Bodies, with exact accelerations of the sampled ones.
struct BenchInput {
  InputRequest request;
  Bodies bodies;                     ///< rounded to the precision of the solvers
  std::vector<std::size_t> sampled;  ///< indices, evenly spaced
  std::vector<Vec3> exact;           ///< accelerations of the sampled bodies, G = 1
  Units units;                       ///< units of the scene; all 0 if it has no physical ones

  /// "AU" or "kpc", whichever suits the unit of the scene, or "units" without physical units.
  const char* length_unit() const;
  /// The scene's unit of length in length_unit().
  double unit_length() const;
};

/// A time step in scene units, from a number in scene units ("0.01") or with a unit ("1h", "0.5 yr"). Throws
/// CommandLineError if the unit is unknown, or if the scene has no physical units.
double time_step_of(const std::string& text, const Units& units);

/// The Plummer sphere has G = M = a = 1. Throws SceneCancelled.
BenchInput make_bench_input(const InputRequest& request, const Progress& progress);

/// Reads all bodies of a file, in scene units, projected to z = 0 if the dimension is 2. Sets request.bodies, and
/// converts request.softening from the length unit of the file to scene units. Throws InputError, SceneCancelled.
BenchInput read_bench_input(InputRequest request, const ReadOptions& options);

}  // namespace pericenter::app
