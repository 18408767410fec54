#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/config.h"
#include "sim/scenes/registry.h"

namespace pericenter {

using Bytes = std::span<const std::uint8_t>;

/// A file of bodies cannot be read; what() is a sentence for the user that names the file's block, offset, row or
/// particle, what is wrong there, and what to do. The name of the file is put before it by read_snapshot().
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message, bool is_missing = false)
      : std::runtime_error(message), missing(is_missing) {}
  bool missing;  ///< there is no such file, or it may not be read
};

/// Size of a file's units in cgs; all 0 where it has none (then G = 1).
struct FileUnits {
  double length_cm = 0, mass_g = 0, velocity_cm_s = 0;

  bool known() const { return length_cm > 0 && mass_g > 0 && velocity_cm_s > 0; }
  friend bool operator==(const FileUnits&, const FileUnits&) = default;
};

/// What Pericenter keeps in its own snapshots beyond the bodies, so that a run goes on as if it had never stopped: the
/// bodies are in scene units then, in their order, and each double or float has all its bits.
struct SavedRun {
  std::string scene;  ///< a name of the scene table, or that of the file which it came from
  SceneRequest request;
  Config config;
  Params params, suggested;
  std::uint64_t steps = 0;
  Units units;
  double view_radius = 1;
  std::optional<ViewAngles> angles;
  double highlight_time = 0;
  std::string scene_string;  ///< as app/cli/scene_string.h writes it; empty: none
};

/// A file may hold a part of a snapshot only.
struct Pieces {
  std::uint32_t files = 1;
  std::uint64_t bodies = 0;  ///< in all of them; 0: not told
};

/// What a file holds, or all files of one snapshot, as it stands there.
struct Snapshot {
  Bodies bodies;                   ///< in the file's units; the reader sets galaxy and component of their tags
  std::vector<std::uint64_t> ids;  ///< of the bodies, to follow them through a series; empty: 0, 1, 2 ...
  FileUnits units;
  double time = 0;                 ///< in units of length_cm / velocity_cm_s
  double softening = 0;            ///< in units of length_cm; 0: the file does not tell
  std::string format;              ///< for the user: "GADGET-2 binary, big endian"
  std::vector<std::string> notes;  ///< sentences for the user: what was guessed, what was not read
  std::size_t skipped = 0;         ///< bodies left out by ReadOptions::skip_bad
  Pieces pieces = {};              ///< read_snapshot() puts them together
  std::optional<SavedRun> run;     ///< only in snapshots of our own
};

struct ReadOptions {
  bool skip_bad = false;  ///< leave out bodies with numbers that cannot be used, and count them; else they are an error
  Progress progress = {};
};

}  // namespace pericenter
