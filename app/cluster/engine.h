#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/export_options.h"

namespace pericenter::app {

/// A text in the program of an engine that can run an export.
struct EngineMark {
  std::string_view text;
  std::string_view missing;  ///< what a program without it is, after "it"
};

/// A program that runs an export.
struct Engine {
  ClusterCode code;
  std::string_view name;       ///< name for --engine
  std::string_view title;      ///< shown to the user
  std::string_view program;    ///< name of the program with MPI, found in PATH
  std::string_view snapshots;  ///< beginning of the names of its snapshots, in the folder of the run
  std::string_view step_line;  ///< basic regular expression of the lines of its log that tell the time
  std::string_view energies;   ///< file with energies over time
  std::string_view steps;      ///< file with time steps, and not much else
  std::string_view builds;     ///< commands that build it on Debian
  std::span<const EngineMark> marks;
};

const Engine& engine_of(ClusterCode code);

/// The arguments of the program in the folder of the run.
std::vector<std::string> engine_arguments(ClusterCode code, int threads);

/// Time of such a line, in units of the export; nullopt: it has none.
std::optional<double> time_of_step(ClusterCode code, std::string_view line);

/// Whether a path is that of a snapshot of this engine in the folder of a run: "output/snapshot_0012.hdf5".
bool is_snapshot_name(const Engine& engine, std::string_view path);

}  // namespace pericenter::app
