#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/cluster/run_watch.h"
#include "app/export/export_options.h"

namespace pericenter::app {

/// What the panel "Cluster" shows, and what the user typed there.
struct ClusterState {
  struct Form {
    ClusterCode code = ClusterCode::swift;
    std::string folder;   ///< folder of the run; empty: a new one
    std::string program;  ///< path on the host; empty: that of the engine in PATH
    std::string host;     ///< [USER@]HOST; empty: this machine
    bool uses_slurm = false;
    std::string slurm_template;  ///< file; empty: the built-in one
    int ranks = 2, threads = 1;
  } form;
  std::string opened;                    ///< folder of a run that was submitted before, as typed
  std::optional<double> starting;        ///< share of the export while a run is being submitted
  std::string problem;                   ///< why no run was submitted or opened, sentences
  std::shared_ptr<const RunReport> run;  ///< the run that is looked after; null: none
  bool confirms_cancel = false;          ///< the button asks whether to end the run
};

}  // namespace pericenter::app
