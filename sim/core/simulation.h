#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/cancellation.h"
#include "sim/core/config.h"
#include "sim/core/device.h"
#include "sim/core/diagnostics.h"
#include "sim/core/progress.h"
#include "sim/core/scalar.h"
#include "sim/core/stage_timings.h"
#include "sim/core/tree_box.h"
#include "sim/core/vertex_target.h"
#include "sim/core/work_counts.h"

namespace pericenter {

class BodySource;

/// Whether a body's vertex continues the one that was published before, which it always does where bodies are computed.
struct Continuity {
  std::uint64_t jumps = 0;   ///< counts leaps to another moment: places before and after belong to no common path
  std::uint64_t orders = 0;  ///< counts changes of which body is body i

  friend bool operator==(const Continuity&, const Continuity&) = default;
};

/// What a simulation goes on from, and whom it tells how much of it is there.
struct SimulationStart {
  double time = 0;
  std::uint64_t steps = 0;
  Progress progress = {};                     ///< only a GPU takes long enough to call it
  CancellationToken* cancellation = nullptr;  ///< of all evaluations to come, on the CPU; must outlive the simulation
};

/// A system of bodies under softened gravity, advanced by kick-drift-kick leapfrog.
///
/// After every step positions and velocities belong to the same time, and the stored accelerations to those positions.
/// Not thread-safe: one thread at a time. The same input gives the same bits for any number of threads, with every
/// solver that is SolverInfo::reproducible.
class Simulation {
 public:
  /// Throws std::invalid_argument with a sentence for the user when the config or the solver does not allow it, and
  /// DeviceMemoryError when the bodies do not fit onto the GPU, and SceneCancelled when start.progress returns false.
  /// In 2D the z components are dropped. Procedural sources create their bodies on the device that computes them.
  static std::unique_ptr<Simulation> create_from(const Config& config, const BodySource& bodies,
                                                 const SimulationStart& start = {});
  static std::unique_ptr<Simulation> create(const Config& config, const Bodies& bodies,
                                            const SimulationStart& start = {});

  virtual ~Simulation() = default;

  /// Advances by params.dt. `with_potential` also evaluates the potential, which makes the next diagnostics() cheap.
  /// With `vertices`, which must be such as takes() allows, the step ends in publishing there.
  /// After Cancelled, which any evaluation of forces may throw, it is in_step(), and the next call ends that step.
  virtual void step(const Params& params, bool with_potential = false, const VertexTarget* vertices = nullptr) = 0;
  /// Whether positions are one time step ahead of time(), and velocities half of one.
  virtual bool in_step() const { return false; }
  /// Gives back the memory that the next evaluation of forces takes anew.
  virtual void release_scratch() {}

  /// Conserved quantities now; evaluates the potential if the last step did not.
  virtual Diagnostics diagnostics(const Params& params) = 0;

  /// Accelerations of the current positions, in the order of bodies(); evaluated if they are not up to date.
  virtual std::vector<Vec3> accelerations(const Params& params) = 0;

  /// The bodies now, in the order in which they were given.
  virtual Bodies bodies() const = 0;
  /// What gets bodies() as they are now from another thread, while the simulation goes on: on a GPU that takes long,
  /// and this does not. Empty where that is not so, where there is no memory for it, and while an earlier one is held.
  virtual std::function<Bodies()> async_snapshot() { return {}; }

  /// Writes one vertex a body where takes() allows it; vertex i is that of bodies()[i]. Its scalar is that of show().
  /// Where that needs forces which have not been evaluated, they are, with the last parameters that were used.
  virtual void publish(const VertexTarget& out) = 0;
  /// From the next publish() on, vertices hold this number.
  void show(Scalar scalar) { scalar_ = scalar; }
  Scalar shown() const { return scalar_; }
  /// What Scalar::force_error shows: decimal logarithms of relative errors, one a body, or none at all.
  virtual void set_force_errors(std::vector<float> log_errors) { force_errors_ = std::move(log_errors); }
  /// Cells and bodies that acted on each body in the last evaluation of forces, in the order of bodies(); empty unless
  /// it was asked to show Scalar::interactions.
  virtual std::vector<std::uint32_t> interactions() const = 0;
  /// Whether vertices can be published there: it is large enough, and only CUDA writes to a device.
  bool takes(const VertexTarget& out) const {
    return out.capacity >= size_ && (!out.on_device || config_.backend == Backend::cuda);
  }

  /// Appends the cells of the tree that the last step walked, levels first..last (root = 0), up to `limit` cells.
  virtual void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const = 0;
  /// Levels of that tree; 0 when the solver has none.
  virtual int tree_levels() const = 0;

  virtual WorkCounts work() const = 0;
  /// What the solver could not do as its switches ask, and what it did instead; a sentence, empty when there is none.
  virtual std::string note() const { return {}; }

  /// Of the device that it runs on; all 0 on the CPU.
  virtual DeviceMemory device_memory() const { return {}; }
  /// Name of that device; empty on the CPU.
  virtual std::string device_name() const { return {}; }

  /// Goes to another moment; false where bodies are computed, which have no other. Throws InputError, and
  /// SceneCancelled when `progress` returns false.
  virtual bool seek(double /*time*/, const Progress& /*progress*/) { return false; }
  /// Whether there is nothing more in the direction of `dt`.
  virtual bool ended(double /*dt*/) const { return false; }
  virtual Continuity continuity() const { return {}; }

  const Config& config() const { return config_; }
  std::size_t size() const { return size_; }
  double time() const { return time_; }
  std::uint64_t steps() const { return steps_; }
  /// Stages of the last step(), and of what was asked for since.
  const StageTimings& timings() const { return timings_; }

 protected:
  Simulation(const Config& config, std::size_t size) : config_(config), size_(size) {}

  Config config_;
  std::size_t size_;
  double time_ = 0;
  std::uint64_t steps_ = 0;
  StageTimings timings_;
  Scalar scalar_ = Scalar::speed;
  std::vector<float> force_errors_;
};

}  // namespace pericenter
