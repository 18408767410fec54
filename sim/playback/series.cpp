#include "sim/playback/series.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/core/parallel.h"
#include "sim/playback/playback.h"

namespace pericenter {
namespace {

namespace fs = std::filesystem;

constexpr double kStepsPerSnapshot = 10;  // playback steps between two snapshots

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A file name split at one of its numbers.
struct NumberedName {
  std::string head, number, tail;
};

/// `name` split at the last number that ends at or before `end`; nullopt when there is none.
std::optional<NumberedName> split_at_number(const std::string& name, std::size_t end) {
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  if (begin == end) return std::nullopt;
  return NumberedName{name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

/// Start of the extension, whose digits are ignored in "snap_001.hdf5", but not in "snap.001".
std::size_t stem_end(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return name.size();
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(), is_digit) ? name.size() : dot;
}

/// The number between `head` and `tail`, without leading zeros; nullopt when `name` does not match.
std::optional<std::string> number_between(std::string_view name, std::string_view head, std::string_view tail) {
  if (name.size() <= head.size() + tail.size() || !name.starts_with(head) || !name.ends_with(tail)) return std::nullopt;
  std::string_view number = name.substr(head.size(), name.size() - head.size() - tail.size());
  if (!std::ranges::all_of(number, is_digit)) return std::nullopt;
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size() - 1));
  return std::string(number);
}

/// Orders decimal numbers of any length.
struct NumericOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  }
};

std::vector<std::string> names_in_folder_of(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    if (entry->is_regular_file(unknown)) names.push_back(entry->path().filename().string());
  }
  return names;
}

/// Whether the number is that of a file within a snapshot, as in snap_003.1.hdf5: then snap_003.0.hdf5 exists, too.
bool is_part_number(const NumberedName& name, const std::vector<std::string>& names) {
  const bool follows_number =
      name.head.size() > 1 && name.head.back() == '.' && is_digit(name.head[name.head.size() - 2]);
  return follows_number && std::ranges::find(names, name.head + "0" + name.tail) != names.end();
}

}  // namespace

std::vector<std::string> series_of(const std::string& path) {
  const fs::path whole(path);
  const std::string own = whole.filename().string();
  const std::vector<std::string> names = names_in_folder_of(whole);
  std::size_t end = stem_end(own);
  while (std::optional<NumberedName> split = split_at_number(own, end)) {
    end = split->head.size();
    // The first file represents a snapshot in several files.
    if (is_part_number(*split, names)) {
      const std::string first = split->head + "0" + split->tail;
      split = split_at_number(first, end);
      if (!split) break;
      end = split->head.size();
    }
    std::map<std::string, std::string, NumericOrder> found;
    for (const std::string& name : names)
      if (const auto number = number_between(name, split->head, split->tail)) found.emplace(*number, name);
    if (found.size() < 2) continue;
    std::vector<std::string> paths;
    for (const auto& [number, name] : found) paths.push_back((whole.parent_path() / name).string());
    return paths;
  }
  return {path};
}

Snapshot in_units(const FileUnits& units, Snapshot snapshot) {
  if (snapshot.units == units) return snapshot;
  if (!snapshot.units.known() || !units.known())
    throw InputError("Only one of this snapshot and the first one specifies its units.");
  const double length = snapshot.units.length_cm / units.length_cm, mass = snapshot.units.mass_g / units.mass_g;
  const double velocity = snapshot.units.velocity_cm_s / units.velocity_cm_s;
  parallel_chunks(0, snapshot.bodies.size(), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Body& body = snapshot.bodies[i];
      body.position *= length;
      body.velocity *= velocity;
      body.mass *= mass;
    }
  });
  snapshot.softening *= length;
  snapshot.box *= length;
  snapshot.time *= length / velocity;
  snapshot.units = units;
  return snapshot;
}

namespace {

struct SeriesFile {
  std::string path;
  double time = 0;  ///< time in the units of the file
};

std::string file_name(const std::string& path) {
  return fs::path(path).filename().string();
}

/// The files sorted by time; adds the skipped ones to `note`.
std::vector<SeriesFile> by_time(const std::vector<std::string>& paths, const SeriesReader& reader,
                                const Progress& progress, std::string& note) {
  std::vector<SeriesFile> files;
  for (const std::string& path : paths) {
    if (progress && !progress(static_cast<double>(&path - paths.data()) / static_cast<double>(paths.size())))
      throw SceneCancelled{};
    try {
      files.push_back({path, reader.time(path)});
    } catch (const InputError& error) {
      note += std::string(error.what()) + " The playback skips this snapshot. ";
    }
  }
  std::ranges::stable_sort(files, {}, &SeriesFile::time);
  const auto same = [](const SeriesFile& a, const SeriesFile& b) { return a.time == b.time; };
  for (auto duplicate = std::ranges::adjacent_find(files, same); duplicate != files.end();
       duplicate = std::ranges::adjacent_find(files, same)) {
    note += file_name((duplicate + 1)->path) + " is skipped, because it has the same time as " +
            file_name(duplicate->path) + ". ";
    files.erase(duplicate + 1);
  }
  return files;
}

/// Calls work() and puts the path before the text of its errors.
template <class Work>
auto with_path(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

/// Without ids, the n-th body of each snapshot is the same one.
void check_order(const Snapshot& snapshot) {
  if (snapshot.ids.empty() && snapshot.skipped > 0)
    throw InputError(
        "Without ids, its bodies cannot be matched with another snapshot, because invalid ones were skipped.");
}

/// The first file that can be read; removes those before it.
Snapshot first_snapshot(std::vector<SeriesFile>& files, const SeriesReader& reader, const Progress& progress,
                        std::string& note) {
  for (; files.size() > 1; files.erase(files.begin())) {
    try {
      const std::string& path = files.front().path;
      Snapshot snapshot = reader.read(path, progress);
      with_path(path, [&] { check_order(snapshot); });
      return snapshot;
    } catch (const InputError& error) {
      note += std::string(error.what()) + " The playback starts after this snapshot. ";
    }
  }
  throw InputError(note +
                   "There is no series to play: at least two snapshots of different times are needed. Open one of "
                   "them alone.");
}

/// What all snapshots of a series have in common.
struct Common {
  std::function<Bodies(Snapshot)> convert = {};
  FileUnits units = {};
  bool has_ids = false;
  std::size_t bodies = 0;  ///< bodies of the first file
};

BodyLabels taken_labels(Snapshot& snapshot) {
  return {std::exchange(snapshot.ids, {}), std::exchange(snapshot.types, {})};
}

std::shared_ptr<const Keyframe> keyframe_of(Snapshot snapshot, const Common& common) {
  if (common.has_ids == snapshot.ids.empty())
    throw InputError("Only one of this snapshot and the first one has ids of its bodies.");
  check_order(snapshot);
  if (!common.has_ids && snapshot.bodies.size() != common.bodies)
    throw InputError("It has " + std::to_string(snapshot.bodies.size()) + " bodies and the first snapshot has " +
                     std::to_string(common.bodies) + ". Without ids they cannot be matched.");
  BodyLabels labels = taken_labels(snapshot);
  return make_keyframe(common.convert(in_units(common.units, std::move(snapshot))), std::move(labels));
}

KeyframeStore::Read keyframe_reader(const std::vector<SeriesFile>& files, const SeriesReader& reader,
                                    const Common& common) {
  return [files, reader, common](std::size_t index, const Progress& progress) {
    const std::string& path = files[index].path;
    try {
      Snapshot snapshot = reader.read(path, progress);
      return with_path(path, [&] { return keyframe_of(std::move(snapshot), common); });
    } catch (const std::bad_alloc&) {
      throw InputError(path + ": Out of memory: three of these snapshots must fit in host memory.");
    }
  };
}

/// The part of `progress` from `begin` to `end`.
Progress part_of(const Progress& progress, double begin, double end) {
  if (!progress) return {};
  return [progress, begin, end](double share) { return progress(begin + (end - begin) * share); };
}

}  // namespace

LoadedScene load_series(const std::vector<std::string>& paths, const SeriesReader& reader, const Progress& progress) {
  constexpr double kTimesRead = 0.1, kFirstRead = 0.6;
  std::string note;
  std::vector<SeriesFile> files = by_time(paths, reader, part_of(progress, 0, kTimesRead), note);
  Snapshot first = first_snapshot(files, reader, part_of(progress, kTimesRead, kFirstRead), note);
  Common common{.units = first.units, .has_ids = !first.ids.empty(), .bodies = first.bodies.size()};
  BodyLabels labels = taken_labels(first);
  SeriesScene scene = with_path(files.front().path, [&] { return reader.scene(std::move(first)); });
  common.convert = scene.convert;
  LoadedScene loaded = std::move(scene.loaded);

  SnapshotSeries series;
  for (const SeriesFile& file : files) {
    series.times.push_back(loaded.time + (file.time - files.front().time) / scene.time_unit);
    series.names.push_back(file_name(file.path));
  }
  series.read = keyframe_reader(files, reader, common);
  series.first = with_path(files.front().path,
                           [&] { return make_keyframe(std::exchange(loaded.scene.bodies, {}), std::move(labels)); });
  loaded.playback_range = {series.times.front(), series.times.back(), series.times};
  loaded.playback_dt = (loaded.playback_range.last - loaded.playback_range.first) /
                       (kStepsPerSnapshot * static_cast<double>(files.size() - 1));
  loaded.playback = std::make_unique<Playback>(std::move(series), part_of(progress, kFirstRead, 1));
  loaded.note = note + loaded.note;
  return loaded;
}

}  // namespace pericenter
