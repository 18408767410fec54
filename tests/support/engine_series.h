#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "app/cluster/run_record.h"
#include "app/export/export.h"
#include "sim/core/simulation.h"
#include "sim/files/hdf5/writer.h"
#include "sim/files/load.h"
#include "sim/playback/series.h"
#include "tests/support/program.h"

namespace pericenter::test {

/// The folder of a run of GADGET-4 of `collision` with snapshots, which this program computes in its place with half of
/// the time step. `every`: steps of the record between two snapshots.
inline app::RunRecord write_engine_series(const std::filesystem::path& folder, std::size_t bodies, int snapshots,
                                          int every = 4) {
  const app::ClusterCode code = app::ClusterCode::gadget4;
  const app::ClusterRun run =
      app::export_scene("collision", find_scene("collision")->make({.bodies = bodies}), code, folder.string(), {});
  app::RunRecord record;
  record.code = code;
  record.name = "collision";
  record.folder = std::filesystem::canonical(folder).string();
  record.program = "Gadget4";
  record.process = "0";
  record.bodies = bodies;
  record.time_end = run.time_end;
  record.time_step = run.time_step;
  app::write_run_record(record);
  std::filesystem::create_directory(folder / "output");
  const auto simulation = Simulation::create({}, run.snapshot.bodies);
  Params params;
  params.dt = run.time_step / 2;
  params.softening = run.snapshot.softening;
  params.gravity = run.gravity;
  for (int k = 0; k < snapshots; ++k) {
    Snapshot snapshot = run.snapshot;
    snapshot.bodies = simulation->bodies();
    snapshot.time = simulation->time();
    const std::string number = std::to_string(k);
    write_hdf5((folder / ("output/snapshot_" + std::string(3 - number.size(), '0') + number + ".hdf5")).string(),
               snapshot, {});
    for (int step = 0; step < 2 * every; ++step) simulation->step(params);
  }
  return record;
}

}  // namespace pericenter::test
