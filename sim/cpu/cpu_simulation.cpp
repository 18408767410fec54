#include "sim/cpu/cpu_simulation.h"

#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/core/body_arrays.h"
#include "sim/core/clock.h"
#include "sim/core/diagnostic_sums.h"
#include "sim/core/fault_injection.h"
#include "sim/core/force_cache.h"
#include "sim/core/parallel.h"
#include "sim/core/stage_clock.h"
#include "sim/core/vertex_target.h"
#include "sim/cpu/body_vertices.h"
#include "sim/cpu/gauss_radau.h"
#include "sim/cpu/motion_copies.h"
#include "sim/cpu/step_parts.h"
#include "sim/solvers/cpu_solver.h"
#include "sim/solvers/density.h"
#include "sim/solvers/exact_sums.h"
#include "sim/solvers/registry.h"
#include "sim/solvers/solver_factory.h"

namespace pericenter {
namespace {

template <class Real, int Dim>
DiagnosticSums sums_over(const BodyArrays<Real, Dim>& bodies, std::size_t first, std::size_t last) {
  DiagnosticSums sums;
  for (std::size_t i = first; i < last; ++i) {
    sums.add_body({i, static_cast<double>(bodies.mass[i]), element<Real, Dim>(bodies.position, i),
                   element<Real, Dim>(bodies.velocity, i), static_cast<double>(bodies.potential[i]),
                   element<Real, Dim>(bodies.acceleration, i)});
  }
  return sums;
}

template <class Real, int Dim>
std::unique_ptr<CpuSolver<Real, Dim>> make_solver(const Config& config) {
  if (has_internal_steps(config)) {  // the energy is that of the forces which move the bodies
    const Config direct{.solver = "direct",
                        .precision = config.precision,
                        .dimension = config.dimension,
                        .threads = config.threads,
                        .simd = config.simd};
    return find_solver(direct.solver)->cpu->template make<Real, Dim>(direct);
  }
  return find_solver(config.solver)->cpu->template make<Real, Dim>(config);
}

template <class Real, int Dim>
class CpuSimulation final : public Simulation {
 public:
  CpuSimulation(const Config& config, const Bodies& bodies, CancellationToken* cancellation)
      : Simulation(config, bodies.size()),
        bodies_(to_arrays<Real, Dim>(bodies)),
        solver_(make_solver<Real, Dim>(config)),
        arena_(arena_threads(config.threads)),
        radau_(has_internal_steps(config) ? std::make_unique<GaussRadau>(masses_of(bodies), config.simd) : nullptr),
        cancellation_(cancellation ? cancellation : &own_cancellation_) {}

  void step(const Params& params, bool with_potential, const VertexTarget* vertices) override {
    const ProfilerRange range("step");
    if (should_fail(Fault::device_lost)) throw DeviceLost("injected fault device_lost");
    if (should_fail(Fault::step_hangs)) hang();
    arena_.execute([&] {
      if (radau_) return step_inside(params, with_potential);
      if (!in_step()) begin_step(params);
      while (step_->done < step_->parts) advance_part(params, with_potential);
    });
    step_parts_ = step_->parts;
    time_ += step_->dt;
    ++steps_;
    step_.reset();
    if (should_fail(Fault::not_finite) && size_ > 0)
      bodies_.position[0][size_ / 2] = std::numeric_limits<Real>::quiet_NaN();
    if (vertices) write_vertices(*vertices);
  }

  bool in_step() const override { return step_.has_value(); }

  Diagnostics diagnostics(const Params& params) override {
    Diagnostics result;
    arena_.execute([&] {
      update_forces(params, true);
      const StageClock clock(timings_, Stage::diagnostics);
      std::vector<DiagnosticSums> partial(chunk_count(size_));
      parallel_chunks(0, size_, [&](std::size_t first, std::size_t last) {
        partial[first / kChunk] = sums_over(bodies_, first, last);
      });
      // In chunk order, so that the result does not depend on the threads.
      DiagnosticSums sums;
      for (const DiagnosticSums& part : partial) sums += part;
      result = sums.result();
    });
    return result;
  }

  std::vector<Vec3> accelerations(const Params& params) override {
    arena_.execute([&] { update_forces(params, false); });
    std::vector<Vec3> result(size_);
    for (std::size_t i = 0; i < size_; ++i) result[i] = element<Real, Dim>(bodies_.acceleration, i);
    return result;
  }

  SampledForces sampled_forces(const Params& params, std::span<const std::size_t> sampled) override {
    SampledForces result;
    arena_.execute([&] {
      update_forces(params, false);
      const auto start = std::chrono::steady_clock::now();
      result.exact = exact_sums(sampled, params);
      result.seconds = seconds_between(start, std::chrono::steady_clock::now());
    });
    for (const std::size_t i : sampled) result.solver.push_back(element<Real, Dim>(bodies_.acceleration, i));
    return result;
  }

  Bodies bodies() const override { return to_bodies(bodies_); }
  Body body(std::size_t index) const override { return to_body(bodies_, index); }
  bool copy_motion(void* numbers) const override {
    Real* const to = static_cast<Real*>(numbers);
    parallel_chunks(0, size_, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        for (int k = 0; k < Dim; ++k) {
          to[2 * Dim * i + k] = bodies_.position[k][i];
          to[2 * Dim * i + Dim + k] = bodies_.velocity[k][i];
        }
      }
    });
    return true;
  }

  void write_vertices(const VertexTarget& out) override {
    arena_.execute([&] {
      update_shown_forces();
      write_moved({bodies_}, false, out);
    });
  }
  bool write_vertices_ahead(const Params& params, const VertexTarget& out) override try {
    if (params.adaptive_steps > 0 && !radau_) return false;  // the drift of an undivided step may lead elsewhere
    arena_.execute([&] {
      if (in_step()) return write_moved({bodies_}, out.bends, out);
      if (radau_) return write_inside(params, out);
      update_forces(params, false);
      update_shown_forces();
      const double kick = params.dt * kick_fractions(config().integrator).before;
      write_moved({bodies_, {static_cast<Real>(kick), static_cast<Real>(params.dt)}}, out.bends, out);
    });
    return true;
  } catch (const StepError&) {
    return false;
  }
  std::vector<std::uint32_t> interactions() const override { return bodies_.interactions; }

  void tree_boxes(int first_level, int last_level, std::size_t limit, std::vector<TreeBox>& out) const override {
    solver_->tree_boxes(first_level, last_level, limit, out);
  }
  int tree_levels() const override { return solver_->tree_levels(); }
  WorkCounts work() const override { return solver_->work(); }

  void release_scratch() override {
    solver_ = make_solver<Real, Dim>(config_);
    forces_.invalidate();
  }

 private:
  // ---- internal steps

  /// The motion after a step, which step() takes over.
  const Motion& motion_after(const Params& params) {
    const StageClock clock(timings_, Stage::kick_drift);
    if (!ahead_ || ahead_->first != params)
      ahead_.emplace(params, radau_->after(motion_of(bodies_), params, *cancellation_));
    return ahead_->second;
  }
  void step_inside(const Params& params, bool with_potential) {
    if (!in_step()) {
      timings_ = {};
      set_motion(motion_after(params), bodies_);
      ahead_.reset();
      forces_.invalidate();
      step_ = StepInProgress<Real, Dim>{.dt = params.dt};
    }
    if (with_potential) update_forces(params, true);
  }
  void write_inside(const Params& params, const VertexTarget& out) {
    update_shown_forces();
    write_moved({bodies_, {0, static_cast<Real>(params.dt)}, &motion_after(params)}, out.bends, out);
  }

  // ---- divided steps

  void begin_step(const Params& params) {
    update_forces(params, parts_need_potential(params));
    timings_ = {};
    StepInProgress<Real, Dim> step{.dt = params.dt};
    if (params.adaptive_steps > 0) {
      step.adapts = true;
      step.parts = wanted_parts(params, params.dt);
      step.position = bodies_.position;
      step.velocity = bodies_.velocity;
      step.acceleration = bodies_.acceleration;
    }
    step_ = std::move(step);
  }

  /// Computes the next part of the step. If the bodies at its end need a shorter one, the step begins again: the number
  /// of parts is the smallest that suffices at both ends of each part, which is the same on the way back (after Hut,
  /// Makino and McMillan 1995, doi:10.1086/187844).
  void advance_part(const Params& params, bool with_potential) {
    const KickFractions kicks = kick_fractions(config().integrator);
    const double dt = step_->part_dt();
    if (!step_->drifted) {
      kick(dt * kicks.before, dt);
      forces_.invalidate();
      step_->drifted = true;
    }
    const bool is_last = step_->done + 1 == step_->parts;
    update_forces(params, (with_potential && is_last) || parts_need_potential(params));
    step_->drifted = false;
    if (step_->adapts && wanted_parts(params, step_->dt) > step_->parts) return restart_step();
    kick(dt * kicks.after, 0);
    ++step_->done;
  }

  /// From the same bodies as before, with twice as many parts.
  void restart_step() {
    step_->done = 0;
    step_->parts *= 2;
    bodies_.position = step_->position;
    bodies_.velocity = step_->velocity;
    bodies_.acceleration = step_->acceleration;
    forces_.invalidate();
  }

  /// Parts of a step `dt` that the bodies as they are need. Their forces must be up to date.
  int wanted_parts(const Params& params, double dt) {
    if (!(params.adaptive_steps > 0)) return 1;
    const StageClock clock(timings_, Stage::diagnostics);
    return parts_for(bodies_, params, dt);
  }

  void write_moved(const Ways<Real, Dim>& ways, bool bends, const VertexTarget& out) {
    const StageClock clock(timings_, Stage::write_vertices);
    const std::vector<float> densities = scalar_ == Scalar::density ? log_densities(bodies_) : std::vector<float>();
    write_body_vertices(ways, {scalar_, densities.empty() ? shown_values() : densities}, bends, out);
  }

  /// Evaluates forces unless the stored ones are valid.
  void update_forces(const Params& params, bool with_potential) {
    if (forces_.valid_for(params, with_potential)) return;
    evaluate(params, with_potential);
  }
  /// The same for the forces or counts that vertices show.
  void update_shown_forces() {
    const bool counts = scalar_ == Scalar::interactions;
    if (!counts && scalar_ != Scalar::acceleration) return;
    if (!forces_.valid_for(forces_.params(), false, counts)) evaluate(forces_.params(), false);
  }
  void evaluate(const Params& params, bool with_potential) {
    const bool counts = scalar_ == Scalar::interactions;
    bodies_.interactions.resize(counts ? size_ : 0);
    forces_.invalidate();
    cancellation_->begin(size_);
    cancellation_->check();
    solver_->evaluate(bodies_, params, with_potential, *cancellation_, timings_);
    forces_.set(params, with_potential, counts);
  }

  std::vector<Vec3> exact_sums(std::span<const std::size_t> sampled, const Params& params) const {
    std::vector<Vec3> targets;
    for (const std::size_t i : sampled) targets.push_back(element<Real, Dim>(bodies_.position, i));
    const ExactSources sources{size_, [this](std::size_t first, std::size_t last, const SourceTile& to) {
                                 for (int k = 0; k < Dim; ++k)
                                   std::copy_n(bodies_.position[k].data() + first, last - first, to.position[k]);
                                 std::copy_n(bodies_.mass.data() + first, last - first, to.mass);
                               }};
    std::vector<Vec3> sums = exact_accelerations(targets, sources, params.softening, cancellation_);
    for (Vec3& sum : sums) sum = sum * params.gravity;
    return sums;
  }

  /// Kicks by `kick_dt`, then drifts by `drift_dt`.
  void kick(double kick_dt, double drift_dt) {
    const StageClock clock(timings_, Stage::kick_drift);
    const Real kick_time = static_cast<Real>(kick_dt), drift_time = static_cast<Real>(drift_dt);
    parallel_chunks(0, size_, [&](std::size_t first, std::size_t last) {
      for (int k = 0; k < Dim; ++k) {
        Real* const x = bodies_.position[k].data();
        Real* const v = bodies_.velocity[k].data();
        const Real* const a = bodies_.acceleration[k].data();
        for (std::size_t i = first; i < last; ++i) v[i] += a[i] * kick_time;
        if (drift_dt == 0) continue;
        for (std::size_t i = first; i < last; ++i) x[i] += v[i] * drift_time;
      }
    });
  }

  BodyArrays<Real, Dim> bodies_;
  std::unique_ptr<CpuSolver<Real, Dim>> solver_;
  tbb::task_arena arena_;
  std::unique_ptr<GaussRadau> radau_;               ///< set if steps have internal steps
  std::optional<std::pair<Params, Motion>> ahead_;  ///< parameters and end of the next step, if it is known
  ForceCache forces_;
  std::optional<StepInProgress<Real, Dim>> step_;  ///< a step that has begun, also after a cancellation
  CancellationToken own_cancellation_;
  CancellationToken* const cancellation_;
};

}  // namespace

std::unique_ptr<Simulation> make_cpu_simulation(const Config& config, const Bodies& bodies,
                                                CancellationToken* cancellation) {
  const bool flat = config.dimension == 2;
  if (stored_precision(config) == Precision::float32) {
    if (flat) return std::make_unique<CpuSimulation<float, 2>>(config, bodies, cancellation);
    return std::make_unique<CpuSimulation<float, 3>>(config, bodies, cancellation);
  }
  if (flat) return std::make_unique<CpuSimulation<double, 2>>(config, bodies, cancellation);
  return std::make_unique<CpuSimulation<double, 3>>(config, bodies, cancellation);
}

}  // namespace pericenter
