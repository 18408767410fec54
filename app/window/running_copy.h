#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "app/output/snapshot_saver.h"
#include "sim/files/snapshot.h"

namespace pericenter::app {

/// A file with a checkpoint of the run of this process, written now and then in the background, so that the bodies
/// survive whatever ends the process: SIGKILL, a crash, a power failure. A lock, which the system releases with the
/// process, tells other processes that it still runs.
class RunningCopy {
 public:
  /// `folder` may be empty: nothing is written.
  explicit RunningCopy(const std::string& folder, SnapshotWriter writer = {});
  /// Deletes the file, unless keep() was called.
  ~RunningCopy();
  RunningCopy(const RunningCopy&) = delete;
  RunningCopy& operator=(const RunningCopy&) = delete;

  /// Once per frame: starts to write the checkpoint if it is another one than the last and a write is due. `now` in
  /// seconds.
  void update(const std::shared_ptr<const Snapshot>& checkpoint, double now);
  /// Ends a write that is in progress; the copy before it stays.
  void stop_writing();
  /// Ends a write that is in progress, and deletes the file. For the normal end of the program, and after the bodies
  /// were saved elsewhere.
  void end();
  /// The file stays, for the next session.
  void keep();
  /// Why the last write failed; empty: it did not. Cleared by this call.
  std::string take_problem();

  /// Seconds until the next write after one of `bytes` bytes that took `seconds`.
  static double period(double seconds, double bytes);

 private:
  struct Written {
    std::string problem;  ///< empty: it was written
    double seconds = 0;
  };
  Written write(const Snapshot& checkpoint) const;

  SnapshotWriter writer_;
  std::string path_, lock_path_;  ///< empty: there is no folder, or no lock
  int lock_ = -1;
  std::shared_ptr<const Snapshot> written_;
  std::string problem_;
  double next_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::future<Written> writing_;  // last: its destructor waits for the thread that uses the other members
};

/// The copies in `folder` of processes that ended without deleting them, newest first, under their final names:
/// pericenter-recovery-DATE-NNNN.hdf5. Each is returned once.
std::vector<std::string> take_copies(const std::string& folder);

}  // namespace pericenter::app
