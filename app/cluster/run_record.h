#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/export/export_options.h"

namespace pericenter::app {

/// A run of an engine, as the file pericenter-run.toml in its folder keeps it. Times are those of the export, from 0
/// on in kpc / (km/s).
struct RunRecord {
  ClusterCode code = ClusterCode::swift;
  std::string name;     ///< name of the scene or file
  std::string folder;   ///< path on this machine, from the root; not in the file, so that the folder can be moved
  std::string host;     ///< [USER@]HOST; empty: this machine
  std::string remote;   ///< folder on the host; empty: `folder`
  std::string program;  ///< path on the host
  int ranks = 1, threads = 1;
  std::string slurm;    ///< number of the job of SLURM; empty: none
  std::string process;  ///< id of the process, without SLURM
  std::size_t bodies = 0;
  double time_end = 0;
  double time_step = 0;  ///< longest

  const std::string& folder_on_host() const { return remote.empty() ? folder : remote; }
};

/// Unit of time of an export, kpc / (km/s), in Myr.
inline constexpr double kMyr = 977.792;
inline constexpr const char* kRunRecord = "pericenter-run.toml";

/// nullopt: the folder has none. Throws InputError.
std::optional<RunRecord> find_run_record(const std::string& folder);
/// Throws FileError.
void write_run_record(const RunRecord& record);

}  // namespace pericenter::app
