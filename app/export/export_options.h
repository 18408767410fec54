#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/settings/option_parser.h"

namespace pericenter::app {

/// Supported codes, in the order of --for.
enum class ClusterCode { swift, gadget4 };

/// Checked options of `pericenter export`.
struct ExportOptions {
  ClusterCode code = ClusterCode::swift;
  std::string folder;
  std::string load;  ///< snapshot to export; empty: a scene
  std::string scene = "collision";
  std::size_t bodies = 100'000;
  std::uint64_t seed = 1;
  std::optional<double> softening;  ///< nullopt: that of the scene
  bool progress = true;
};

/// Parses the command line; argv[0] is "export". Throws CommandLineError.
ParsedOptions<ExportOptions> parse_export_command_line(int argc, const char* const* argv);
/// The command for the manual.
CommandInfo export_command();

}  // namespace pericenter::app
