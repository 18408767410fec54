#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/core/device.h"
#include "sim/core/diagnostics.h"
#include "sim/core/progress.h"
#include "sim/core/stage_timings.h"
#include "sim/core/work_counts.h"

namespace pericenter {

class BodySource;
// For programs that draw; the installed library has no headers for them.
class CancellationToken;
enum class Scalar;
struct TreeBox;
struct VertexTarget;

/// Whether body i of consecutive write_vertices() calls is the same body on a continuous path, for trails and
/// interpolation. Always true for computed bodies; a playback may jump.
struct Continuity {
  std::uint64_t discontinuities = 0;  ///< number of jumps in time; positions before and after are not on one path
  std::uint64_t permutations = 0;     ///< number of changes of the body order

  friend bool operator==(const Continuity&, const Continuity&) = default;
};

/// What the file of a snapshot calls its bodies.
struct BodyLabels {
  std::vector<std::uint64_t> ids;   ///< one per body, or empty
  std::vector<std::uint8_t> types;  ///< GADGET's particle types, or empty
  std::vector<float> values = {};   ///< values of the field that is read, NaN for bodies without it; or empty
};

/// Accelerations of some bodies, in the order of their indices: those that the solver stored, and exact sums.
struct SampledForces {
  std::vector<Vec3> solver, exact;
  double seconds = 0;  ///< time that the exact sums took
};

/// Initial time and step count of a simulation, and callbacks.
struct SimulationStart {
  double time = 0;  ///< scene units
  std::uint64_t steps = 0;
  Progress progress = {};  ///< reports upload or creation of the bodies, for GPUs and procedural sources
  CancellationToken* cancellation = nullptr;  ///< cancels force evaluations on the CPU; must outlive the simulation
};

/// Thrown with a sentence for the user by a step that cannot be taken; the bodies are as before.
class StepError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A system of bodies under softened gravity, advanced by kick-drift-kick leapfrog (Verlet 1967,
/// doi:10.1103/PhysRev.159.98) or by Config::integrator.
///
/// All quantities are in scene units, whose gravitational constant is Params::gravity, and in double precision. Lists
/// have one element per body, in the order of the bodies that the simulation was created with.
///
/// After a step positions and velocities belong to the same time, and the stored accelerations to these positions.
/// Not thread-safe. With a solver that is SolverInfo::reproducible, the same input gives the same bits for any number
/// of threads.
class Simulation {
 public:
  /// Throws std::invalid_argument with a sentence for the user if the config is invalid, DeviceMemoryError if the
  /// bodies do not fit into GPU memory, and SceneCancelled if start.progress returns false. In 2D the z components are
  /// dropped. A procedural source creates its bodies on the device that computes them.
  static std::unique_ptr<Simulation> create_from(const Config& config, const BodySource& bodies,
                                                 const SimulationStart& start = {});
  /// The same for bodies in memory, which are copied.
  static std::unique_ptr<Simulation> create(const Config& config, const Bodies& bodies,
                                            const SimulationStart& start = {});

  virtual ~Simulation() = default;

  /// Advances by params.dt. `with_potential` also evaluates the potential, which makes the next diagnostics() cheap.
  /// If `vertices` is given, which accepts() must allow, the step also writes the vertices. May throw Cancelled, as
  /// every force evaluation; then in_step() is true, and the next call completes the step. If it was
  /// between internal steps (has_internal_steps()), it is false, and the next call takes the step. Throws StepError.
  virtual void step(const Params& params, bool with_potential = false, const VertexTarget* vertices = nullptr) = 0;
  /// Whether a step was cancelled: positions are one time step ahead of time(), velocities half a step; in a divided
  /// step they are somewhere within it.
  virtual bool in_step() const { return false; }
  /// Frees memory that the next force evaluation allocates again.
  virtual void release_scratch() {}

  /// Conserved quantities at the current time; evaluates the potential if the last step did not.
  virtual Diagnostics diagnostics(const Params& params) = 0;

  /// Accelerations at the current positions, size() elements in the order of bodies(); evaluated if they are out of
  /// date. z is 0 in 2D.
  virtual std::vector<Vec3> accelerations(const Params& params) = 0;

  /// The accelerations of the `sampled` bodies, evaluated if they are out of date, and exact sums in doubles over all
  /// bodies as stored, on the device that computes. Coincident bodies exert no force on each other; a body that is not
  /// finite makes the sums NaN. The bits do not depend on the number of threads. Empty during playback. May throw
  /// Cancelled and DeviceMemoryError.
  virtual SampledForces sampled_forces(const Params& params, std::span<const std::size_t> sampled) = 0;

  /// The current bodies, size() elements in input order. A copy; positions and velocities have the precision of the
  /// simulation.
  virtual Bodies bodies() const = 0;
  /// One of bodies(), which alone is copied.
  virtual Body body(std::size_t index) const = 0;
  /// The current bodies of a sample of size() bodies, which alone are copied.
  virtual Bodies sampled_bodies(const BodySample& sample) const;
  /// Whether the velocities are known; false in a playback of files that have none.
  virtual bool has_velocities() const { return true; }
  /// Copies positions and velocities alone, in the precision of the simulation: Config::dimension components of each,
  /// body after body, to 2 * dimension * size() numbers. False where bodies() is as fast.
  virtual bool copy_motion(void* /*numbers*/) const { return false; }
  /// Starts a snapshot of the current bodies() and returns a function that fetches it, which another thread may call
  /// while the simulation continues. Empty on the CPU, if memory is insufficient, and while an earlier snapshot is in
  /// use; then use bodies().
  virtual std::function<Bodies()> async_snapshot() { return {}; }

  /// Writes one vertex per body, with the scalar of show(); vertex i belongs to bodies()[i]. accepts(out) must be true.
  /// Evaluates forces with the last parameters if the scalar needs them and they are out of date.
  virtual void write_vertices(const VertexTarget& out) = 0;
  /// The same with the positions at the end of the next step, to which its drift moves the bodies on straight lines:
  /// they are known before the forces that take most of the step. Scalars are those of now, or with VertexTarget::bends
  /// what makes the way a parabola. After a step that was cancelled, the end of this step. False, without an effect, if
  /// bodies are not computed, or steps may be divided.
  virtual bool write_vertices_ahead(const Params& /*params*/, const VertexTarget& /*out*/) { return false; }
  /// Selects the scalar of vertices from the next write_vertices() on.
  void show(Scalar scalar) { scalar_ = scalar; }
  Scalar shown() const { return scalar_; }  ///< scalar selected by show()
  /// Scalars that the simulation does not compute, as vertices store them: of Scalar::force_error the decimal
  /// logarithms of relative errors, and those of Scalar::field. One per body; null: unknown.
  virtual void set_values(Scalar scalar, std::shared_ptr<const std::vector<float>> values);
  /// Number of cells and bodies that acted on each body in the last force evaluation, in the order of bodies(); empty
  /// unless Scalar::interactions is shown.
  virtual std::vector<std::uint32_t> interactions() const = 0;
  /// Whether write_vertices() can write to `out`: it suits the bodies, on the host or for a simulation on CUDA.
  bool accepts(const VertexTarget& out) const;

  /// Appends the cells of the last tree, levels first..last (root = 0), at most `limit` of them.
  virtual void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const = 0;
  /// Levels of that tree; 0 without a tree.
  virtual int tree_levels() const = 0;

  /// Interactions of the last force evaluation.
  virtual WorkCounts work() const = 0;
  /// Which option value the solver could not use, and what it used instead; a sentence, empty if there is nothing to
  /// report.
  virtual std::string note() const { return {}; }

  /// All 0 on the CPU.
  virtual DeviceMemory device_memory() const { return {}; }
  /// Name of the CUDA device, and how many others divide the forces with it; empty on the CPU.
  virtual std::string device_name() const { return {}; }
  /// What each CUDA device does, if several divide the forces: Config::gpus. Else empty.
  virtual std::vector<DeviceShare> device_shares() const { return {}; }

  /// Goes to another time in a playback; false if bodies are computed. Throws InputError, and SceneCancelled if
  /// `progress` returns false.
  virtual bool seek(double /*time*/, const Progress& /*progress*/) { return false; }
  /// Whether a playback has reached its end in the direction of `dt`.
  virtual bool ended(double /*dt*/) const { return false; }
  /// All 0 for computed bodies.
  virtual Continuity continuity() const { return {}; }
  /// Labels of bodies() of a playback, whose bodies differ between snapshots; empty if bodies are computed.
  virtual BodyLabels labels() const { return {}; }

  /// The configuration that the simulation was created with.
  const Config& config() const { return config_; }
  /// Number of bodies.
  std::size_t size() const { return size_; }
  /// Time in scene units: SimulationStart::time plus the dt of all steps.
  double time() const { return time_; }
  /// Number of complete steps, from SimulationStart::steps on.
  std::uint64_t steps() const { return steps_; }
  /// Equal parts into which the last step was divided (Params::adaptive_steps).
  int step_parts() const { return step_parts_; }
  /// Stages of the last step() and of later calls.
  const StageTimings& timings() const { return timings_; }

 protected:
  Simulation(const Config& config, std::size_t size) : config_(config), size_(size) {}

  Config config_;
  std::size_t size_;
  double time_ = 0;
  std::uint64_t steps_ = 0;
  int step_parts_ = 1;
  StageTimings timings_;
  Scalar scalar_ = {};  ///< Scalar::speed at first

  /// What set_values() gave for the scalar that is shown; empty: nothing.
  std::span<const float> shown_values() const;

 private:
  std::shared_ptr<const std::vector<float>> force_errors_, field_;
};

}  // namespace pericenter
