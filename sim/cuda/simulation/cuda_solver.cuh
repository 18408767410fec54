#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/config.h"
#include "sim/core/device.h"
#include "sim/core/tree_box.h"
#include "sim/core/vec.h"
#include "sim/core/work_counts.h"
#include "sim/cuda/runtime/stage_events.cuh"
#include "sim/solvers/solver_factory.h"
#include "sim/solvers/tree/body_range.h"

namespace pericenter {

/// x, y, z and a fourth value, loaded and stored together. In 2D z is 0: the force law is the same, so the kernels have
/// no 2D version.
template <class Real>
struct alignas(16) Vec4 {
  Real x, y, z, w;
};
template <class Real>
constexpr Vec3 vector_of(const Vec4<Real>& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// Stores a tag in the bits of a Real, and back; the value must not be used in arithmetic.
template <class Real>
constexpr Real stored_tag(std::uint32_t tag) {
  if constexpr (sizeof(Real) == sizeof(tag)) {
    return std::bit_cast<Real>(tag);
  } else {
    return std::bit_cast<Real>(std::uint64_t{tag});
  }
}
template <class Real>
constexpr std::uint32_t tag_of(Real stored) {
  if constexpr (sizeof(Real) == sizeof(std::uint32_t)) {
    return std::bit_cast<std::uint32_t>(stored);
  } else {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(stored));
  }
}

/// The bodies on the device, in input order. Kernels take it by value: with three more members, nvcc 13.0 fused other
/// products and sums in the walk of hybrid-shared, whose bits then depended on whether potentials were computed.
template <class Real>
struct DeviceBodies {
  const Vec4<Real>* position;  ///< w: mass
  Vec4<Real>* acceleration;    ///< w: potential per unit mass
  std::uint32_t count;
  const Vec4<Real>* host_position;  ///< positions in host memory if available there, else null
  std::uint32_t* interactions;      ///< output: cells and bodies that acted on each body; null: not requested
};

/// What one of several devices computes.
template <class Real>
struct DevicePart {
  BodyRange own = {0, ~std::uint32_t{0}};  ///< range in tree order of the bodies whose accelerations it sets
  bool whole_leaves = false;               ///< parameter of processes()
  Vec4<Real>* result = nullptr;            ///< accelerations on the first device; null: DeviceBodies::acceleration
  cudaEvent_t may_write = nullptr;         ///< event before which `result` is not written
  /// Recorded when DeviceBodies::acceleration is no longer used as scratch memory.
  cudaEvent_t scratch_free = nullptr;

  bool is_all(std::uint32_t count) const { return own.begin == 0 && own.end >= count; }
};

/// Computes accelerations on a CUDA device, or on several.
template <class Real>
class CudaSolver {
 public:
  virtual ~CudaSolver() = default;

  /// Allocates the memory that needs_retry() found missing; called before each evaluate(). Returns a number that
  /// changes whenever evaluate() would enqueue different work.
  virtual int prepare() { return 0; }
  /// Enqueues on events.stream() the work that sets bodies.acceleration (its w only if `with_potential`) and
  /// bodies.interactions if not null. May wait for the host only if is_called_each_step(). A body with a non-finite
  /// coordinate exerts no force.
  virtual void evaluate(const DeviceBodies<Real>& bodies, const Params& params, bool with_potential,
                        StageEvents& events) = 0;

  /// Whether evaluate() must be called for every step, because it builds its tree on the host and waits for the
  /// positions, or uses several devices. If not, its work may be kept as a graph while its arguments and prepare() are
  /// unchanged.
  virtual bool is_called_each_step() const { return false; }

  /// Whether the last evaluate() overflowed a buffer and must run again; prepare() then enlarges the buffer. The stream
  /// must be synchronised.
  virtual bool needs_retry() { return false; }
  /// Device flag that is nonzero while needs_retry() is true; null for a solver that never overflows.
  virtual const std::uint32_t* overflow() const { return nullptr; }

  /// Device memory allocated by prepare() beyond CudaSolverMaker::bytes().
  virtual std::size_t more_bytes() const { return 0; }

  // Boxes of the last evaluate(), whose stream must be synchronised.
  virtual void tree_boxes(int /*first_level*/, int /*last_level*/, std::size_t /*limit*/,
                          std::vector<TreeBox>& /*out*/) const {}
  virtual int tree_levels() const { return 0; }
  virtual WorkCounts work() const = 0;
  /// See Simulation::note().
  virtual std::string note() const { return {}; }

  // For a solver on several devices (divided_solver.cuh).

  /// Whether evaluate() with these parameters computes only a part, as set_part() wants; otherwise it computes all.
  virtual bool can_divide(const Params& /*params*/) const { return false; }
  /// The part that evaluate() computes from now on; all at first.
  virtual void set_part(const DevicePart<Real>& /*part*/) {}
  /// Indices of the bodies in tree order, on the device; set by evaluate() if can_divide().
  virtual const std::uint32_t* tree_order() const { return nullptr; }
  /// What each device does; empty if there is one.
  virtual std::vector<DeviceShare> shares() const { return {}; }
};

/// Factory of a class template with a static bytes(config, count).
template <template <class> class Solver>
constexpr CudaSolverFactory cuda_solver_factory() {
  constexpr auto maker = []<class Real>(Real) -> CudaSolverMaker<Real> {
    return {Solver<Real>::bytes, [](const Config& config, std::size_t count) -> std::unique_ptr<CudaSolver<Real>> {
              return std::make_unique<Solver<Real>>(config, count);
            }};
  };
  return {maker(0.0f), maker(0.0)};
}

/// Factory of solvers among which the configuration selects: Selection::with_solver<Real>(config, call) calls `call`
/// with the type of the solver, which has a static bytes(config, count).
template <class Selection>
constexpr CudaSolverFactory selected_solver_factory() {
  constexpr auto maker = []<class Real>(Real) -> CudaSolverMaker<Real> {
    return {[](const Config& config, std::size_t count) {
              return Selection::template with_solver<Real>(
                  config, [&]<class Solver>() { return Solver::bytes(config, count); });
            },
            [](const Config& config, std::size_t count) {
              return Selection::template with_solver<Real>(config,
                                                           [&]<class Solver>() -> std::unique_ptr<CudaSolver<Real>> {
                                                             return std::make_unique<Solver>(config, count);
                                                           });
            }};
  };
  return {maker(0.0f), maker(0.0)};
}

}  // namespace pericenter
