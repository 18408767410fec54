#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cluster/host.h"
#include "app/cluster/run_record.h"
#include "app/export/export.h"

namespace pericenter::app {

enum class RunPhase { queued, running, ended, failed, cancelled };

/// A run as its machine sees it.
struct EngineRunState {
  RunPhase phase = RunPhase::queued;
  std::string why;  ///< sentence about a failed run; state of the queue of a queued one
  double time = 0;  ///< reached, in units of the export
  double share = 0;
  std::optional<double> seconds_left;
  std::vector<std::string> log;  ///< last lines of the engine
  struct File {
    std::string name;  ///< path from the folder of the run
    std::uintmax_t bytes = 0;
    bool is_complete = false;
  };
  std::vector<File> snapshots;
  std::size_t here = 0;  ///< snapshots in the folder of this machine

  bool is_over() const { return phase >= RunPhase::ended; }
};

/// How a run starts.
struct EngineStart {
  ClusterCode code = ClusterCode::swift;
  std::string host;
  std::string program;        ///< empty: that of the engine in PATH
  std::string launcher;       ///< empty: mpirun -np RANKS, or srun
  std::string remote_folder;  ///< folder there
  int ranks = 1, threads = 1;
  std::optional<std::string> slurm;  ///< text of the template of a job; nullopt: started directly
};

/// Folder of a run on another host: pericenter-runs/NAME in the home folder.
std::string usual_remote_folder(const std::string& folder);

/// The text of a template of a job; "default" is assets/cluster/slurm.tmpl. Throws CommandLineError if it cannot be
/// read or has no command.
std::string read_slurm_template(const std::string& path);

/// What is replaced in the template of a job. Throws CommandLineError if {{command}} is not in it.
std::string slurm_script(const std::string& text, const std::string& name, const EngineStart& start,
                         const std::string& command);

/// A run is in its folder until it is deleted: its snapshots may be the only ones. Throws FileError if there is one.
void check_has_no_run(const std::string& folder);

/// Starts a run in a folder that has none: checks the engine, writes the export with `write`, whose name is that of the
/// run, starts the engine, and writes the record. Throws as these do, HostError and FileError.
RunRecord start_run(const EngineStart& start, const std::string& folder, const Host& host,
                    const std::function<ClusterRun()>& write);

/// Throws HostError.
EngineRunState state_of(const RunRecord& record, const Host& host);

/// Copies the new complete snapshots and the files of energies and steps of a run on another host here; nothing for a
/// run on this machine. False while another one, such as a second window, does it. Throws HostError, FileError.
bool fetch_results(const RunRecord& record, EngineRunState& state, const Host& host);

/// Ends a run. Throws HostError.
void cancel_engine(const RunRecord& record, const Host& host);

/// "running, 120 of 977 Myr (12 %), 3 min left, 16 snapshots".
std::string state_text(const RunRecord& record, const EngineRunState& state);

/// Path of the first snapshot here, whether it exists or not.
std::string first_snapshot(const RunRecord& record);

}  // namespace pericenter::app
