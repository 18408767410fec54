#include "app/ui/recent_files.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "app/base/atomic_file.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kMaxBytes = 1 << 16;

/// The lines that are whole paths; others were written by nobody here.
std::vector<std::string> paths_in(const std::string& text) {
  std::vector<std::string> paths;
  std::istringstream lines(text);
  for (std::string line; paths.size() < kMaxRecentFiles && std::getline(lines, line);)
    if (!line.empty() && line.front() == '/') paths.push_back(line);
  return paths;
}

}  // namespace

RecentFiles::RecentFiles(std::string kept_in) : kept_in_(std::move(kept_in)) {
  std::error_code error;
  if (kept_in_.empty() || !std::filesystem::exists(kept_in_, error)) return;
  const std::optional<std::string> text = first_bytes(kept_in_, kMaxBytes + 1);
  if (text && text->size() <= kMaxBytes && text->find('\0') == text->npos) paths_ = paths_in(*text);
  const bool is_well = text && (text->empty() || !paths_.empty());
  if (!is_well) problem_ = "The list of recent files, " + kept_in_ + ", cannot be used. " + set_aside(kept_in_);
}

void RecentFiles::add(const std::string& file) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(file, error).lexically_normal().string();
  if (path.find('\n') != path.npos || (!paths_.empty() && paths_.front() == path)) return;
  std::erase(paths_, path);
  paths_.insert(paths_.begin(), path);
  if (paths_.size() > kMaxRecentFiles) paths_.pop_back();
  if (kept_in_.empty()) return;
  std::string text;
  for (const std::string& kept : paths_) text += kept + "\n";
  const std::string place = std::exchange(kept_in_, {});
  write_file(place, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  kept_in_ = place;
}

}  // namespace pericenter::app
