#include "app/bench/bench.h"

#include <chrono>
#include <cstddef>
#include <iostream>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/base/atomic_file.h"
#include "app/base/exit_code.h"
#include "app/base/memory_budget.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/bench/table.h"
#include "app/bridge/vertex_bridge.h"
#include "render/headless_context.h"
#include "sim/core/clock.h"
#include "sim/core/config.h"
#include "sim/core/device.h"
#include "sim/core/median.h"
#include "sim/scenes/registry.h"
#include "sim/session/simulation_thread.h"

namespace pericenter::app {
namespace {

/// Seconds from the request of another scene, while one runs.
struct SceneChange {
  double shown = 0;    ///< time until its vertices are in an OpenGL buffer
  double stepped = 0;  ///< time until the vertices of its first step are
};

/// Medians over `repeats` changes of scene in a program that draws without pause, as the window does. The scenes differ
/// in their seeds. nullopt if interrupted, or if the scene cannot be created, which is reported on stderr. Throws
/// std::runtime_error without OpenGL.
std::optional<SceneChange> measure_scene_change(const SceneInfo& scene, const SceneRequest& request, Backend backend,
                                                std::size_t repeats, StopSignals& stop);

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPause{1};  // pause between two frames, which are not drawn
constexpr std::uint64_t kStepsBetween = 3;      // steps that give the previous scene a history

/// What a window does with a simulation, except for drawing.
class Screen {
 public:
  explicit Screen(Backend backend) : plan_(plan_interop(Bridge::automatic, cuda_status())), bridge_(plan_.interop) {
    Config config;
    config.backend = backend;
    config.device = plan_.device;
    simulation_.request(request::SetConfig{config});
    simulation_.request(request::ChooseSolver{true});
    simulation_.request(request::Play{true});
  }
  ~Screen() { simulation_.recall(); }

  /// nullopt if interrupted or refused.
  std::optional<SceneChange> change_to(const request::LoadScene& wanted, StopSignals& stop) {
    const std::uint64_t before = simulation_.state().scene_serial, messages = simulation_.state().message_serial;
    const Clock::time_point start = Clock::now();
    simulation_.request(wanted);
    std::optional<SceneChange> change;
    for (std::uint64_t steps = 0; steps < kStepsBetween; std::this_thread::sleep_for(kPause)) {
      const SessionState state = simulation_.state();
      const std::optional<PublishedFrame> frame = bridge_.exchange(simulation_, state);
      if (state.message_is_error && state.message_serial != messages) {
        print_message("skipped: " + state.message);
        return {};
      }
      if (stop.raised()) return {};
      if (!frame || frame->scene_serial <= before) continue;
      const double seconds = seconds_between(start, Clock::now());
      if (!change) change = SceneChange{.shown = seconds};
      if (steps == 0 && frame->steps > 0) change->stepped = seconds;
      steps = frame->steps;
    }
    return change;
  }

 private:
  render::HeadlessContext context_;
  InteropPlan plan_;
  VertexBridge bridge_;
  SimulationThread simulation_;  // declared after the buffers that it may write to
};

std::optional<SceneChange> measure_scene_change(const SceneInfo& scene, const SceneRequest& request, Backend backend,
                                                std::size_t repeats, StopSignals& stop) {
  Screen screen(backend);
  request::LoadScene wanted{std::string(scene.name), request};
  if (!screen.change_to(wanted, stop)) return {};  // there is no scene to leave yet
  std::vector<double> shown, stepped;
  for (std::size_t k = 0; k < repeats; ++k) {
    ++wanted.scene.seed;
    const std::optional<SceneChange> change = screen.change_to(wanted, stop);
    if (!change) return {};
    shown.push_back(change->shown);
    stepped.push_back(change->stepped);
  }
  return SceneChange{median(shown), median(stepped)};
}

constexpr std::size_t kRepeats = 3;

/// Seconds to create the bodies, allocation included; nullopt when memory is insufficient.
std::optional<double> seconds_to_make(const SceneInfo& scene, SceneRequest request, StopSignals& stop) {
  const double needed = static_cast<double>(request.bodies * sizeof(Body)), available = available_memory();
  if (available > 0 && needed > available) return {};  // the system would overcommit and then kill the process
  request.progress = [&](double) { return !stop.raised(); };
  try {
    const auto start = std::chrono::steady_clock::now();
    const Scene made = scene.make(request);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  } catch (const std::bad_alloc&) {
    return {};
  }
}

std::optional<double> median_seconds(const SceneInfo& scene, const SceneRequest& request, std::size_t repeats,
                                     StopSignals& stop) {
  std::vector<double> seconds;
  for (std::size_t k = 0; k < repeats; ++k) {
    const std::optional<double> once = seconds_to_make(scene, request, stop);
    if (!once) return {};
    seconds.push_back(*once);
  }
  return median(std::move(seconds));
}

/// On which to measure changes of scene.
std::vector<Backend> backends_of(const BenchOptions& options) {
  if (!options.changes) return {};
  if (!options.backends.empty()) return options.backends;
  return cuda_status().available() ? std::vector{Backend::cpu, Backend::cuda} : std::vector{Backend::cpu};
}

Table make_table(const std::vector<Backend>& backends) {
  std::vector<std::string> columns = {"scene", "bodies", "seconds", "M bodies/s"};
  for (const Backend backend : backends) {
    const std::string name = backend == Backend::cuda ? "CUDA" : "CPU";
    columns.push_back(name + " shown s");
    columns.push_back(name + " stepped s");
  }
  return Table(std::move(columns));
}

void measure(const BenchOptions& options, const std::vector<Backend>& backends, Table& table, StopSignals& stop) {
  const std::vector<std::size_t> numbers =
      options.bodies.empty() ? std::vector<std::size_t>{100'000, 1'000'000} : options.bodies;
  const double rows = static_cast<double>(options.scenes.size() * numbers.size());
  ProgressBar bar("creating", "rows", options.progress);
  double done = 0;
  for (const std::string& name : options.scenes) {
    for (const std::size_t requested : numbers) {
      bar.show(done++, rows);
      const SceneInfo& scene = *find_scene(name);
      const SceneRequest request{
          .bodies = scene.allowed(requested), .seed = options.seed, .dimension = options.config.dimension};
      const std::size_t repeats = options.repeats > 0 ? options.repeats : kRepeats;
      const std::optional<double> seconds = median_seconds(scene, request, repeats, stop);
      if (!seconds) {
        std::cerr << "pericenter: skipped: " << request.bodies << " bodies of " << name << ": out of memory.\n";
        continue;
      }
      const double bodies = static_cast<double>(request.bodies);
      std::vector<Cell> row = {name, bodies, *seconds, bodies / *seconds * 1e-6};
      for (const Backend backend : backends) {
        const auto change = measure_scene_change(scene, request, backend, repeats, stop);
        row.push_back(change ? Cell(change->shown) : Cell());
        row.push_back(change ? Cell(change->stepped) : Cell());
      }
      table.add(std::move(row));
    }
  }
  bar.show(rows, rows);
}

}  // namespace

int run_scene_bench(const BenchOptions& options) {
  StopSignals stop;
  if (!options.csv.empty()) check_can_create(options.csv);
  const std::vector<Backend> backends = backends_of(options);
  Table table = make_table(backends);
  try {
    measure(options, backends, table, stop);
  } catch (const SceneCancelled&) {
    print_message("interrupted; the table contains the rows measured so far.");
  }
  std::cout << table.aligned() << std::flush;
  if (!options.csv.empty()) write_file(options.csv, table.csv());
  return stop.raised() ? stop.exit_code() : kOk;
}

}  // namespace pericenter::app
