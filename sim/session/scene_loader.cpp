#include "sim/session/scene_loader.h"

#include <malloc.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "sim/auto_solver.h"
#include "sim/core/clock.h"
#include "sim/core/settings.h"
#include "sim/scenes/model/procedural_source.h"
#include "sim/scenes/registry.h"
#include "sim/session/next_config.h"
#include "sim/solvers/registry.h"

namespace pericenter {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kCreationShare = 0.9;               ///< part of a scene's progress before its upload to the GPU
constexpr std::size_t kPreviewedBodies = 20'000;     ///< the first forces of fewer bodies take less time than a frame
constexpr std::chrono::milliseconds kDevicePoll{2};  // while CUDA is starting

/// The parameters of the run for new bodies of its scene: those that the user has changed, and the suggested ones.
Params kept_params(const RunState& now, const Params& suggested) {
  Params kept = now.params;
  for (const auto& [info, member] : kParamsSettings)
    if (now.params.*member == now.suggested.*member) kept.*member = suggested.*member;
  if (now.params.dt == -now.suggested.dt) kept.dt = -suggested.dt;
  return kept;
}
constexpr double kProgressPeriod = 0.03;  ///< seconds between reports while steps are repeated

}  // namespace

/// What defines a scene that starts.
struct SceneLoader::Start {
  std::string name;
  SceneRequest request;
  const Scene& scene;
  Params params = {};
  Config config = {};
  bool automatic_solver = false, automatic_integrator = false, automatic_backend = false;
  std::string file = {};  ///< see RunState::file
  std::uint64_t steps_at_load = 0;

  RunState state() const {
    RunState state;
    static_cast<ScenePresentation&>(state) = scene;
    state.scene = name;
    state.scene_request = request;
    state.file = file;
    state.steps_at_load = steps_at_load;
    state.config = config;
    state.automatic_solver = automatic_solver;
    state.automatic_integrator = automatic_integrator;
    state.automatic_backend = automatic_backend;
    state.params = params;
    state.suggested = scene.params;
    return state;
  }
};

bool SceneLoader::report(bool busy, double progress) {
  const auto& send = host_.options.report;
  if (previewed_) return !send || send(*previewed_);
  host_.state.busy = busy;
  host_.state.computing_forces = false;
  host_.state.progress = progress;
  return !send || send(host_.up_to_date());
}

void SceneLoader::finish() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
  host_.state.next_bodies = 0;
  host_.state.awaits_device = false;
  report(false, 1);
}

std::string SceneLoader::problem_with(const request::LoadScene& wanted) const {
  if (!find_scene(wanted.name)) return "There is no scene '" + wanted.name + "'.";
  return pericenter::problem_with(config_for(wanted));
}

Config SceneLoader::config_for(const request::LoadScene& wanted) const {
  return wanted.config.value_or(deferred_.value_or(next_config(host_.run.state())));
}

Config SceneLoader::with_suitable_choices(const Config& config, const BodySource& bodies, double softening) const {
  const RunState& now = host_.run.state();
  return with_automatic_choices(config, {now.automatic_solver, now.automatic_integrator, now.automatic_backend}, bodies,
                                softening);
}

// ---- scenes

/// The bodies; `made` is the request that creates the same ones again.
Scene SceneLoader::make_scene(const request::LoadScene& wanted, const Config& config, SceneRequest& made) {
  made = wanted.scene;
  made.dimension = config.dimension;
  SceneRequest now = made;
  now.allow_procedural = created_on_gpu(config, made.bodies);
  now.progress = [this](double share) { return report(true, kCreationShare * share); };
  if (can_preview(made.bodies)) host_.state.next_bodies = made.bodies;
  made.progress = {};
  made.allow_procedural = false;
  return find_scene(wanted.name)->make(now);
}

NewRun SceneLoader::create(const request::LoadScene& wanted, const std::function<void()>& leave) {
  Config config = config_for(wanted);
  // The CPU creates, and so can show, all but those bodies that CUDA creates.
  const std::size_t bodies = wanted.scene.bodies;
  if (!can_preview(bodies) || created_on_gpu({.backend = Backend::cuda}, bodies)) config = on_started_device(config);
  SceneRequest request;
  const Scene scene = make_scene(wanted, config, request);
  const RunState& now = host_.run.state();
  Start start{
      .name = wanted.name,
      .request = request,
      .scene = scene,
      .params = now.scene == wanted.name ? kept_params(now, scene.params) : host_.run.initial_params(scene.params),
      .config = config,
      .automatic_solver = now.automatic_solver && !wanted.config,
      .automatic_integrator = wanted.config ? wanted.chooses_integrator : now.automatic_integrator,
      .automatic_backend = now.automatic_backend,
  };
  std::unique_ptr<Simulation> shown;
  start.config = on_started_device(config, [&] {
    if (previewed_) return;
    if (!shown) shown = Simulation::create(start.config, scene.bodies);
    preview(start, *shown);  // once there is a buffer
  });
  shown.reset();
  start.config = with_automatic_choices(start.config,
                                        {start.automatic_solver, start.automatic_integrator, start.automatic_backend},
                                        scene, start.params.softening);
  const double created = scene.source ? 0 : kCreationShare;
  const auto progress = [&](double share) { return report(true, std::lerp(created, 1.0, share)); };
  bool left = false;
  const auto leave_once = [&] {
    if (!std::exchange(left, true)) leave();
  };
  const auto before_forces = [&](Simulation& made) {
    preview(start, made);
    leave_once();  // not earlier, because it takes time
  };
  std::unique_ptr<Simulation> simulation = made([&] {
    try {
      return make(start.config, scene, {.progress = progress}, start.params, before_forces);
    } catch (const DeviceMemoryError&) {
      leave_once();  // the current simulation may be freed next
      throw;
    }
  });
  return {std::move(simulation), {.state = start.state()}};
}

NewRun SceneLoader::load(const std::shared_ptr<const SceneSource>& source) {
  LoadedScene loaded = source->load([this](double progress) { return report(true, progress); });
  const RunState& current = host_.run.state();
  const Config now = on_started_device(deferred_.value_or(next_config(current)));
  Config config = loaded.config.value_or(now);
  config.backend = has_internal_steps(config) ? Backend::cpu : now.backend;
  config.device = now.device;
  config.threads = now.threads;
  config = without_unsupported_values(config);  // the file may come from another backend
  NewRun found;
  if (loaded.playback) {
    config.dimension = 3;
    found.course.simulation_params = loaded.scene.params;
    loaded.scene.params.dt = loaded.playback_dt;
  } else if (!loaded.config) {
    config =
        with_suitable_choices(config, loaded.scene.bodies, host_.run.initial_params(loaded.scene.params).softening);
  }
  const std::size_t bodies = loaded.playback ? loaded.playback->size() : loaded.scene.bodies.size();
  const SceneRequest unknown{.bodies = bodies, .dimension = config.dimension};
  const Start start{
      .name = source->name,
      .request = loaded.request.value_or(unknown),
      .scene = loaded.scene,
      .params = host_.run.initial_params(loaded.scene.params),  // new, even under the name of the last scene
      .config = config,
      .automatic_solver = current.automatic_solver && (loaded.playback || !loaded.config),
      .automatic_integrator = current.automatic_integrator && (loaded.playback || !loaded.config),
      .automatic_backend = current.automatic_backend,
      .file = source->path,
      .steps_at_load = loaded.steps,
  };
  const bool is_playback = loaded.playback != nullptr;
  if (is_playback) {
    found.simulation = std::move(loaded.playback);
    found.simulation->show(host_.state.scalar);
  } else {
    if (can_preview(bodies)) host_.state.next_bodies = bodies;
    report(true, 1);
    const auto before_forces = [&](Simulation& made) { preview(start, made); };
    found.simulation = made([&] {
      return make(config, loaded.scene.bodies, {.time = loaded.time, .steps = loaded.steps}, start.params,
                  before_forces);
    });
  }
  found.course.state = start.state();
  found.course.state.file_options = source->options;
  found.course.state.fields = std::move(loaded.fields);
  if (loaded.origin) found.course.state.file_measures = loaded.origin->measures;
  if (is_playback) found.course.state.playback = loaded.playback_range;
  found.course.source = source;
  found.course.origin = loaded.origin;
  const bool same_energy =
      start.params.softening == loaded.scene.params.softening && start.params.gravity == loaded.scene.params.gravity;
  if (same_energy) found.energy = loaded.start;
  found.message = loaded.note;
  return found;
}

// ---- simulations

std::unique_ptr<Simulation> SceneLoader::make(const Config& config, const BodySource& bodies, SimulationStart start,
                                              const Params& params,
                                              const std::function<void(Simulation& made)>& before_forces) {
  start.cancellation = &host_.cancellation;
  std::unique_ptr<Simulation> made = Simulation::create_from(config, bodies, start);
  made->show(host_.state.scalar);
  if (host_.run.simulation()) host_.run.simulation()->release_scratch();
  host_.cancellation.begin(0);
  if (before_forces) before_forces(*made);
  host_.state.computing_forces = true;
  const auto& send = host_.options.report;
  if (!previewed_ && send && !send(host_.up_to_date())) throw SceneCancelled{};
  try {
    made->diagnostics(params);
  } catch (const Cancelled&) {
    throw SceneCancelled{};
  }
  return made;
}

std::unique_ptr<Simulation> SceneLoader::made(const std::function<std::unique_ptr<Simulation>()>& make) {
  try {
    return make();
  } catch (const DeviceMemoryError&) {
    const Simulation* const old = host_.run.simulation();
    if (!old || old->config().backend != Backend::cuda) throw;
    const Config old_config = old->config();
    const Bodies old_bodies = old->bodies();
    const SimulationStart old_start{.time = old->time(), .steps = old->steps()};
    host_.run.release_simulation();
    try {
      return make();
    } catch (const DeviceLost&) {
      throw;
    } catch (...) {
      std::unique_ptr<Simulation> again = Simulation::create(old_config, old_bodies, old_start);
      again->show(host_.state.scalar);
      host_.run.restore_simulation(std::move(again));
      throw;
    }
  }
}

std::unique_ptr<Simulation> SceneLoader::repeated(const HistoryLine& line, std::uint64_t step, bool as_work) {
  const HistoryKeyframe from = line.keyframe_before(step);
  const HistorySegment segment = line.segment_at(from.at.step);
  const auto params_now = [&](std::uint64_t now) { return line.params_at(now).params; };
  std::unique_ptr<Simulation> made = make(segment.config, bodies_of(*from.motion, *segment.constants),
                                          {.time = from.at.time, .steps = from.at.step}, params_now(from.at.step));
  Clock::time_point reported{};
  while (made->steps() < step) {
    if (seconds_between(reported, Clock::now()) > kProgressPeriod) {
      const double all = static_cast<double>(step - from.at.step);
      if (!report(as_work, static_cast<double>(made->steps() - from.at.step) / all)) throw SceneCancelled{};
      reported = Clock::now();
    }
    made->step(params_now(made->steps()));
  }
  return made;
}

// ---- the device that is starting, and scenes that are shown before their first forces

Config SceneLoader::on_started_device(Config config, const std::function<void()>& meanwhile) {
  if (!starting_device_.valid()) return config;
  host_.state.awaits_device = true;
  while (starting_device_.wait_for(kDevicePoll) != std::future_status::ready) {
    if (host_.cancellation.asked() || !report(true, kCreationShare)) throw SceneCancelled{};
    if (meanwhile) meanwhile();
  }
  host_.state.awaits_device = false;
  if (previewed_) previewed_->awaits_device = false;
  const std::optional<int> device = std::exchange(starting_device_, {}).get();
  RunState& now = host_.run.state();
  now.config = on_device(now.config, device);
  return on_device(config, device);
}

/// Other scalars than the speed may need the forces. The start of a device takes longer than a frame.
bool SceneLoader::can_preview(std::size_t bodies) const {
  const bool takes_long = bodies >= kPreviewedBodies || starting_device_.valid();
  return takes_long && host_.options.preview && host_.state.scalar == Scalar::speed;
}

/// Shows a scene before its first forces are known, or its new configuration if it is shown.
void SceneLoader::preview(const Start& start, Simulation& made) {
  if (!previewed_ && !can_preview(made.size())) return;
  SessionState next = host_.state;
  static_cast<RunState&>(next) = start.state();
  next.message.clear();
  next.message_is_error = false;
  next.bodies = made.size();
  next.time = next.start_time = made.time();
  next.steps = made.steps();
  next.device_name = made.device_name();
  next.busy = next.computing_forces = true;
  next.awaits_device = starting_device_.valid();
  next.next_bodies = 0;
  next.progress = 0;
  next.scene_serial = previewed_ ? previewed_->scene_serial : next_serial_;
  if (previewed_) {
    previewed_ = next;
    report(true, 1);
  } else if (host_.options.preview(made, next, host_.frame(made, next_serial_))) {
    previewed_ = next;
    ++next_serial_;
  }
  if (host_.cancellation.asked()) throw SceneCancelled{};
}

std::uint64_t SceneLoader::take_serial() {
  const std::uint64_t serial = previewed_ ? previewed_->scene_serial : next_serial_++;
  previewed_.reset();
  return serial;
}

bool SceneLoader::end_preview() {
  const bool shown = previewed_.has_value();
  previewed_.reset();
  return shown;
}

}  // namespace pericenter
