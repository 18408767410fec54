#pragma once

#include <string>
#include <vector>

#include "sim/core/solver_options.h"

namespace pericenter {

enum class Backend { cpu, cuda };
enum class Precision { float32, float64 };

/// Expansion of a distant tree cell: its mass only, or its mass and its quadrupole.
enum class Multipole { monopole, quadrupole };

/// Instruction sets of the CPU kernels. `best` is the widest that this machine supports.
enum class Simd { plain, avx2, avx512, best };

/// Instruction sets that this machine supports, narrowest first; never empty, without `best`.
std::vector<Simd> supported_simd();
const char* simd_name(Simd simd);

/// Settings that are fixed for the lifetime of a simulation. A change rebuilds it from a snapshot of the bodies.
struct Config {
  std::string solver = "octree";  ///< a name of solvers/registry.h
  Backend backend = Backend::cpu;
  Precision precision = Precision::float32;
  int dimension = 3;  ///< 2: bodies in the plane z = 0 under the same softened inverse-square law
  Multipole multipole = Multipole::quadrupole;
  int threads = 0;  ///< CPU threads; 0: all cores
  Simd simd = Simd::best;
  int device = 0;                     ///< CUDA device, as in CudaDevice::index
  SolverOptions solver_options = {};  ///< values other than the solver's defaults

  friend bool operator==(const Config&, const Config&) = default;
};

/// Settings that may change between two steps, in scene units.
struct Params {
  double dt = 0.01;         ///< length of a step; negative runs backwards
  double theta = 0.7;       ///< opening angle of the tree solvers; 0 is the direct sum
  double accuracy = 1e-3;   ///< mean relative error of the forces that Opening::error aims at
  double softening = 0.05;  ///< Plummer softening length, the same for all bodies
  double gravity = 1;       ///< gravitational constant

  friend bool operator==(const Params&, const Params&) = default;
};

/// Bounds of Params::accuracy: single precision has no more digits, and expansions do not converge above the maximum.
inline constexpr double kMinAccuracy = 1e-6, kMaxAccuracy = 0.1;

/// Sentence that names an invalid value (theta negative or NaN, softening negative, dt not finite ...), empty if all
/// are valid. sim/solvers/registry.h checks a Config.
std::string problem_with(const Params& params);

}  // namespace pericenter
