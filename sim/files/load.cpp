#include "sim/files/load.h"

#include <algorithm>
#include <filesystem>

#include "sim/core/counted_bodies.h"
#include "sim/core/printable.h"
#include "sim/files/body_fields.h"
#include "sim/files/body_selector.h"
#include "sim/files/file_origin.h"
#include "sim/files/foreign_formats.h"
#include "sim/files/formats.h"
#include "sim/files/gzip.h"
#include "sim/files/mapped_file.h"
#include "sim/files/scene_frame.h"
#include "sim/files/snapshot_parts.h"
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
  return InputError("Unknown file format. Supported formats: " + format_titles() + ".");
}

const FileFormat& format_of(const FileHead& head) {
  if (const std::string sentence = foreign_format(head); !sentence.empty()) throw InputError(sentence);
  const auto formats = file_formats();
  const auto found = std::ranges::find_if(formats, [&](const FileFormat& format) { return format.matches(head); });
  if (found == formats.end()) throw unknown_format();
  return *found;
}

/// Bodies of a format whose reader does not select them.
void select(const ReadOptions& options, Snapshot& snapshot) {
  if (!options.selection.any() || snapshot.census.bodies() > 0) return;
  BodySelector selector(options, snapshot.box, snapshot.length_factor);
  selector.apply(snapshot);
  selector.finish(snapshot);
}

Snapshot read_mapped(const MappedFile& file, const std::string& path, const ReadOptions& given) {
  // Pages that were read need no memory any more.
  const ReadOptions options = given.with([&](double done) {
    file.release();
    return !given.progress || given.progress(done);
  });
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
      select(options, snapshot);
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

Progress part_of(const Progress& whole, std::uint32_t part, std::uint32_t parts) {
  if (!whole) return {};
  return [&whole, part, parts](double done) { return whole((part + done) / parts); };
}

void append(Snapshot& whole, Snapshot piece) {
  if (piece.census.places)
    for (std::uint64_t& place : piece.ids) place += whole.census.bodies();
  whole.census.add(piece.census);
  whole.bodies.insert(whole.bodies.end(), piece.bodies.begin(), piece.bodies.end());
  whole.ids.insert(whole.ids.end(), piece.ids.begin(), piece.ids.end());
  whole.types.insert(whole.types.end(), piece.types.begin(), piece.types.end());
  for (const FieldInfo& field : piece.fields) add_field(field, whole.fields);
  append_values(piece.values, piece.bodies.size(), whole);
  whole.skipped += piece.skipped;
}

std::uint64_t bodies_in_file(const Snapshot& snapshot) {
  return std::max<std::uint64_t>(snapshot.bodies.size(), snapshot.census.bodies()) + snapshot.skipped;
}

Snapshot joined(Snapshot first, const SnapshotParts& files, const std::string& path, const ReadOptions& options) {
  const Pieces pieces = first.pieces;
  std::optional<Snapshot> given = std::move(first), whole;
  for (std::uint32_t i = 0; i < pieces.files; ++i) {
    const std::string part = files.path(i).string();
    const bool is_given = i == files.given();
    if (!is_given && !std::filesystem::exists(part))
      throw InputError(part + ": This file is missing." + files.advice(), true);
    Snapshot piece = is_given ? *std::exchange(given, std::nullopt)
                              : read_file(part, options.with(part_of(options.progress, i, pieces.files)));
    if (piece.pieces != pieces)
      throw InputError(part + ": Its header declares another number of files or bodies than that of " + name_of(path) +
                       ". They do not belong together.");
    if (whole)
      append(*whole, std::move(piece));
    else
      whole = std::move(piece);
  }
  const std::uint64_t found = bodies_in_file(*whole);
  if (pieces.bodies != 0 && pieces.bodies != found)
    whole->notes.push_back("The files of this snapshot contain " + counted_bodies(found) +
                           ", but their headers declare " + std::to_string(pieces.bodies) +
                           ": the headers are wrong, or the snapshot is not complete. All that are there are shown.");
  if (whole->ids.size() != whole->bodies.size()) whole->ids.clear();  // only some files have ids
  whole->format += ", " + std::to_string(pieces.files) + " files";
  whole->pieces = {};
  return std::move(*whole);
}

/// All bodies of the snapshot to which this part belongs.
Snapshot completed(Snapshot part, const std::string& path, const ReadOptions& options) {
  if (part.pieces.files > kMaxPieces)
    throw InputError(path + ": The header declares " + std::to_string(part.pieces.files) +
                     " files, which is impossible. The file is damaged.");
  const SnapshotParts files(path, part.pieces.files);
  const std::uint64_t here = bodies_in_file(part), total = part.pieces.bodies;
  if (!files.stands_alone(total != 0 && here == total)) return joined(std::move(part), files, path, options);
  part.notes.push_back(files.note(here, total));
  return part;
}

// Halos are hidden by default, and the first frame should not be black.
void show_lone_halo(Snapshot& snapshot) {
  const auto is_halo = [](const Body& body) { return component_of(body.tag) == Component::halo; };
  if (snapshot.bodies.empty() || !std::ranges::all_of(snapshot.bodies, is_halo)) return;
  if (snapshot.types.empty()) snapshot.types.assign(snapshot.bodies.size(), 1);  // selected as such
  for (Body& body : snapshot.bodies) body.tag = make_tag(galaxy_of(body.tag), Component::other);
  snapshot.notes.emplace_back("All bodies are dark matter, which is displayed like other bodies.");
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
    note += counted_bodies(snapshot.skipped);
    note += snapshot.skipped == 1 ? " with invalid values was skipped." : " with invalid values were skipped.";
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
  if (snapshot.pieces.files > 1) snapshot = completed(std::move(snapshot), path, options);
  if (!snapshot.run) show_lone_halo(snapshot);
  try {
    if (options.selection.any())
      snapshot.notes.push_back(selection_note(options.selection, snapshot.census, snapshot.bodies.size()));
    state(options.stated, snapshot);
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  unwrap(snapshot);
  add_common_fields(options.field, snapshot);
  return snapshot;
}

LoadedScene scene_of(Snapshot snapshot) {
  if (snapshot.bodies.empty())
    throw InputError(snapshot.skipped == 0 ? "The file contains no bodies." : "The file contains no valid bodies.");
  const std::string note = note_of(snapshot);
  std::vector<FieldInfo> fields = std::move(snapshot.fields);
  if (snapshot.run) {
    LoadedScene loaded = saved_scene(std::move(snapshot));
    loaded.fields = std::move(fields);
    loaded.note = note;
    return loaded;
  }
  const SceneFrame frame = frame_of(snapshot);
  const FileMeasures measures = measures_of(snapshot, frame.centre);
  const std::string scale = scale_note(frame, snapshot.units) + units_hint(measures, snapshot.units);
  const double softening = snapshot.softening / frame.length;
  LoadedScene loaded;
  loaded.fields = std::move(fields);
  loaded.origin = std::make_shared<const FileOrigin>(
      FileOrigin{snapshot.units, frame, snapshot.box, std::move(snapshot.ids), std::move(snapshot.types), measures});
  loaded.scene.units = units_in(frame, snapshot.units);
  loaded.scene.has_planets = snapshot.has_planets;
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
    Snapshot snapshot = read_snapshot(path, options.with(progress));
    try {
      return scene_of(std::move(snapshot));
    } catch (const InputError& error) {
      throw InputError(path + ": " + error.what());
    }
  };
  return {.name = printable(std::filesystem::path(path).stem().string()),
          .path = path,
          .load = load,
          .options = options.with({})};
}

}  // namespace pericenter
