#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace pericenter::app {

/// Codes that run on clusters, in the order of the choices of --for.
enum class ClusterCode { swift, gadget4 };

/// What `pericenter export` is to write, checked.
struct ExportOptions {
  ClusterCode code = ClusterCode::swift;
  std::string folder;
  std::string load;  ///< snapshot to start from; empty: a scene
  std::string scene = "collision";
  std::size_t bodies = 100'000;
  std::uint64_t seed = 1;
  double softening = 0;  ///< 0: the scene's own
  bool progress = true;
};

struct ExportCommandLine {
  ExportOptions options;
  std::optional<std::string> answer;  ///< what --help prints; there is nothing else to do then
};

/// Reads and checks what follows the word "export", which is argv[0]. Throws CommandLineError.
ExportCommandLine parse_export_command_line(int argc, const char* const* argv);

}  // namespace pericenter::app
