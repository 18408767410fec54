#include "app/output/snapshot_saver.h"

#include <chrono>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "sim/core/printable.h"
#include "sim/run/checkpoint.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

/// If the free space is unknown, writing reports the error.
void check_free_space(const std::string& path, std::uint64_t bytes) {
  std::error_code error;
  const fs::space_info disk = fs::space(fs::absolute(path, error).parent_path(), error);
  if (error || disk.available >= bytes) return;
  throw FileError(kIoError, "Cannot write " + path + ": it needs " + bytes_text(bytes) + " but only " +
                                bytes_text(disk.available) +
                                " are free. Free some disk space or choose another folder.");
}

}  // namespace

void save_snapshot(const std::string& path, const Snapshot& snapshot, const Progress& progress,
                   const SnapshotWriter& writer) {
  if (!all_finite(snapshot.bodies)) {
    throw FileError(kDataError, "Cannot write " + path +
                                    ": bodies are NaN or infinite, and their file could not be loaded. Use a smaller "
                                    "time step or a larger softening.");
  }
  UnfinishedFile file(path);
  check_free_space(path, writer.size(snapshot));
  try {
    writer.write(file.temporary(), snapshot, progress);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw FileError(kIoError, "Cannot write " + path + ": " + error.what());
  }
  file.keep();
}

void SnapshotSaver::start(const std::string& path, Snapshot snapshot) {
  path_ = path;
  progress_ = 0;
  cancelled_ = false;
  outcome_ = std::async(std::launch::async,
                        [this, taken = std::make_shared<const Snapshot>(std::move(snapshot))] { return save(*taken); });
}

SnapshotSaver::Outcome SnapshotSaver::save(const Snapshot& snapshot) {
  const auto progress = [this](double done) {
    progress_ = done;
    return !cancelled_;
  };
  try {
    save_snapshot(path_, snapshot, progress, writer_);
    std::error_code error;
    const std::string size = bytes_text(fs::file_size(path_, error));
    return {path_,
            "Snapshot saved: " + printable(path_) + " (" + with_thousands(snapshot.bodies.size()) + " bodies, " + size +
                ")",
            true, false};
  } catch (const SceneCancelled&) {
    return {path_, "Saving " + printable(path_) + " was cancelled. No file was written.", false, false};
  } catch (const std::bad_alloc&) {
    return {path_, "Cannot write " + printable(path_) + ": out of memory.", false, true};
  } catch (const std::exception& error) {
    return {path_, error.what(), false, true};
  }
}

std::optional<SnapshotSaver::Outcome> SnapshotSaver::take(double seconds) {
  if (!busy() || outcome_.wait_for(std::chrono::duration<double>(seconds)) != std::future_status::ready) return {};
  return outcome_.get();
}

}  // namespace pericenter::app
