#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plots/plot.h"
#include "sim/analysis/encounter_forecast.h"
#include "sim/session/session_state.h"

namespace pericenter::app {

/// A plot of the record of a run.
struct LabPlot {
  std::string_view id;   ///< stable, as part of the ID of a control and of the names of files
  std::string_view tip;  ///< tooltip: what the plot shows
  Plot plot = {};
  bool over_time = true;  ///< the x axis is the time of the scene in its display unit
  bool open_by_default = true;
  std::string empty = "Values appear here while the simulation runs.";
};

struct LabPlotInput {
  const SessionState& run;
  const SessionState* reference = nullptr;      ///< A of a comparison: its curves are grey, those of `run` blue
  const EncounterForecast* forecast = nullptr;  ///< forecast for this scene, or nullptr
};

/// The plots of a run, from top to bottom, in the display units of the scene. A run that turns around has one curve per
/// direction, for the last two directions.
std::vector<LabPlot> lab_plots(const LabPlotInput& input);

/// A time of the scene on the time axis of its plots.
double plotted_time(double time, const Units& units);
double scene_time(double plotted, const Units& units);

}  // namespace pericenter::app
