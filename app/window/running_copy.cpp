#include "app/window/running_copy.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>
#include <filesystem>
#include <random>
#include <utility>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "sim/core/clock.h"
#include "sim/core/progress.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "running-";
constexpr const char* kLockEnding = ".lock";

// The first write comes soon, because most runs that are lost are short. Later ones take little of the time of the
// processor and of the life of a disk.
constexpr double kFirstSeconds = 2;
constexpr double kMinPeriod = 10;
constexpr double kMaxTimeShare = 0.02;
constexpr double kMaxBytesPerSecond = 4e6;

fs::path with_extension(fs::path path, const char* extension) {
  return path.replace_extension(extension);
}

/// Opens and locks the file; -1 if another process has it, or if that is not possible. O_NONBLOCK: a pipe of this name
/// does not block.
int open_locked(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0600);
  if (file < 0 || ::flock(file, LOCK_EX | LOCK_NB) == 0) return file;
  ::close(file);
  return -1;
}

std::string modification_date(const fs::path& path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) != 0) return "unknown";
  std::tm local = {};
  localtime_r(&status.st_mtime, &local);
  return text("%04d%02d%02d-%02d%02d%02d", local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour,
              local.tm_min, local.tm_sec);
}

}  // namespace

RunningCopy::RunningCopy(const std::string& folder, SnapshotWriter writer) : writer_(std::move(writer)) {
  if (folder.empty()) return;
  const std::string name = kPrefix + std::to_string(::getpid()) + text("-%08x", std::random_device{}());
  const fs::path lock = fs::path(folder) / (name + kLockEnding);
  lock_ = open_locked(lock.string(), O_CREAT | O_EXCL);
  if (lock_ < 0) return;
  lock_path_ = lock.string();
  path_ = with_extension(lock, ".hdf5").string();
}

RunningCopy::~RunningCopy() {
  end();
}

double RunningCopy::period(double seconds, double bytes) {
  return std::max({kMinPeriod, seconds / kMaxTimeShare, bytes / kMaxBytesPerSecond});
}

void RunningCopy::update(const std::shared_ptr<const Snapshot>& checkpoint, double now) {
  if (path_.empty()) return;
  if (writing_.valid()) {
    if (writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    Written last = writing_.get();
    problem_ = std::move(last.problem);
    next_ = now + period(last.seconds, static_cast<double>(written_->bodies.size() * sizeof(Body)));
  }
  const bool has_steps = checkpoint && checkpoint->run && checkpoint->run->steps > 0;
  if (!has_steps || checkpoint == written_) return;
  if (!written_ && next_ == 0) next_ = now + kFirstSeconds;
  if (now < next_) return;
  written_ = checkpoint;
  cancelled_ = false;
  writing_ = std::async(std::launch::async, [this, checkpoint] { return write(*checkpoint); });
}

RunningCopy::Written RunningCopy::write(const Snapshot& checkpoint) const {
  const auto start = std::chrono::steady_clock::now();
  Written result;
  try {
    save_snapshot(
        path_, checkpoint, [this](double) { return !cancelled_; }, writer_);
  } catch (const SceneCancelled&) {
  } catch (const std::exception& error) {
    result.problem = error.what();
  }
  result.seconds = seconds_between(start, std::chrono::steady_clock::now());
  return result;
}

void RunningCopy::stop_writing() {
  cancelled_ = true;
  if (writing_.valid()) writing_.wait();
}

void RunningCopy::end() {
  stop_writing();
  if (lock_ < 0) return;
  ::unlink(path_.c_str());
  ::unlink(lock_path_.c_str());
  keep();
}

void RunningCopy::keep() {
  stop_writing();
  path_.clear();
  if (const int lock = std::exchange(lock_, -1); lock >= 0) ::close(lock);
}

std::string RunningCopy::take_problem() {
  return std::exchange(problem_, {});
}

std::vector<std::string> take_copies(const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> found;  // date and path
  std::error_code error;
  if (folder.empty()) return {};
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path lock_path = entry->path();
    if (!lock_path.filename().string().starts_with(kPrefix) || lock_path.extension() != kLockEnding) continue;
    const int lock = open_locked(lock_path.string(), 0);
    if (lock < 0) continue;
    const fs::path copy = with_extension(lock_path, ".hdf5");
    if (std::error_code problem; fs::is_regular_file(fs::symlink_status(copy, problem))) {
      const std::string date = modification_date(copy), path = new_path_in(folder, "recovery-" + date, ".hdf5");
      fs::rename(copy, path, problem);
      if (!problem) found.emplace_back(date, path);
    }
    ::unlink(lock_path.c_str());
    ::close(lock);
  }
  std::ranges::sort(found, std::greater());
  std::vector<std::string> paths;
  for (auto& [date, path] : found) paths.push_back(std::move(path));
  return paths;
}

}  // namespace pericenter::app
