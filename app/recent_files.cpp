#include "app/recent_files.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>

#include "app/files.h"

namespace pericenter::app {

RecentFiles::RecentFiles(std::string kept_in) : kept_in_(std::move(kept_in)) {
  std::ifstream file(kept_in_);
  for (std::string line; paths_.size() < kMostRecentFiles && std::getline(file, line);)
    if (!line.empty() && line.front() == '/') paths_.push_back(line);
}

void RecentFiles::add(const std::string& file) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(file, error).lexically_normal().string();
  if (path.find('\n') != path.npos || (!paths_.empty() && paths_.front() == path)) return;
  std::erase(paths_, path);
  paths_.insert(paths_.begin(), path);
  if (paths_.size() > kMostRecentFiles) paths_.pop_back();
  if (kept_in_.empty()) return;
  std::string text;
  for (const std::string& kept : paths_) text += kept + "\n";
  const std::string place = std::exchange(kept_in_, {});
  write_file(place, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  kept_in_ = place;
}

}  // namespace pericenter::app
