#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sim/playback/keyframe_store.h"

namespace pericenter {

/// A snapshot as a whole, read to see whether it is complete.
struct WholeSnapshot {
  double time = 0;  ///< scene units
  std::size_t bodies = 0;
  std::size_t notes = 0;  ///< sentences about what is missing or was assumed
  std::shared_ptr<const Keyframe> frame = {};
};

/// A file of a series, with its time in scene units.
struct TimedFile {
  std::string path;
  double time = 0;

  std::string name() const { return std::filesystem::path(path).filename().string(); }
};

/// What has changed in a series since the last news.
struct SeriesNews {
  struct Found {
    std::size_t index = 0;
    TimedFile file;
  };
  std::vector<Found> found;                                      ///< new snapshots; one of them may be in `gone`
  std::vector<std::size_t> gone;                                 ///< indices of snapshots that were replaced
  double valid_until = std::numeric_limits<double>::infinity();  ///< what was known of later times is no longer true
  std::size_t newest = 0;                                        ///< index of `frame`
  std::shared_ptr<const Keyframe> frame;                         ///< the snapshot found last, already read
  std::string notice;                                            ///< sentences for the user, or empty
};

/// Looks for new snapshots of a series in its folder. A file is taken when two looks, a second apart, found it
/// unchanged and all of it can be read; one with fewer bodies or more notes than the snapshot before is looked at
/// longer, because its writer may pause. When a file is written again, or one with a higher number has an earlier time,
/// the simulation was restarted: the older files of later times are replaced. A snapshot has an index that is never
/// used again.
///
/// Another thread looks once per second, because systems do not report changes in folders of other machines.
class SeriesWatch {
 public:
  struct Access {
    /// Paths of the series, in the order of their numbers.
    std::function<std::vector<std::string>()> list;
    /// Throws InputError, whose text starts with the path, std::bad_alloc and SceneCancelled.
    std::function<WholeSnapshot(const std::string& path, const Progress& progress)> read;
    std::chrono::milliseconds period{1000};  ///< time between two looks; 0: a test calls look()
  };

  /// Knows these files, with the indices 0, 1, 2 ...; `typical` has the number of bodies and notes of one of them.
  SeriesWatch(const std::vector<TimedFile>& files, const WholeSnapshot& typical, Access access);

  /// Thread-safe.
  std::string path(std::size_t index) const;
  void set_running(bool running);
  bool is_running() const { return running_; }
  bool can_look() const { return access_.list != nullptr; }
  void look(const Progress& progress = {});
  /// What look() has found since the last call; nullopt: nothing. Thread-safe.
  std::optional<SeriesNews> take_news();

 private:
  /// What tells whether a snapshot has been written again, over all its files.
  struct Stamp {
    std::uintmax_t bytes = 0;
    std::filesystem::file_time_type written = {};

    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  /// A path in the folder.
  struct Seen {
    Stamp stamp;
    std::uint64_t content = 0;  ///< hash of a sample; 0: unknown
    int looks = 0;              ///< number of looks since the last change
    bool settled = false;       ///< it was taken or left out, until it changes
    bool was_taken = false;
  };
  struct Taken {
    TimedFile file;
    std::filesystem::file_time_type written = {};
    bool is_shown = true;  ///< not replaced
  };

  static std::optional<Stamp> stamp_of(const std::string& path);
  static std::uint64_t content_of(const std::string& path);
  void look_at(const std::string& path, Seen& seen, const Progress& progress);
  void take(const std::string& path, Seen& seen, WholeSnapshot snapshot);
  std::vector<std::size_t> replaced_by(const std::string& path, const Seen& seen, double time) const;
  bool is_shown(const std::string& path) const;
  void add_notice(const std::string& notice);

  Access access_;
  // Used by the thread that looks.
  std::vector<std::string> paths_;  ///< the last list
  std::map<std::string, Seen> seen_;
  WholeSnapshot typical_;

  mutable std::mutex mutex_;
  std::vector<Taken> taken_;  ///< index is that of the snapshot; changed under the mutex by the thread that looks
  std::optional<SeriesNews> news_;

  bool running_ = false;
  std::jthread thread_;  // last: its destructor stops it
};

}  // namespace pericenter
