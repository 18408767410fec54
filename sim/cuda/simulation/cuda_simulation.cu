#include "sim/cuda/simulation/cuda_simulation.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "sim/core/fault_injection.h"
#include "sim/core/force_cache.h"
#include "sim/core/stage_clock.h"
#include "sim/core/vertex_target.h"
#include "sim/cuda/runtime/cuda_check.cuh"
#include "sim/cuda/runtime/device_buffer.cuh"
#include "sim/cuda/runtime/launch_graph.cuh"
#include "sim/cuda/runtime/stream.cuh"
#include "sim/cuda/simulation/body_copy.cuh"
#include "sim/cuda/simulation/cuda_solver.cuh"
#include "sim/cuda/simulation/diagnostics.cuh"
#include "sim/cuda/simulation/divided_solver.cuh"
#include "sim/cuda/simulation/force_sample.cuh"
#include "sim/cuda/simulation/host_integrate.cuh"
#include "sim/cuda/simulation/integrate.cuh"
#include "sim/cuda/simulation/sample_bodies.cuh"
#include "sim/cuda/simulation/shown_scalar.cuh"
#include "sim/cuda/simulation/staged_vertices.cuh"
#include "sim/cuda/simulation/write_vertices.cuh"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

template <class Real>
const CudaSolverMaker<Real>& solver_maker(const Config& config) {
  return find_solver(config.solver)->cuda->maker<Real>();
}

template <class T>
std::vector<T> download(const DeviceBuffer<T>& from) {
  std::vector<T> to(from.size());
  if (!to.empty()) {
    PERICENTER_CUDA_CHECK(cudaMemcpy(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost));
  }
  return to;
}

/// Maximum share of the free memory for a copy of the bodies: 1 / kStoreShare.
constexpr std::size_t kStoreShare = 16;

/// The devices that compute the forces, config.device first.
std::vector<int> devices_of(const Config& config) {
  if (config.gpus == 1 || !find_solver(config.solver)->several_gpus) return {config.device};
  return divided_devices(cuda_status(), config.device, config.gpus);
}

template <class Real>
std::unique_ptr<CudaSolver<Real>> make_solver(const Config& config, std::size_t count) {
  const std::vector<int> devices = devices_of(config);
  return devices.size() > 1 ? make_divided_solver<Real>(config, count, devices)
                            : solver_maker<Real>(config).make(config, count);
}

/// Device memory of the simulation and its solver for `count` bodies, including that of vertices for host memory.
template <class Real>
std::size_t bytes_for(const Config& config, std::size_t count) {
  return count * 3 * sizeof(Vec4<Real>) + StagedVertices::bytes(count) + CudaDiagnostics::bytes(count) +
         solver_maker<Real>(config).bytes(config, count);
}

DeviceMemory memory_beside(std::size_t used) {
  DeviceMemory memory{used, 0, 0};
  PERICENTER_CUDA_CHECK(cudaMemGetInfo(&memory.free_bytes, &memory.total_bytes));
  return memory;
}

/// Checked before any allocation, so that the error message has the total.
template <class Real>
std::size_t checked_bytes(const Config& config, std::size_t count) {
  const std::size_t needed = bytes_for<Real>(config, count);
  const DeviceMemory memory = memory_beside(0);
  if (needed > memory.free_bytes) throw DeviceMemoryError(needed, memory.free_bytes);
  return needed;
}

/// Steps with equal keys enqueue identical work.
struct StepKey {
  Params params;
  bool with_potential = false;
  const std::uint32_t* interactions = nullptr;
  int solver = 0;  ///< CudaSolver::prepare()

  friend bool operator==(const StepKey&, const StepKey&) = default;
};
struct CachedStep {
  LaunchGraph<StepKey> graph;
  std::vector<Stage> stages;
};

/// A step is enqueued as a whole and synchronised once. From the second identical step on it is launched as a graph.
template <class Real>
class CudaSimulation final : public Simulation {
 public:
  CudaSimulation(const Config& config, const CudaStatus& devices, const BodySource& bodies, const Progress& progress)
      : Simulation(config, bodies.size()),
        devices_(devices),
        bytes_(checked_bytes<Real>(config, bodies.size())),
        position_(size_),
        velocity_(size_),
        acceleration_(size_),
        diagnostics_(size_),
        shown_(config.dimension, size_, stream_.get()),
        solver_(make_solver<Real>(config, size_)) {
    if (bodies.procedural()) {
      sample_bodies(config_, *bodies.procedural(), columns(), progress, stream_.get());
    } else {
      upload_bodies(config_, bodies.bodies(), columns(), progress, stream_.get());
    }
    if (has_option(config_, SolverOption::integration) && option_value<Integration>(config_) == Integration::host) {
      host_.emplace(config_, columns(), size_, stream_.get());
    }
  }

  void step(const Params& params, bool with_potential, const VertexTarget* vertices) override {
    const ProfilerRange range("step");
    if (should_fail(Fault::device_lost)) throw_cuda_error({cudaErrorLaunchFailure, "step", __FILE__, __LINE__});
    if (should_fail(Fault::step_hangs)) hang();
    prepare();
    update_forces(params, parts_need_potential(params));
    timings_ = {};
    const bool divides = params.adaptive_steps > 0;
    // The last kernel of an undivided step can write the speed, and only that.
    const bool by_step = vertices && vertices->on_device && scalar_ == Scalar::speed && !divides;
    const VertexTarget* const in_place = by_step ? vertices : nullptr;
    if (divides) {
      divided_step(params, with_potential);
    } else {
      undivided_step(params, with_potential, in_place);
    }
    time_ += params.dt;
    ++steps_;
    if (vertices && !in_place) write_vertices(*vertices);
  }

  Diagnostics diagnostics(const Params& params) override {
    prepare();
    update_forces(params, true);
    const StageClock clock(timings_, Stage::diagnostics);
    timings_.set_on_gpu(Stage::diagnostics);
    return diagnostics_.evaluate(device_bodies(), velocity_.data(), stream_.get());
  }

  std::vector<Vec3> accelerations(const Params& params) override {
    prepare();
    update_forces(params, false);
    std::vector<Vec3> result(size_);
    std::ranges::transform(download(acceleration_), result.begin(), vector_of<Real>);
    return result;
  }

  SampledForces sampled_forces(const Params& params, std::span<const std::size_t> sampled) override {
    prepare();
    update_forces(params, false);
    return sample_.measure(device_bodies(), params, sampled, stream_.get());
  }

  Bodies bodies() const override {
    use_device();
    return download_bodies(config_, columns(), size_, stream_.get());
  }

  Body body(std::size_t index) const override {
    use_device();
    const BodyColumns<Real> one = {position_.data() + index, velocity_.data() + index};
    return download_bodies(config_, one, 1, stream_.get()).front();
  }

  Bodies sampled_bodies(const BodySample& sample) const override {
    use_device();
    return download_sample(config_, columns(), sample, stream_.get());
  }

  std::function<Bodies()> async_snapshot() override {
    if (should_fail(Fault::snapshot_memory)) return {};
    use_device();
    if (!store_) {
      if (memory_beside(0).free_bytes / kStoreShare < BodyStore<Real>::bytes(size_)) return {};
      store_ = std::make_shared<BodyStore<Real>>(config_, size_);
    } else if (store_.use_count() > 1) {
      return {};
    }
    store_->enqueue(columns(), stream_.get());
    return [store = store_] { return store->fetch(); };
  }

  void write_vertices(const VertexTarget& out) override {
    prepare();
    update_shown_forces();
    write_moved({}, false, out);
  }
  bool write_vertices_ahead(const Params& params, const VertexTarget& out) override {
    if (params.adaptive_steps > 0) return false;  // the drift of an undivided step may lead elsewhere
    prepare();
    update_forces(params, false);
    update_shown_forces();
    write_moved({first_kick(params), static_cast<Real>(params.dt)}, out.bends, out);
    return true;
  }
  std::vector<std::uint32_t> interactions() const override {
    use_device();
    std::vector<std::uint32_t> result(shown_.interactions() != nullptr ? size_ : 0);
    if (!result.empty()) {
      PERICENTER_CUDA_CHECK(
          cudaMemcpy(result.data(), shown_.interactions(), size_ * sizeof(result[0]), cudaMemcpyDeviceToHost));
    }
    return result;
  }
  void set_values(Scalar scalar, std::shared_ptr<const std::vector<float>> values) override {
    Simulation::set_values(scalar, std::move(values));
    use_device();
    shown_.clear_values(scalar);
  }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    use_device();
    solver_->tree_boxes(first_level, last_level, limit, out);
  }
  int tree_levels() const override { return solver_->tree_levels(); }
  WorkCounts work() const override { return solver_->work(); }
  std::string note() const override {
    const std::string of_solver = config_.gpus != 1 && !find_solver(config_.solver)->several_gpus
                                      ? "Only the solver fmm uses several GPUs; this one uses the first."
                                      : solver_->note();
    return of_solver + (of_solver.empty() || shown_.note().empty() ? "" : " ") + shown_.note();
  }

  DeviceMemory device_memory() const override {
    use_device();
    const std::size_t stored = store_ ? BodyStore<Real>::bytes(size_) : 0;
    const std::size_t kept = at_start_ ? at_start_->bytes() : 0;
    return memory_beside(bytes_ + solver_->more_bytes() + shown_.bytes() + sample_.bytes() + stored + kept);
  }
  std::string device_name() const override {
    const std::string& first = devices_.find(config_.device)->name;
    const std::size_t others = devices_of(config_).size() - 1;
    return others == 0 ? first : first + " and " + std::to_string(others) + " more";
  }
  std::vector<DeviceShare> device_shares() const override {
    use_device();
    std::vector<DeviceShare> shares = solver_->shares();
    for (DeviceShare& share : shares) {
      const CudaDevice* const device = devices_.find(share.device);
      if (device != nullptr) share.name = device->name;
    }
    if (!shares.empty()) shares.front().memory = device_memory();
    return shares;
  }

 private:
  /// The current device is per thread in CUDA.
  void use_device() const { PERICENTER_CUDA_CHECK(cudaSetDevice(config_.device)); }

  void prepare() {
    use_device();
    if (shown_.show(scalar_, shown_values())) forces_.invalidate_counts();
  }

  BodyColumns<Real> columns() const { return {position_.data(), velocity_.data()}; }

  DeviceBodies<Real> device_bodies() const {
    return {position_.data(), acceleration_.data(), static_cast<std::uint32_t>(size_),
            host_ ? host_->position() : nullptr, shown_.interactions()};
  }
  ScalarArrays scalars() { return shown_.enqueue(device_bodies()); }

  MotionArrays<Real> motion() const {
    return {position_.data(), velocity_.data(), acceleration_.data(), static_cast<std::uint32_t>(size_)};
  }

  Real first_kick(const Params& params) const {
    return static_cast<Real>(params.dt * kick_fractions(config_.integrator).before);
  }
  Real last_kick(const Params& params) const {
    return static_cast<Real>(params.dt * kick_fractions(config_.integrator).after);
  }

  // ---- divided steps

  /// The bodies at the start of a step that is divided, so that it can begin again with more parts.
  struct BodiesAtStart {
    explicit BodiesAtStart(std::size_t count) : position(count), velocity(count), acceleration(count) {}
    std::size_t bytes() const { return position.bytes() + velocity.bytes() + acceleration.bytes(); }
    DeviceBuffer<Vec4<Real>> position, velocity, acceleration;
  };

  /// The smallest number of equal parts that suffices at both ends of each, as on the CPU. A part ends with its last
  /// kick before it is judged, which uses the accelerations alone.
  void divided_step(const Params& params, bool with_potential) {
    if (!at_start_) at_start_.emplace(size_);
    copy(position_, at_start_->position);
    copy(velocity_, at_start_->velocity);
    copy(acceleration_, at_start_->acceleration);
    int parts = wanted_parts(params);
    for (int done = 0; done < parts;) {
      Params part = params;
      part.dt = params.dt / parts;
      const bool is_last = done + 1 == parts;
      undivided_step(part, (with_potential && is_last) || parts_need_potential(params), nullptr);
      if (wanted_parts(params) <= parts) {
        ++done;
        continue;
      }
      restart_step();
      parts *= 2;
      done = 0;
    }
    step_parts_ = parts;
  }

  /// From the same bodies as before.
  void restart_step() {
    copy(at_start_->position, position_);
    copy(at_start_->velocity, velocity_);
    copy(at_start_->acceleration, acceleration_);
    if (host_) host_->copy_from_device(columns(), acceleration_.data(), stream_.get());
  }
  void copy(const DeviceBuffer<Vec4<Real>>& from, DeviceBuffer<Vec4<Real>>& to) {
    PERICENTER_CUDA_CHECK(
        cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToDevice, stream_.get()));
  }

  /// Equal parts of a step that the bodies as they are need. Their forces must be up to date.
  int wanted_parts(const Params& params) {
    const StageClock clock(timings_, Stage::diagnostics);
    timings_.set_on_gpu(Stage::diagnostics);
    return diagnostics_.urgency(device_bodies(), params.softening > 0, stream_.get()).parts(params, params.dt);
  }

  // ---- undivided steps

  void undivided_step(const Params& params, bool with_potential, const VertexTarget* in_place) {
    forces_.invalidate();
    if (host_) {
      enqueue_host_step(params, with_potential, in_place);
    } else {
      enqueue_step(params, with_potential, in_place);
    }
    finish();
    while (solver_->needs_retry()) {
      events_.begin();
      enqueue_forces(params, with_potential);
      enqueue_kick(params, in_place);
      finish();
    }
    forces_.set(params, with_potential, shown_.interactions() != nullptr);
    step_parts_ = 1;
  }

  void enqueue_step(const Params& params, bool with_potential, const VertexTarget* in_place) {
    const auto enqueue = [&] {
      events_.begin();
      kick_and_drift(motion(), first_kick(params), static_cast<Real>(params.dt), events_);
      solver_->evaluate(device_bodies(), params, with_potential, events_);
    };
    const int solver = solver_->prepare();
    if (solver_->is_called_each_step()) {
      enqueue();
    } else {
      CachedStep& cached = cached_[with_potential ? 1 : 0];
      cached.graph.launch({params, with_potential, shown_.interactions(), solver}, stream_.get(), [&] {
        enqueue();
        cached.stages = events_.marked();
      });
      events_.resume(cached.stages);
    }
    // Not in the graph, because the address of the vertices may change.
    enqueue_kick(params, in_place);
  }
  /// The last kick of a step; it does nothing after an overflow of the solver.
  void enqueue_kick(const Params& params, const VertexTarget* in_place) {
    const DeviceStageClock clock(events_, Stage::kick_drift);
    const cudaStream_t last = in_place ? static_cast<cudaStream_t>(in_place->stream) : stream_.get();
    order_.order(stream_.get(), last);
    kick_and_write_vertices(motion(), last_kick(params), solver_->overflow(),
                            in_place ? written(*in_place, in_place->vertices) : WrittenVertices(), last);
    order_.order(last, stream_.get());
  }

  /// Like the device step, with kick and drift on the host, which waits for the forces.
  void enqueue_host_step(const Params& params, bool with_potential, const VertexTarget* in_place) {
    events_.begin();
    host_->kick_and_drift(first_kick(params), static_cast<Real>(params.dt), position_.data(), events_);
    enqueue_forces(params, with_potential);
    host_->kick(last_kick(params), velocity_.data(), events_);
    if (in_place) enqueue_write_vertices(*in_place);
  }

  void enqueue_forces(const Params& params, bool with_potential) {
    solver_->prepare();
    solver_->evaluate(device_bodies(), params, with_potential, events_);
    if (host_) host_->fetch(acceleration_.data(), events_);
  }

  void write_moved(const KickDrift<Real>& moved, bool bends, const VertexTarget& out) {
    events_.begin();
    if (out.on_device) {
      enqueue_write_vertices(out, moved, bends);
      return finish();
    }
    if (size_ == 0) return;
    {
      const DeviceStageClock clock(events_, Stage::write_vertices);
      const ScalarArrays shown = scalars();
      const auto write = [&](std::size_t first, std::size_t count, Vertex* to) {
        const std::size_t body = first * out.every, bodies = std::min(count * out.every, size_ - body);
        write_body_vertices(motion().part(body, bodies), shown.from(body), moved, bends, written(out, to),
                            stream_.get());
      };
      staged_.fetch(vertices_of(size_, out.every), write, config_.threads, out.vertices, stream_.get());
    }
    finish();
  }

  /// The vertices of a target, written to `to`.
  static WrittenVertices written(const VertexTarget& out, Vertex* to) {
    return {to, static_cast<std::uint32_t>(out.every)};
  }
  void enqueue_write_vertices(const VertexTarget& out, const KickDrift<Real>& moved = {}, bool bends = false) {
    const DeviceStageClock clock(events_, Stage::write_vertices);
    const auto stream = static_cast<cudaStream_t>(out.stream);
    const ScalarArrays shown = scalars();
    order_.order(stream_.get(), stream);
    write_body_vertices(motion(), shown, moved, bends, written(out, out.vertices), stream);
    order_.order(stream, stream_.get());
  }

  /// Evaluates forces unless the stored ones belong to the current positions and parameters.
  void update_forces(const Params& params, bool with_potential) {
    if (!forces_.valid_for(params, with_potential)) evaluate(params, with_potential);
  }
  /// Like update_forces(), for the quantities shown by vertices.
  void update_shown_forces() {
    const bool counts = shown_.interactions() != nullptr;
    if (!counts && scalar_ != Scalar::acceleration) return;
    if (!forces_.valid_for(forces_.params(), false, counts)) evaluate(forces_.params(), false);
  }
  void evaluate(const Params& params, bool with_potential) {
    events_.begin();
    do {
      enqueue_forces(params, with_potential);
      finish();
    } while (solver_->needs_retry());
    forces_.set(params, with_potential, shown_.interactions() != nullptr);
  }

  /// Synchronises the stream and reads the timings.
  void finish() {
    PERICENTER_CUDA_CHECK(cudaStreamSynchronize(stream_.get()));
    events_.add_to(timings_);
  }

  const CudaStatus devices_;
  std::size_t bytes_;
  LowPriorityStream stream_;
  StageEvents events_{stream_.get()};
  OrderEvent order_;
  DeviceBuffer<Vec4<Real>> position_, velocity_, acceleration_;
  CudaDiagnostics diagnostics_;
  CudaForceSample sample_;
  ShownScalar<Real> shown_;
  std::unique_ptr<CudaSolver<Real>> solver_;
  std::optional<HostIntegrator<Real>> host_;  ///< set if the host integrates
  std::shared_ptr<BodyStore<Real>> store_;    ///< null before the first async_snapshot()
  std::optional<BodiesAtStart> at_start_;     ///< unset before the first step that may be divided
  StagedVertices staged_;
  ForceCache forces_;
  CachedStep cached_[2];  ///< steps without and with potential, which alternate
};

}  // namespace

std::unique_ptr<Simulation> make_cuda_simulation(const Config& config, const BodySource& bodies,
                                                 const Progress& progress) {
  const CudaStatus status = cuda_status();
  if (const std::string problem = status.problem_with(config.device); !problem.empty())
    throw std::invalid_argument(problem);
  if (const std::size_t most = find_solver(config.solver)->max_cuda_bodies; bodies.size() > most) {
    throw std::invalid_argument("the solver " + config.solver + " supports at most " + std::to_string(most) +
                                " bodies on CUDA");
  }
  PERICENTER_CUDA_CHECK(cudaSetDevice(config.device));
  if (config.precision == Precision::float32)
    return std::make_unique<CudaSimulation<float>>(config, status, bodies, progress);
  return std::make_unique<CudaSimulation<double>>(config, status, bodies, progress);
}

}  // namespace pericenter
