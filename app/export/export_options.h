#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// Names of the codes, in the order of ClusterCode.
inline constexpr std::array<std::string_view, 2> kClusterCodes = {"swift", "gadget4"};

/// The options that say what is exported, and where to.
void add_export_rows(OptionRows& rows, ExportOptions& options);
/// Checks them. `given`: names of the given options. Throws CommandLineError.
void check_exported(ExportOptions& options, const std::vector<std::string>& given);

/// Parses the command line; argv[0] is "export". Throws CommandLineError.
ParsedOptions<ExportOptions> parse_export_command_line(int argc, const char* const* argv);
/// The command for the manual.
CommandInfo export_command();

}  // namespace pericenter::app
