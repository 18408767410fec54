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

/// What writes a snapshot, and the bytes that it takes at most.
struct SnapshotWriter {
  std::function<void(const std::string& path, const Snapshot& snapshot, const Progress& progress)> write =
      [](const std::string& path, const Snapshot& snapshot, const Progress& progress) {
        write_hdf5(path, snapshot, progress);
      };
  std::function<std::uint64_t(const Snapshot& snapshot)> size = hdf5_size;
};

/// Writes a snapshot whole or not at all: room checked first, temporary file, fsync, rename. Throws FileError,
/// SceneCancelled.
void save_snapshot(const std::string& path, const Snapshot& snapshot, const Progress& progress,
                   const SnapshotWriter& writer = {});

/// Saves one snapshot at a time while the program goes on.
class SnapshotSaver {
 public:
  /// How it ended, in a sentence for the user.
  struct Outcome {
    std::string path;
    std::string words;
    bool saved = false, is_error = false;
  };

  explicit SnapshotSaver(SnapshotWriter writer = {}) : writer_(std::move(writer)) {}
  /// Gives up what is not finished.
  ~SnapshotSaver() { cancel(); }

  /// Only while it is not busy().
  void start(const std::string& path, Snapshot snapshot);
  bool busy() const { return outcome_.valid(); }
  const std::string& path() const { return path_; }
  double share() const { return share_; }  ///< that is written, in [0, 1]
  void cancel() { cancelled_ = true; }
  /// Once it has ended, within `seconds`; it is not busy any more then.
  std::optional<Outcome> take(double seconds = 0);

 private:
  Outcome save(const Snapshot& snapshot);

  SnapshotWriter writer_;
  std::string path_;
  std::atomic<double> share_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::future<Outcome> outcome_;  // last: it waits for the thread that uses the others
};

}  // namespace pericenter::app
