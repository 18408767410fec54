#include "sim/playback/series.h"

#include <algorithm>
#include <new>
#include <utility>

#include "sim/core/counted_bodies.h"
#include "sim/core/parallel.h"
#include "sim/playback/playback.h"

namespace pericenter {

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

constexpr double kStepsPerSnapshot = 10;  // playback steps between two snapshots

/// Whether no file states a time, so that all have the time 0; then their order gives times 0, 1, 2 ...
bool count_as_times(std::vector<TimedFile>& files, std::string& note) {
  if (files.size() < 2 || std::ranges::any_of(files, [](const TimedFile& file) { return file.time != 0; }))
    return false;
  for (std::size_t k = 0; k < files.size(); ++k) files[k].time = static_cast<double>(k);
  note +=
      "None of the files states a time: their order counts as times 0, 1, 2 ..., with which velocities need not agree. "
      "State it in each file; in a table, a comment such as '# t = 0.1' does. ";
  return true;
}

/// The files sorted by their own times; adds the skipped ones to `note`, unless they are followed: they may become
/// complete.
std::vector<TimedFile> by_time(std::vector<std::string> paths, const SeriesReader& reader, const Progress& progress,
                               bool follow, bool& counted, std::string& note) {
  std::vector<TimedFile> files;
  for (const std::string& path : paths) {
    if (progress && !progress(static_cast<double>(&path - paths.data()) / static_cast<double>(paths.size())))
      throw SceneCancelled{};
    try {
      files.push_back({path, reader.time(path)});
    } catch (const InputError& error) {
      if (!follow) note += std::string(error.what()) + " The playback skips this snapshot. ";
    }
  }
  counted = !follow && count_as_times(files, note);
  std::ranges::stable_sort(files, {}, &TimedFile::time);
  const auto same = [](const TimedFile& a, const TimedFile& b) { return a.time == b.time; };
  for (auto duplicate = std::ranges::adjacent_find(files, same); duplicate != files.end();
       duplicate = std::ranges::adjacent_find(files, same)) {
    note += (duplicate + 1)->name() + " is skipped, because it has the same time as " + duplicate->name() + ". ";
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
  if ((snapshot.ids.empty() || snapshot.census.places) && snapshot.skipped > 0)
    throw InputError(
        "Without ids, its bodies cannot be matched with another snapshot, because invalid ones were skipped.");
}

/// The first file that can be read; removes those before it.
Snapshot first_snapshot(std::vector<TimedFile>& files, const SeriesReader& reader, const Progress& progress,
                        bool follow, std::string& note) {
  for (; files.size() > (follow ? 0 : 1); files.erase(files.begin())) {
    try {
      const std::string& path = files.front().path;
      Snapshot snapshot = reader.read(path, progress);
      with_path(path, [&] { check_order(snapshot); });
      return snapshot;
    } catch (const InputError& error) {
      note += std::string(error.what()) + " The playback starts after this snapshot. ";
    }
  }
  if (follow) throw InputError(note + "There is no complete snapshot to follow yet. Open the series again later.");
  throw InputError(note +
                   "There is no series to play: at least two snapshots of different times are needed. Open one of "
                   "them alone.");
}

/// What all snapshots of a series have in common.
struct Common {
  std::function<Bodies(Snapshot)> convert = {};
  std::function<PeriodicBox(const Snapshot&)> box = {};
  FileUnits units = {};
  bool has_ids = false;
  std::size_t bodies = 0;  ///< bodies of the first file
  /// The time `file` of the first file is `scene` in the scene.
  double file = 0, scene = 0, time_unit = 1;

  double scene_time(double time) const { return scene + (time - file) / time_unit; }
};

BodyLabels taken_labels(Snapshot& snapshot) {
  return {std::exchange(snapshot.ids, {}), std::exchange(snapshot.types, {}), std::exchange(snapshot.values, {})};
}

std::shared_ptr<const Keyframe> keyframe_of(Snapshot snapshot, const Common& common) {
  const FieldInfo field = snapshot.field;
  if (common.has_ids == snapshot.ids.empty())
    throw InputError("Only one of this snapshot and the first one has ids of its bodies.");
  check_order(snapshot);
  if (!common.has_ids && snapshot.bodies.size() != common.bodies)
    throw InputError("It has " + counted_bodies(snapshot.bodies.size()) + " and the first snapshot has " +
                     std::to_string(common.bodies) + ". Without ids they cannot be matched.");
  BodyLabels labels = taken_labels(snapshot);
  snapshot = in_units(common.units, std::move(snapshot));
  const PeriodicBox box = common.box ? common.box(snapshot) : PeriodicBox{};
  return make_keyframe(common.convert(std::move(snapshot)), std::move(labels), box, field);
}

WholeSnapshot whole_snapshot(const std::string& path, const SeriesReader& reader, const Common& common,
                             const Progress& progress) {
  Snapshot snapshot = reader.read(path, progress);
  return with_path(path, [&] {
    WholeSnapshot whole{common.scene_time(snapshot.time), snapshot.bodies.size(), snapshot.notes.size()};
    whole.frame = keyframe_of(std::move(snapshot), common);
    return whole;
  });
}

KeyframeStore::Read keyframe_reader(const std::shared_ptr<const SeriesWatch>& watch, const SeriesReader& reader,
                                    const Common& common) {
  return [watch, reader, common](std::size_t index, const Progress& progress) {
    const std::string path = watch->path(index);
    try {
      return whole_snapshot(path, reader, common, progress).frame;
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

LoadedScene load_series(std::vector<std::string> paths, const SeriesReader& reader, const Progress& progress,
                        bool follow) {
  constexpr double kTimesRead = 0.1, kFirstRead = 0.6;
  std::string note;
  bool counted = false;
  if (follow && paths.size() > 1) paths.pop_back();
  std::vector<TimedFile> files = by_time(paths, reader, part_of(progress, 0, kTimesRead), follow, counted, note);
  Snapshot first = first_snapshot(files, reader, part_of(progress, kTimesRead, kFirstRead), follow, note);
  Common common{.units = first.units, .has_ids = !first.ids.empty(), .bodies = first.bodies.size()};
  const WholeSnapshot typical{.bodies = first.bodies.size(), .notes = first.notes.size()};
  BodyLabels labels = taken_labels(first);
  SeriesScene scene = with_path(files.front().path, [&] { return reader.scene(std::move(first)); });
  common.convert = scene.convert;
  common.box = scene.box;
  LoadedScene loaded = std::move(scene.loaded);
  common.file = files.front().time;
  common.scene = loaded.time;
  common.time_unit = scene.time_unit;

  SnapshotSeries series;
  for (TimedFile& file : files) {
    file.time = common.scene_time(file.time);
    series.times.push_back(file.time);
    series.names.push_back(file.name());
  }
  const auto whole = [reader, common](const std::string& path, const Progress& step) {
    return whole_snapshot(path, reader, common, step);
  };
  series.watch =
      std::make_shared<SeriesWatch>(files, typical, SeriesWatch::Access{reader.list, whole, reader.look_period});
  series.one_is_enough = follow;
  series.field = reader.field;
  series.read = keyframe_reader(series.watch, reader, common);
  series.first = make_keyframe(std::exchange(loaded.scene.bodies, {}), std::move(labels), scene.first_box);
  auto playback = std::make_unique<Playback>(std::move(series), part_of(progress, kFirstRead, 1));
  loaded.playback_range = playback->range();
  loaded.playback_range.can_follow = reader.list != nullptr && !counted;
  loaded.playback_range.follows = follow;
  loaded.playback_dt = playback_dt(loaded.playback_range).value_or(loaded.scene.params.dt);
  loaded.playback = std::move(playback);
  loaded.note = note + loaded.note;
  return loaded;
}

std::optional<double> playback_dt(const TimeRange& range) {
  if (range.snapshots.size() < 2) return std::nullopt;
  return (range.last - range.first) / (kStepsPerSnapshot * static_cast<double>(range.snapshots.size() - 1));
}

}  // namespace pericenter
