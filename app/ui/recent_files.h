#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace pericenter::app {

inline constexpr std::size_t kMaxRecentFiles = 10;

/// The files that were opened or saved last, kept from one session to the next: a path a line, the newest first.
class RecentFiles {
 public:
  /// Kept in this file; an empty name keeps nothing.
  explicit RecentFiles(std::string kept_in);

  const std::vector<std::string>& paths() const { return paths_; }
  /// What was wrong with the file, which was then set aside; once, and empty when all was well.
  std::string take_problem() { return std::exchange(problem_, {}); }
  /// Puts a file first. Throws FileError once when that cannot be kept; then nothing is kept any more.
  void add(const std::string& file);

 private:
  std::string kept_in_, problem_;
  std::vector<std::string> paths_;
};

}  // namespace pericenter::app
