#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/solver_options.h"

namespace pericenter {

/// Where a simulation runs: on the processor, or on an NVIDIA GPU (sim/core/device.h says whether there is one).
enum class Backend { cpu, cuda };
/// Floating-point numbers of positions, velocities and forces: IEEE 754 binary32 or binary64.
enum class Precision { float32, float64 };

/// Expansion of a distant cell: its mass, or its mass and its quadrupole.
enum class Multipole { monopole, quadrupole };

/// Kick-drift-kick leapfrog, of second order, or semi-implicit Euler (kick, then drift), of first order: both are
/// symplectic and need one force calculation per step. Or Gauss-Radau quadrature of order 15 with internal steps of
/// any length (Rein and Spiegel 2015, doi:10.1093/mnras/stu2164): for few bodies, on the CPU.
enum class Integrator { leapfrog, euler, gauss_radau };

/// Most bodies with mass that Integrator::gauss_radau takes; any number may have none.
inline constexpr std::size_t kMaxRadauBodies = 100;
/// Most bodies without mass for which it is chosen automatically: with more, two cores do not reach the default speed
/// of solar-system.
inline constexpr std::size_t kMaxRadauTestBodies = 100'000;

/// Fractions of the time step by which the velocities change before and after the drift.
struct KickFractions {
  double before, after;
};
constexpr KickFractions kick_fractions(Integrator integrator) {
  return integrator == Integrator::leapfrog ? KickFractions{0.5, 0.5} : KickFractions{1, 0};
}

/// Instruction sets of the CPU kernels. `best` selects the widest that this machine supports.
enum class Simd { plain, avx2, avx512, best };

/// Names of the values of an enumeration, in their order: on the command line, in scene strings, in snapshots.
template <class Enum>
inline constexpr std::array<std::string_view, 0> kEnumNames = {};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Backend> = {"cpu", "cuda"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Precision> = {"float", "double"};
template <>
inline constexpr std::array<std::string_view, 2> kEnumNames<Multipole> = {"monopole", "quadrupole"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<Integrator> = {"leapfrog", "euler", "gauss-radau"};
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<Simd> = {"plain", "avx2", "avx512", "best"};

/// The name of a value in kEnumNames.
template <class Enum>
constexpr std::string_view enum_name(Enum value) {
  return kEnumNames<Enum>[static_cast<std::size_t>(value)];
}

/// Instruction sets that this machine supports, narrowest first, without `best`; never empty.
std::vector<Simd> supported_simd();
/// Bounds of Config::threads.
inline constexpr int kMaxThreads = 1024;
/// Bound of Config::gpus.
inline constexpr int kMaxGpus = 16;

/// What a simulation is built for. Changing it rebuilds the simulation from a snapshot of the bodies.
struct Config {
  std::string solver = "octree";  ///< a name of solvers/registry.h
  Backend backend = Backend::cpu;
  Precision precision = Precision::float32;
  int dimension = 3;  ///< 2: bodies in the plane z = 0 under the same softened inverse-square law
  Multipole multipole = Multipole::quadrupole;
  Integrator integrator = Integrator::leapfrog;
  int threads = 0;  ///< CPU threads; 0: all cores
  Simd simd = Simd::best;
  int device = 0;                     ///< CUDA device: CudaDevice::index
  int gpus = 1;                       ///< CUDA devices that divide the forces, `device` among them; 0: all
  SolverOptions solver_options = {};  ///< options of the solver

  friend bool operator==(const Config&, const Config&) = default;
};

/// Whether the integrator divides the time step as accuracy needs, so that its length only says when there is a result.
inline bool has_internal_steps(const Config& config) {
  return config.integrator == Integrator::gauss_radau;
}

/// The precision of the bodies: internal steps are taken in doubles for any Config::precision.
inline Precision stored_precision(const Config& config) {
  return has_internal_steps(config) ? Precision::float64 : config.precision;
}

/// `config` on this CUDA device, or on the CPU.
inline Config on_device(Config config, std::optional<int> cuda_device) {
  config.backend = cuda_device ? Backend::cuda : Backend::cpu;
  config.device = cuda_device.value_or(config.device);
  return config;
}

/// `config` with backend, devices and threads of `machine`, which no scene brings along.
inline Config on_machine_of(Config config, const Config& machine) {
  config.backend = machine.backend;
  config.device = machine.device;
  config.gpus = machine.gpus;
  config.threads = machine.threads;
  return config;
}

/// Parameters that may change between two steps, in scene units.
struct Params {
  double dt = 0.01;        ///< time step; negative runs time backwards
  double theta = 0.7;      ///< opening angle of the tree solvers; 0 is the direct sum
  double accuracy = 1e-3;  ///< target mean relative force error of Opening::error
  /// Softening length of all bodies: a pair at distance r attracts as at sqrt(r^2 + softening^2) (Plummer 1911,
  /// doi:10.1093/mnras/71.5.460).
  double softening = 0.05;
  double gravity = 1;  ///< gravitational constant
  /// Tolerance of divided steps: a step is computed in equal parts such that no body with mass falls farther in one of
  /// them, in softening lengths (timestep_criterion.h). 0: steps are not divided.
  double adaptive_steps = 0;

  friend bool operator==(const Params&, const Params&) = default;
};

/// Bounds of Params::accuracy: the resolution of single precision, and the convergence of the expansions.
inline constexpr double kMinAccuracy = 1e-6, kMaxAccuracy = 0.1;
/// Bounds of Params::adaptive_steps, and the most parts of a step, a power of two.
inline constexpr double kMinAdaptiveSteps = 1e-6, kMaxAdaptiveSteps = 1;
inline constexpr int kMaxStepParts = 64;

/// Error message for the first invalid value (theta negative or NaN, dt not finite ...); empty if all are valid.
/// sim/solvers/registry.h checks a Config.
std::string problem_with(const Params& params);

}  // namespace pericenter
