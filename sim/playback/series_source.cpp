#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sim/core/printable.h"
#include "sim/files/file_origin.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/load.h"
#include "sim/files/scene_frame.h"
#include "sim/files/unwrap.h"
#include "sim/playback/series.h"

namespace pericenter {
namespace {

bool is_hdf5(const std::string& path) {
  std::array<char, 4> begin = {};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return begin == std::array<char, 4>{'\x89', 'H', 'D', 'F'};
}

/// Other formats are read completely, because their time may be anywhere in the file.
double snapshot_time(const std::string& path, const ReadOptions& options) {
  if (!is_hdf5(path)) return read_snapshot(path, options).time;
  try {
    return hdf5_time(path);
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

/// The periodic volume of a snapshot. Codes write a size also for runs that are not periodic, so all bodies must be
/// within it: in [0, L] as in GADGET, AREPO and SWIFT, or in [-L/2, L/2], or shifted. A run that is not periodic and
/// has such a size shows no crossing of a wall, unless a body moves more than half of it between two snapshots.
PeriodicBox periodic_box(const SceneFrame& frame, const Snapshot& snapshot) {
  constexpr double kTolerance = 1e-5;
  if (snapshot.run || snapshot.bodies.empty()) return {};
  Vec3 low = snapshot.bodies.front().position, high = low;
  for (const Body& body : snapshot.bodies) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], body.position[k]);
      high[k] = std::max(high[k], body.position[k]);
    }
  }
  PeriodicBox box;
  const Vec3 centre = frame.centre_at(std::isfinite(snapshot.time) ? snapshot.time : frame.time);
  for (int k = 0; k < 3; ++k) {
    const double side = snapshot.box[k], excess = kTolerance * side;
    if (!(side > 0) || high[k] - low[k] > side + excess) return {};
    double corner = low[k];
    for (const double usual : {0.0, -side / 2})
      if (low[k] >= usual - excess && high[k] <= usual + side + excess) corner = usual;
    box.sides[k] = side / frame.length;
    box.has_group[static_cast<std::size_t>(k)] = high[k] - low[k] <= kGroupShare * side;
    box.low[k] = (corner - centre[k]) / frame.length;
    box.origin[k] = -centre[k] / frame.length;
  }
  return box;
}

/// Snapshots of Pericenter are in scene units already.
SeriesScene scene_with_frame(Snapshot first) {
  const SceneFrame frame = first.run ? SceneFrame{} : frame_of(first);
  SeriesScene scene;
  scene.convert = [frame](Snapshot snapshot) { return bodies_in(frame, std::move(snapshot)); };
  scene.time_unit = frame.time_unit();
  scene.box = [frame](const Snapshot& snapshot) { return periodic_box(frame, snapshot); };
  scene.first_box = scene.box(first);
  scene.loaded = scene_of(std::move(first));
  return scene;
}

}  // namespace

SceneSource series_source(const std::vector<std::string>& files, const ReadOptions& given, bool follow) {
  ReadOptions options = given;
  options.selection.by_id = true;  // the same bodies in each snapshot, whatever their order
  std::vector<std::string> paths = without_further_parts(files);
  const auto field = std::make_shared<FieldChoice>();
  SeriesReader reader{.read =
                          [options, field](const std::string& path, const Progress& progress) {
                            ReadOptions now = options.with(progress);
                            now.field = field->name();
                            return read_snapshot(path, now);
                          },
                      .time = [options](const std::string& path) { return snapshot_time(path, options.with({})); },
                      .scene = scene_with_frame,
                      .field = field};
  const auto list = [path = paths.front()] { return series_of(path); };
  if (std::vector<std::string> all = list(); all.size() == paths.size()) {
    paths = std::move(all);
    reader.list = list;
  }
  return {printable(std::filesystem::path(paths.front()).stem().string()), paths.front(),
          [paths, reader, follow](const Progress& progress) {
            return load_series(reader.list ? reader.list() : paths, reader, progress, follow && reader.list);
          },
          given.with({})};
}

}  // namespace pericenter
