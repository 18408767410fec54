#include "sim/playback/series_watch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <condition_variable>
#include <fstream>
#include <new>
#include <utility>

#include "sim/core/fnv.h"
#include "sim/files/snapshot.h"
#include "sim/playback/series.h"

namespace pericenter {
namespace {

namespace fs = std::filesystem;

constexpr int kDoubtfulLooks = 16;  ///< looks at a snapshot that seems incomplete
constexpr int kBrokenLooks = 32;    ///< looks until a file that cannot be read is reported

void append_sentence(std::string& text, const std::string& sentence) {
  if (!text.empty()) text += ' ';
  text += sentence;
}

std::string restart_notice(const std::string& name, bool again, std::size_t replaced) {
  if (again && replaced == 1) return name + " was written again; its new contents are shown.";
  return name + (again ? " was written again" : " has an earlier time than the snapshots before it") +
         ", so the simulation was restarted. Old snapshots of later times that are no longer shown: " +
         std::to_string(replaced - again) + ".";
}

}  // namespace

SeriesWatch::SeriesWatch(const std::vector<TimedFile>& files, const WholeSnapshot& typical, Access access)
    : access_(std::move(access)), typical_(typical) {
  for (const TimedFile& file : files) {
    const Stamp stamp = stamp_of(file.path).value_or(Stamp{});
    seen_[file.path] = {.stamp = stamp, .settled = true, .was_taken = true};
    taken_.push_back({file, stamp.written});
  }
}

std::string SeriesWatch::path(std::size_t index) const {
  const std::scoped_lock lock(mutex_);
  return taken_.at(index).file.path;
}

void SeriesWatch::set_running(bool running) {
  if (running == running_ || !can_look()) return;
  running_ = running;
  thread_ = {};
  if (!running || access_.period.count() == 0) return;
  thread_ = std::jthread([this](const std::stop_token& stop) {
    std::mutex asleep;
    std::condition_variable_any wake;
    std::unique_lock lock(asleep);
    while (!stop.stop_requested()) {
      look([&](double) { return !stop.stop_requested(); });
      wake.wait_for(lock, stop, access_.period, [] { return false; });
    }
  });
}

std::optional<SeriesNews> SeriesWatch::take_news() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(news_, std::nullopt);
}

void SeriesWatch::add_notice(const std::string& notice) {
  const std::scoped_lock lock(mutex_);
  if (!news_) news_.emplace();
  append_sentence(news_->notice, notice);
}

void SeriesWatch::look(const Progress& progress) {
  paths_ = access_.list();
  try {
    for (const std::string& path : paths_) look_at(path, seen_[path], progress);
  } catch (const SceneCancelled&) {
  }
}

void SeriesWatch::look_at(const std::string& path, Seen& seen, const Progress& progress) {
  const std::optional<Stamp> stamp = stamp_of(path);
  if (!stamp) return;
  if (*stamp != seen.stamp) {
    seen.stamp = *stamp;
    seen.looks = 0;
    if (seen.settled) seen.settled = content_of(path) == seen.content;
    return;
  }
  if (seen.settled) {
    if (seen.content == 0) seen.content = content_of(path);
    return;
  }
  // A file that cannot be read is tried again after 1, 2, 4, 8 ... seconds.
  if (!std::has_single_bit(static_cast<unsigned>(++seen.looks))) return;
  try {
    WholeSnapshot snapshot = access_.read(path, progress);
    const bool is_doubtful = snapshot.bodies < typical_.bodies || snapshot.notes > typical_.notes;
    if (is_doubtful && seen.looks < kDoubtfulLooks) return;
    if (stamp_of(path) == stamp) take(path, seen, std::move(snapshot));
  } catch (const InputError& error) {
    if (seen.looks == kBrokenLooks)
      add_notice(std::string(error.what()) + " It has not changed for half a minute, and is tried again.");
  } catch (const std::bad_alloc&) {
    if (seen.looks == kBrokenLooks)
      add_notice(path + ": Out of memory: four of these snapshots must fit in host memory.");
  }
}

bool SeriesWatch::is_shown(const std::string& path) const {
  return std::ranges::any_of(taken_, [&](const Taken& other) { return other.is_shown && other.file.path == path; });
}

/// Snapshots that are no longer true when this file is taken.
std::vector<std::size_t> SeriesWatch::replaced_by(const std::string& path, const Seen& seen, double time) const {
  const auto is_before = [&](const std::string& other) {  // so is one that was deleted
    const auto at = std::ranges::find(paths_, other);
    return at == paths_.end() || at < std::ranges::find(paths_, path);
  };
  std::vector<std::size_t> replaced;
  for (std::size_t k = 0; k < taken_.size(); ++k) {
    const Taken& other = taken_[k];
    const bool is_older = other.written <= seen.stamp.written;
    const bool is_later =
        seen.was_taken ? other.file.time >= time : other.file.time > time && is_before(other.file.path);
    if (other.is_shown && (other.file.path == path || (is_older && is_later))) replaced.push_back(k);
  }
  return replaced;
}

void SeriesWatch::take(const std::string& path, Seen& seen, WholeSnapshot snapshot) {
  const TimedFile found{path, snapshot.time};
  const std::uint64_t content = content_of(path);
  const bool is_same = is_shown(path) && content == seen.content;
  const bool was_taken = seen.was_taken;
  const std::vector<std::size_t> replaced =
      is_same ? std::vector<std::size_t>() : replaced_by(path, seen, snapshot.time);
  seen.settled = seen.was_taken = true;
  seen.content = content;
  if (is_same) return;
  if (!replaced.empty()) add_notice(restart_notice(found.name(), was_taken, replaced.size()));
  const std::scoped_lock lock(mutex_);
  if (!news_) news_.emplace();
  for (const std::size_t index : replaced) {
    taken_[index].is_shown = false;
    news_->gone.push_back(index);
    news_->valid_until = std::min(news_->valid_until, snapshot.time);
  }
  const auto has_time = [&](const Taken& other) { return other.is_shown && other.file.time == snapshot.time; };
  if (const auto other = std::ranges::find_if(taken_, has_time); other != taken_.end()) {
    append_sentence(news_->notice,
                    found.name() + " is skipped, because it has the same time as " + other->file.name() + ".");
    return;
  }
  typical_ = {.bodies = snapshot.bodies, .notes = snapshot.notes};
  news_->newest = taken_.size();
  news_->frame = std::move(snapshot.frame);
  news_->found.push_back({taken_.size(), found});
  taken_.push_back({found, seen.stamp.written});
}

/// Of all files of the snapshot; nullopt if there is none.
std::optional<SeriesWatch::Stamp> SeriesWatch::stamp_of(const std::string& path) {
  std::optional<Stamp> stamp;
  for (const std::string& file : files_of_snapshot(path)) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(file, error);
    const fs::file_time_type written = error ? fs::file_time_type{} : fs::last_write_time(file, error);
    if (error) continue;
    if (!stamp) stamp = Stamp{.written = written};
    stamp->bytes += bytes;
    stamp->written = std::max(stamp->written, written);
  }
  return stamp;
}

/// A hash of the size and 16 blocks of the first file: copied or touched files have the same.
std::uint64_t SeriesWatch::content_of(const std::string& path) {
  constexpr int kBlocks = 16;
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff bytes = file.tellg();
  Fnv1a hash;
  hash.add(static_cast<std::uint64_t>(bytes));
  std::array<char, 4096> block;
  for (int k = 0; k < kBlocks; ++k) {
    file.clear();
    file.seekg(std::max<std::streamoff>(0, (bytes - static_cast<std::streamoff>(block.size())) * k / (kBlocks - 1)));
    file.read(block.data(), block.size());
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      hash.add(static_cast<unsigned char>(block[static_cast<std::size_t>(i)]));
  }
  return hash.value();
}

}  // namespace pericenter
