#pragma once

#include <optional>
#include <string>

#include "app/cluster/engine_run.h"
#include "app/export/export_options.h"
#include "app/settings/option_parser.h"

namespace pericenter::app {

/// Checked options of `pericenter submit`.
struct SubmitOptions {
  ExportOptions exported;  ///< its folder is that of the run, its code that of the engine
  EngineStart start;
  /// What to do with a run that was submitted before.
  enum class Action { submit, state, cancel, compare } action = Action::submit;
  bool waits = false;  ///< whether to wait until the run is over
};

/// Parses the command line; argv[0] is "submit". Throws CommandLineError.
ParsedOptions<SubmitOptions> parse_submit_command_line(int argc, const char* const* argv);
/// The command for the manual.
CommandInfo submit_command();

/// Exports, starts the engine, prints what was started and how to watch it; or the state of a run. Returns an exit
/// code; throws FileError, HostError, CommandLineError.
int run_submit(const SubmitOptions& options);

}  // namespace pericenter::app
