#include "sim/files/load.h"

#include <algorithm>
#include <filesystem>

#include "sim/core/printable.h"
#include "sim/files/file_origin.h"
#include "sim/files/foreign_formats.h"
#include "sim/files/formats.h"
#include "sim/files/gzip.h"
#include "sim/files/mapped_file.h"
#include "sim/files/part_path.h"
#include "sim/files/scene_frame.h"
#include "sim/files/stated.h"
#include "sim/files/unit_system.h"
#include "sim/files/unwrap.h"

namespace pericenter {
namespace {

constexpr std::size_t kHeadSize = 64 << 10;
constexpr std::uint32_t kMaxPieces = 1 << 16;

std::string name_of(const std::string& path) {
  return printable(std::filesystem::path(path).filename().string());
}

InputError unknown_format() {
  std::string known;
  for (const FileFormat& format : file_formats()) {
    if (!known.empty()) known += "; ";
    known += format.title;
  }
  return InputError("Unknown file format. Supported formats: " + known + ".");
}

const FileFormat& format_of(const FileHead& head) {
  if (const std::string sentence = foreign_format(head); !sentence.empty()) throw InputError(sentence);
  const auto formats = file_formats();
  const auto found = std::ranges::find_if(formats, [&](const FileFormat& format) { return format.matches(head); });
  if (found == formats.end()) throw unknown_format();
  return *found;
}

Snapshot read_mapped(const MappedFile& file, const std::string& path, const ReadOptions& options) {
  constexpr std::string_view kPacked = ".gz";
  std::string name = name_of(path);
  Bytes bytes = file.bytes();
  std::vector<std::uint8_t> unpacked;
  if (is_gzip(bytes)) {
    unpacked = gunzip(bytes, options.progress);
    bytes = unpacked;
    if (name.ends_with(kPacked)) name.erase(name.size() - kPacked.size());
    if (bytes.empty()) throw InputError("The gzip file is empty.");
  }
  const FileHead head{bytes.first(std::min(bytes.size(), kHeadSize)), bytes.size(), name};
  const FileFormat& format = format_of(head);
  if (format.read_path && unpacked.empty()) return format.read_path(path, options);
  if (!format.read)
    throw InputError("This is an HDF5 file compressed by gzip. Unpack it with gunzip and open the result.");
  return format.read(bytes, options);
}

// Reads one file. Errors start with its path.
Snapshot read_file(const std::string& path, const ReadOptions& options) {
  try {
    const MappedFile file(path);
    Snapshot snapshot;
    try {
      snapshot = read_mapped(file, path, options);
    } catch (const InputError&) {
      file.require_unchanged();  // otherwise this is the reason for the error
      throw;
    }
    file.require_unchanged();
    return snapshot;
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what(), error.missing);
  }
}

/// The files base.0, base.1 ... of a snapshot.
class PieceFiles {
 public:
  PieceFiles(const std::string& path, std::uint32_t count) : count_(count) {
    const std::size_t dot = path.find_last_of('.');
    const std::string digits = dot == path.npos ? "" : path.substr(dot + 1);
    const bool numbered = !digits.empty() && digits.size() < 6 && digits.find_first_not_of("0123456789") == digits.npos;
    if (count > kMaxPieces)
      throw InputError(path + ": The header declares " + std::to_string(count) +
                       " files, which is impossible. The file is damaged.");
    if (!numbered || std::stoul(digits) >= count)
      throw InputError(path + ": This is one of " + std::to_string(count) +
                       " files of a snapshot, whose names must end in .0 to ." + std::to_string(count - 1) +
                       ". Rename them and put them into one folder.");
    base_ = path.substr(0, dot + 1);
    digits_ = digits.size();
    given_ = static_cast<std::uint32_t>(std::stoul(digits));
  }

  std::uint32_t count() const { return count_; }
  std::uint32_t given() const { return given_; }
  std::string path(std::uint32_t piece) const { return part_path(base_, piece, {}, digits_); }

 private:
  std::string base_;
  std::size_t digits_ = 0;
  std::uint32_t count_, given_ = 0;
};

Progress part_of(const Progress& whole, std::uint32_t part, std::uint32_t parts) {
  if (!whole) return {};
  return [&whole, part, parts](double done) { return whole((part + done) / parts); };
}

void append(Snapshot& whole, Snapshot piece) {
  whole.bodies.insert(whole.bodies.end(), piece.bodies.begin(), piece.bodies.end());
  whole.ids.insert(whole.ids.end(), piece.ids.begin(), piece.ids.end());
  whole.types.insert(whole.types.end(), piece.types.begin(), piece.types.end());
  whole.skipped += piece.skipped;
}

Snapshot joined(Snapshot first, const std::string& path, const ReadOptions& options) {
  const PieceFiles files(path, first.pieces.files);
  std::optional<Snapshot> given = std::move(first), whole;
  for (std::uint32_t i = 0; i < files.count(); ++i) {
    const ReadOptions part = {options.skip_bad, part_of(options.progress, i, files.count()), {}};
    if (i != files.given() && !std::filesystem::exists(files.path(i)))
      throw InputError(files.path(i) + ": This file is missing. The snapshot of " + name_of(path) + " has " +
                           std::to_string(files.count()) + " files; put them all into one folder.",
                       true);
    Snapshot piece = i == files.given() ? *std::exchange(given, std::nullopt) : read_file(files.path(i), part);
    if (piece.pieces.files != files.count())
      throw InputError(files.path(i) + ": This is one of " + std::to_string(piece.pieces.files) +
                       " files of a snapshot, but " + name_of(path) + " is one of " + std::to_string(files.count()) +
                       ". They do not belong together.");
    if (whole)
      append(*whole, std::move(piece));
    else
      whole = std::move(piece);
  }
  const std::uint64_t declared = whole->pieces.bodies, found = whole->bodies.size() + whole->skipped;
  if (declared != 0 && declared != found)
    throw InputError(path + ": The files of this snapshot contain " + std::to_string(found) +
                     " bodies, but their headers declare " + std::to_string(declared) +
                     ". They do not belong together.");
  if (whole->ids.size() != whole->bodies.size()) whole->ids.clear();  // only some files have ids
  whole->format += ", " + std::to_string(files.count()) + " files";
  whole->pieces = {};
  return std::move(*whole);
}

// Halos are hidden by default, and the first frame should not be black.
void show_lone_halo(Snapshot& snapshot) {
  const auto is_halo = [](const Body& body) { return component_of(body.tag) == Component::halo; };
  if (snapshot.bodies.empty() || !std::ranges::all_of(snapshot.bodies, is_halo)) return;
  for (Body& body : snapshot.bodies) body.tag = make_tag(galaxy_of(body.tag), Component::other);
  snapshot.notes.emplace_back("The file contains only dark matter, which is displayed like other bodies.");
}

std::string note_of(const Snapshot& snapshot) {
  std::string note = "Read as ";
  note += snapshot.format;
  note += '.';
  for (const std::string& each : snapshot.notes) {
    note += ' ';
    note += each;
  }
  if (snapshot.skipped > 0) {
    note += ' ';
    note += std::to_string(snapshot.skipped);
    note +=
        snapshot.skipped == 1 ? " body with invalid values was skipped." : " bodies with invalid values were skipped.";
  }
  return note;
}

/// The units of the scene, in physical units or those of the file.
std::string scale_note(const SceneFrame& frame, const FileUnits& units) {
  const auto sizes = [](const std::string& length, const std::string& mass, const std::string& time) {
    return " 1 unit of length = " + length + ", of mass = " + mass + ", of time = " + time +
           ". Time step and softening are in these units.";
  };
  if (!units.known())
    return " The file declares no units: G = 1 is assumed." +
           sizes(shown(frame.length) + " of the file", shown(frame.mass), shown(frame.time_unit()));
  const double length = frame.length * units.length_cm;
  const double time = frame.time_unit() * units.length_cm / units.velocity_cm_s;
  const std::string mass = shown(frame.mass * units.mass_g / kSunGram) + " Msun";
  if (length < kParsecCm)
    return sizes(shown(length / kAstronomicalUnitCm) + " AU", mass, shown(time / kYearSecond) + " yr");
  return sizes(shown(length / kKpcCm) + " kpc", mass, shown(time / (1e6 * kYearSecond)) + " Myr");
}

LoadedScene saved_scene(Snapshot snapshot) {
  const SavedRun& run = *snapshot.run;
  LoadedScene loaded;
  loaded.scene = {run, std::move(snapshot.bodies), nullptr, run.params};
  loaded.time = snapshot.time;
  loaded.steps = run.steps;
  loaded.config = run.config;
  loaded.request = run.request;
  loaded.start = run.start;
  loaded.origin = run.origin;
  return loaded;
}

}  // namespace

Snapshot read_snapshot(const std::string& path, const ReadOptions& options) {
  Snapshot snapshot = read_file(path, options);
  if (snapshot.pieces.files > 1) snapshot = joined(std::move(snapshot), path, options);
  if (!snapshot.run) show_lone_halo(snapshot);
  try {
    state(options.stated, snapshot);
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  unwrap(snapshot);
  return snapshot;
}

LoadedScene scene_of(Snapshot snapshot) {
  if (snapshot.bodies.empty())
    throw InputError(snapshot.skipped == 0 ? "The file contains no bodies." : "The file contains no valid bodies.");
  const std::string note = note_of(snapshot);
  if (snapshot.run) {
    LoadedScene loaded = saved_scene(std::move(snapshot));
    loaded.note = note;
    return loaded;
  }
  const SceneFrame frame = frame_of(snapshot);
  const FileMeasures measures = measures_of(snapshot, frame.centre);
  const std::string scale = scale_note(frame, snapshot.units) + units_hint(measures, snapshot.units);
  const double softening = snapshot.softening / frame.length;
  LoadedScene loaded;
  loaded.origin = std::make_shared<const FileOrigin>(
      FileOrigin{snapshot.units, frame, snapshot.box, std::move(snapshot.ids), std::move(snapshot.types), measures});
  loaded.scene.units = units_in(frame, snapshot.units);
  loaded.time = frame.time / frame.time_unit();
  loaded.scene.bodies = bodies_in(frame, std::move(snapshot));
  const SuggestedRun run = suggested_run(loaded.scene.bodies, std::isfinite(softening) ? softening : 0);
  loaded.scene.params = run.params;
  loaded.scene.view_radius = run.view_radius;
  loaded.note = note + scale;
  return loaded;
}

SceneSource file_source(const std::string& path, const ReadOptions& options) {
  const auto load = [path, options](const Progress& progress) {
    Snapshot snapshot = read_snapshot(path, {options.skip_bad, progress, options.stated});
    try {
      return scene_of(std::move(snapshot));
    } catch (const InputError& error) {
      throw InputError(path + ": " + error.what());
    }
  };
  return {.name = printable(std::filesystem::path(path).stem().string()), .path = path, .load = load};
}

}  // namespace pericenter
