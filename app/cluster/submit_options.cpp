#include "app/cluster/submit_options.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "app/cluster/engine.h"
#include "app/settings/command_line_error.h"

namespace pericenter::app {
namespace {

constexpr std::uint64_t kMaxRanks = 1'000'000, kMaxThreads = 1024;

constexpr const char* kDescription =
    "Runs a scene on SWIFT or GADGET-4, on this machine or on a cluster, and says how far such a run is.";
constexpr const char* kFooter =
    R"(Exports the scene to FOLDER (see pericenter export), copies it to the host, if one is given, and starts the engine there, with
mpirun or as a job of SLURM. The run continues when this program ends. --state, --wait and --cancel look after it later, from the
same FOLDER; with --host they fetch its new snapshots, too. The engine must be installed on the machine where it runs. ssh must
log in without a question: no password is asked for or stored.

Examples:
  pericenter submit --engine swift --ranks 2 merger --scene collision -n 200000
  pericenter submit --engine gadget4 --host me@cluster --slurm default --ranks 64 big -n 10000000
  pericenter submit --wait merger
  pericenter --play merger/output/snapshot_0000.hdf5 --follow)";

OptionRows make_rows(SubmitOptions& options) {
  OptionRows rows;
  const char* group = "Engine";
  EngineStart& start = options.start;
  rows.push_back({group, "--engine", "swift|gadget4", "the program that computes the run",
                  [&](const Argument& a) { start.code = static_cast<ClusterCode>(one_of(a, kClusterCodes)); }});
  rows.push_back({group, "--program", "PATH",
                  "the engine's program on the host (default: swift_mpi or Gadget4 in PATH)",
                  [&](const Argument& a) { start.program = a.text; }});
  rows.push_back({group, "--ranks", "N", "number of processes (default: 1)",
                  [&](const Argument& a) { start.ranks = static_cast<int>(whole_number(a, 1, kMaxRanks)); }});
  rows.push_back({group, "--threads", "N", "threads of each process, with SWIFT (default: 1)",
                  [&](const Argument& a) { start.threads = static_cast<int>(whole_number(a, 1, kMaxThreads)); }});
  rows.push_back(
      {group, "--launcher", "WORDS",
       "command before the program, which starts its processes (default: mpirun -np N, or srun --unbuffered)",
       [&](const Argument& a) { start.launcher = a.text; }});
  group = "Machine";
  rows.push_back({group, "--host", "[USER@]HOST", "run on this machine, through ssh and rsync (default: here)",
                  [&](const Argument& a) { start.host = a.text; }});
  rows.push_back({group, "--remote-folder", "PATH", "folder of the run on the host (default: pericenter-runs/NAME)",
                  [&](const Argument& a) { start.remote_folder = a.text; }});
  rows.push_back({group, "--slurm", "TEMPLATE", "submit a job of SLURM with this template, or with 'default'",
                  [&](const Argument& a) { start.slurm = read_slurm_template(a.text); }});
  group = "A run that was submitted before";
  const auto action = [&](const char* name, const char* help, SubmitOptions::Action what) {
    rows.push_back({group, name, "", help, [&options, what](const Argument&) { options.action = what; }});
  };
  action("--state", "print how far the run is", SubmitOptions::Action::state);
  action(
      "--compare",
      "compute the run here, too, and write tables and plots of both to FOLDER/comparison: separation of the nuclei, "
      "radii, energies, distances of the same bodies",
      SubmitOptions::Action::compare);
  action("--cancel", "end the run", SubmitOptions::Action::cancel);
  rows.push_back(flag(group, "--wait", "wait until the run is over; Ctrl+C stops only the waiting", options.waits));
  add_export_rows(rows, options.exported);
  return rows;
}

void check(SubmitOptions& options, const std::vector<std::string>& given, bool is_given_action) {
  const auto has = [&](std::string_view name) { return std::ranges::find(given, name) != given.end(); };
  if (options.exported.folder.empty())
    throw CommandLineError("submit requires the folder of the run, see submit --help.");
  if (!has("--engine")) {
    if (!is_given_action)
      throw CommandLineError(
          "submit requires --engine swift or --engine gadget4, or for a run that was submitted before "
          "--state, --wait, --compare or --cancel, see submit --help.");
    for (const std::string& name : given)
      throw CommandLineError(name +
                             " has no effect on a run that was submitted before; with --engine a new one starts.");
    if (options.action == SubmitOptions::Action::submit) options.action = SubmitOptions::Action::state;
    return;
  }
  if (options.action != SubmitOptions::Action::submit)
    throw CommandLineError(
        "--engine starts a new run; --state, --compare and --cancel are for one that was submitted before.");
  if (has("--remote-folder") && !has("--host")) throw CommandLineError("--remote-folder requires --host.");
  if (has("--threads") && options.start.code == ClusterCode::gadget4)
    throw CommandLineError("--threads is for SWIFT: GADGET-4 has one thread in each process. Use --ranks.");
  if (has("--launcher") && options.start.launcher.find_first_not_of(' ') == std::string::npos)
    throw CommandLineError("--launcher is empty.");
  if (!has("--remote-folder")) options.start.remote_folder = usual_remote_folder(options.exported.folder);
  options.exported.code = options.start.code;
  check_exported(options.exported, given);
}

}  // namespace

CommandInfo submit_command() {
  SubmitOptions unused;
  return command_info("submit", kDescription, kFooter, make_rows(unused));
}

ParsedOptions<SubmitOptions> parse_submit_command_line(int argc, const char* const* argv) {
  ParsedOptions<SubmitOptions> result;
  SubmitOptions& options = result.options;
  OptionParser reader({kDescription, "pericenter submit", kFooter}, make_rows(options));
  if ((result.answer = reader.read(argc, argv))) return result;
  check(options, reader.given(), options.waits || options.action != SubmitOptions::Action::submit);
  return result;
}

}  // namespace pericenter::app
