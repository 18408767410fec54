#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <string>

#include "sim/files/hdf5/writer.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// Writes a snapshot, and returns the maximum size of its file in bytes. Replaced in tests.
struct SnapshotWriter {
  std::function<void(const std::string& path, const Snapshot& snapshot, const Progress& progress)> write =
      [](const std::string& path, const Snapshot& snapshot, const Progress& progress) {
        write_hdf5(path, snapshot, progress);
      };
  std::function<std::uint64_t(const Snapshot& snapshot)> size = hdf5_size;
};

/// Writes a snapshot atomically: checks the free space, then writes a temporary file, fsync and rename. Throws
/// FileError, SceneCancelled.
void save_snapshot(const std::string& path, const Snapshot& snapshot, const Progress& progress,
                   const SnapshotWriter& writer = {});

/// Saves one snapshot at a time in the background.
class SnapshotSaver {
 public:
  /// The result, with a message for the user.
  struct Outcome {
    std::string path;
    std::string message;
    bool saved = false, is_error = false;
  };

  explicit SnapshotSaver(SnapshotWriter writer = {}) : writer_(std::move(writer)) {}
  /// Cancels an unfinished save.
  ~SnapshotSaver() { cancel(); }

  /// Starts a save. Only while not busy().
  void start(const std::string& path, Snapshot snapshot);
  bool busy() const { return outcome_.valid(); }
  const std::string& path() const { return path_; }
  double progress() const { return progress_; }  ///< 0 to 1
  void cancel() { cancelled_ = true; }
  /// The result if the save has ended or ends within `seconds`; not busy() afterwards.
  std::optional<Outcome> take(double seconds = 0);

 private:
  Outcome save(const Snapshot& snapshot);

  SnapshotWriter writer_;
  std::string path_;
  std::atomic<double> progress_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::future<Outcome> outcome_;  // last: its destructor waits for the thread that uses the other members
};

}  // namespace pericenter::app
