#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/files/snapshot.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {

/// Bodies for a benchmark, and the sample whose forces are checked.
struct InputRequest {
  /// A scene, but that of the Plummer sphere has scale length 1; or kDisc; or for read_bench_input() a file.
  std::string name = "plummer";
  std::size_t bodies = 0;
  std::uint64_t seed = 1;
  int dimension = 3;
  Precision precision = Precision::float32;
  double softening = 0.001;
  std::size_t samples = 2048;  ///< bodies whose force is checked, or all if there are fewer

  friend bool operator==(const InputRequest&, const InputRequest&) = default;
};

/// Bodies at rest, spread evenly over a disc of radius 1 in the plane z = 0.
inline constexpr const char* kDisc = "disc";

/// What a row of a benchmark starts from: bodies, with the exact accelerations of some of them.
struct BenchInput {
  InputRequest request;
  Bodies bodies;                     ///< rounded to the precision of the solvers
  std::vector<std::size_t> sampled;  ///< evenly spread over the bodies
  std::vector<Vec3> exact;           ///< of the sampled, G = 1
};

/// A Plummer sphere has G = M = a = 1. Throws SceneCancelled.
BenchInput make_bench_input(const InputRequest& request, const Progress& progress);

/// All bodies of a file that read_snapshot() reads, in scene units, in the plane z = 0 if the dimension is 2. The
/// request is then of as many bodies, and its softening, which was in the file's unit of length, in the scene's.
/// Throws InputError, SceneCancelled.
BenchInput read_bench_input(InputRequest request, const ReadOptions& options);

}  // namespace pericenter::app
