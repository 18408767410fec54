#include "app/bench/scene_bench.h"

#include <chrono>
#include <iostream>
#include <new>
#include <optional>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/memory_budget.h"
#include "app/base/progress_bar.h"
#include "app/base/signals.h"
#include "app/bench/scene_change.h"
#include "app/bench/table.h"
#include "sim/core/device.h"
#include "sim/core/median.h"
#include "sim/scenes/registry.h"

namespace pericenter::app {
namespace {

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
