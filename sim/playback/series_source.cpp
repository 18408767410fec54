#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sim/core/printable.h"
#include "sim/files/file_origin.h"
#include "sim/files/hdf5/reader.h"
#include "sim/files/load.h"
#include "sim/files/scene_frame.h"
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

/// Snapshots of Pericenter are in scene units already.
SeriesScene scene_with_frame(Snapshot first) {
  const SceneFrame frame = first.run ? SceneFrame{} : frame_of(first);
  SeriesScene scene;
  scene.convert = [frame](Snapshot snapshot) { return bodies_in(frame, std::move(snapshot)); };
  scene.time_unit = frame.time_unit();
  scene.loaded = scene_of(std::move(first));
  return scene;
}

}  // namespace

SceneSource series_source(const std::vector<std::string>& paths, bool skip_bad) {
  const SeriesReader reader{.read =
                                [skip_bad](const std::string& path, const Progress& progress) {
                                  return read_snapshot(path, {skip_bad, progress});
                                },
                            .time =
                                [skip_bad](const std::string& path) {
                                  return snapshot_time(path, {skip_bad, {}});
                                },
                            .scene = scene_with_frame};
  return {printable(std::filesystem::path(paths.front()).stem().string()), paths.front(),
          [paths, reader](const Progress& progress) { return load_series(paths, reader, progress); }};
}

}  // namespace pericenter
