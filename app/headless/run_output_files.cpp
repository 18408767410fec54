#include "app/headless/run_output_files.h"

#include <filesystem>

#include "app/base/progress_bar.h"
#include "app/output/snapshot_saver.h"
#include "sim/auto_solver.h"
#include "sim/core/printable.h"
#include "sim/playback/series.h"
#include "sim/solvers/registry.h"

namespace pericenter::app {
namespace {

LoadedScene with_run_options(LoadedScene loaded, const Options& options) {
  const bool choose = options.automatic_solver && (!loaded.config || options.given.solver);
  loaded.config = loaded.config ? config_with_options(*loaded.config, options) : options.config;
  if (choose) loaded.config = with_auto_solver(*loaded.config, loaded.scene.bodies);
  loaded.config = without_unsupported_values(*loaded.config);
  if (const std::string problem = problem_with(*loaded.config); !problem.empty())
    throw InputError(options.input() + " was saved with other settings: " + problem + ".");
  loaded.playback_dt = loaded.scene.params.dt;  // in headless mode a playback advances as the simulation would
  return loaded;
}

}  // namespace

SceneSource input_source(const Options& options) {
  const SceneSource source = options.load.empty() ? series_source(series_of(options.play), options.skip_bad)
                                                  : file_source(options.load, options.skip_bad);
  return {input_name(options), options.input(),
          [source, options](const Progress& progress) { return with_run_options(source.load(progress), options); }};
}

std::string input_name(const Options& options) {
  return printable(std::filesystem::path(options.input()).stem().string());
}

int save_output(const Snapshot& snapshot, const Options& options) {
  StopSignals now;
  ProgressBar bar("saving", "", options.progress);
  try {
    save_snapshot(options.save, snapshot, [&](double share) {
      bar.show(share, 1);
      return !now.raised();
    });
  } catch (const SceneCancelled&) {
    return fail(now.exit_code(), "interrupted; " + printable(options.save) + " was not written.");
  }
  return kOk;
}

}  // namespace pericenter::app
