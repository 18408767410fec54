#pragma once

#include <optional>
#include <string>

#include "app/base/memory_budget.h"
#include "app/settings/option_parser.h"
#include "app/settings/options.h"
#include "sim/core/device.h"

namespace pericenter::app {

struct CommandLine {
  Options options;
  std::string generate;               ///< --generate: man, bash, zsh or fish, or empty
  std::optional<std::string> answer;  ///< text of --help, --version or --list-...; print it and exit
};

/// Parses and checks the command line; writes nothing. Throws CommandLineError.
CommandLine parse_command_line(int argc, const char* const* argv);

/// The program without a command.
CommandInfo program_command();

/// Checks options that depend on each other; selects the backend, or that the window awaits CUDA, and the default
/// number of headless steps. Throws CommandLineError.
void check_together(Options& options);

/// What of the run of these options takes memory. Without a window and pictures there are no vertices.
PlannedRun planned_run(const Options& options);

/// Sets the backend of options that await CUDA: this device, or the CPU.
void set_awaited_device(Options& options, std::optional<int> cuda_device);
/// Selects the backend of options that await CUDA, without a window; waits for CUDA.
void choose_awaited_backend(Options& options);

/// A warning if the CPU is used because CUDA needs a repair that the user can make; empty otherwise.
std::string cpu_instead_of_cuda(const Options& options, const CudaStatus& cuda);

}  // namespace pericenter::app
