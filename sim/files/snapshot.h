#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/core/body_field.h"
#include "sim/core/config.h"
#include "sim/core/diagnostics.h"
#include "sim/core/units.h"
#include "sim/files/selection.h"
#include "sim/scenes/registry.h"

namespace pericenter {

struct FileOrigin;

/// The contents of a file in memory.
using Bytes = std::span<const std::uint8_t>;

/// A file of bodies cannot be read. what() is a sentence for the user: the block, offset, row or particle, the problem
/// and what to do. read_snapshot() adds the path.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message, bool is_missing = false);
  bool missing;  ///< the file does not exist or is not readable
};

/// State of a run in Pericenter's own snapshots, with which it continues bit by bit. The bodies of such a snapshot are
/// in scene units, in their original order and with all bits.
struct SavedRun : ScenePresentation {
  std::string scene;  ///< a name of the scene table, or the name of the source file
  SceneRequest request;
  Config config;
  Params params, suggested;
  std::uint64_t steps = 0;
  std::string scene_string;  ///< scene string of app/settings/scene_string.h, or empty
  /// Energies and momentum at the start, the reference of the energy error; other members are not saved.
  std::optional<Diagnostics> start = {};
  std::shared_ptr<const FileOrigin> origin = {};  ///< null: the bodies are of a scene, not from a file
};

/// The files of a snapshot, of which one may contain only a part of the bodies.
struct Pieces {
  std::uint32_t files = 1;
  std::uint64_t bodies = 0;  ///< total; 0: unknown

  friend bool operator==(const Pieces&, const Pieces&) = default;
};

/// The contents of a file, or of all files of a snapshot, in the units of the file.
struct Snapshot {
  Bodies bodies;                         ///< tagged with galaxy and component
  std::vector<std::uint64_t> ids;        ///< identify bodies in a series; empty: 0, 1, 2 ...
  std::vector<std::uint8_t> types = {};  ///< GADGET's particle type of each body; empty: by component
  FileUnits units;
  FileUnits declared = {};             ///< units of the file where `units` are stated by the user
  double length_factor = 1;            ///< lengths of the snapshot over those of the file: a, a / h
  double hubble = 1;                   ///< h of the file
  double age_s = 0;                    ///< seconds, if `time` is the age of the universe, which no unit changes; else 0
  double time = 0;                     ///< units of length_cm / velocity_cm_s
  double softening = 0;                ///< units of length_cm; 0: unknown
  Vec3 box = {};                       ///< sides of the simulated volume, in units of length_cm; 0: unknown
  std::string format;                  ///< format shown to the user: "GADGET-2 binary, big endian"
  std::vector<std::string> notes;      ///< sentences for the user: what was assumed, what was not read
  std::size_t skipped = 0;             ///< bodies skipped because of ReadOptions::skip_bad
  Pieces pieces = {};                  ///< joined by read_snapshot()
  std::vector<FieldInfo> fields = {};  ///< that can be read by ReadOptions::field
  FieldInfo field = {};                ///< ReadOptions::field, if the file has it
  std::vector<float> values = {};      ///< its values, one per body; NaN: the body has none
  bool has_planets = false;            ///< the first bodies are the Sun and the planets, which were added
  Census census = {};                  ///< the whole file, of which `bodies` are selected
  std::optional<SavedRun> run;         ///< only in snapshots of Pericenter
};

/// The ids of the bodies, also of a saved run; empty: none.
const std::vector<std::uint64_t>& ids_of(const Snapshot& snapshot);

/// What the user states about a file, in place of what it declares or of what would be assumed.
struct Stated {
  /// Sizes in cgs; 0: not stated.
  struct Units {
    double length = 0, mass = 0, velocity = 0, time = 0;
    bool over_h = false;    ///< length or mass were written as kpc/h
    std::string text = {};  ///< the units as the user wrote them

    bool any() const { return length > 0 || mass > 0 || velocity > 0 || time > 0; }
    friend bool operator==(const Units&, const Units&) = default;
  };
  Units units = {};
  std::optional<double> box = {};  ///< side of the periodic volume in the file's unit of length; 0: not periodic

  bool any() const { return units.any() || box; }
  friend bool operator==(const Stated&, const Stated&) = default;
};

/// How read_snapshot() reads.
struct ReadOptions {
  bool skip_bad = false;  ///< skip and count invalid bodies; otherwise they are an error
  Progress progress = {};
  Stated stated = {};
  Selection selection = {};
  std::string field = {};  ///< name of one of Snapshot::fields whose values are read, too; empty: none

  ReadOptions with(Progress other) const {
    ReadOptions options = *this;
    options.progress = std::move(other);
    return options;
  }
};

}  // namespace pericenter
