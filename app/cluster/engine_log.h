#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/cluster/run_record.h"
#include "app/plots/plot.h"

namespace pericenter::app {

/// A line of a log of an engine, in units of the export.
struct EnginePoint {
  double time = 0, value = 0;
};

/// Total energies of the file Engine::energies, and time steps of the file Engine::steps. Other lines, and lines that
/// are cut, are left out. At most `most` points are kept, evenly.
std::vector<EnginePoint> engine_energies(ClusterCode code, std::string_view text, std::size_t most = 2048);
std::vector<EnginePoint> engine_steps(ClusterCode code, std::string_view text, std::size_t most = 2048);

/// Change of the energy that the engine itself measures, and its time step, over time in Myr, from the files in the
/// folder of the run here. Plots without data when there are none yet.
std::vector<Plot> engine_plots(const RunRecord& record);

}  // namespace pericenter::app
