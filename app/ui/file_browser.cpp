#include "app/ui/file_browser.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "app/base/atomic_file.h"
#include "app/base/home_folder.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {"",       "hdf5", "h5",     "hdf", "csv", "ecsv", "fits",  "fit", "vot",
                                         "xml",    "tsv",  "txt",    "gz",  "bin", "dat",  "tipsy", "std", "nat",
                                         "bonsai", "snap", "gadget", "gad", "g1",  "g2",   "ic",    "ics", "xdr"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

constexpr std::size_t kMaxListBytes = 1 << 16;

/// The lines that are absolute paths; others were not written by this program.
std::vector<std::string> paths_in(const std::string& text) {
  std::vector<std::string> paths;
  std::istringstream lines(text);
  for (std::string line; paths.size() < kMaxRecentFiles && std::getline(lines, line);)
    if (!line.empty() && line.front() == '/') paths.push_back(line);
  return paths;
}

bool before(const FolderEntry& a, const FolderEntry& b) {
  if (a.is_folder != b.is_folder) return a.is_folder;
  return strverscmp(a.name.c_str(), b.name.c_str()) < 0;
}

}  // namespace

std::string full_path(const std::string& typed, const std::string& folder) {
  fs::path path = (fs::path(folder) / expanded_home(typed)).lexically_normal();
  if (!path.has_filename() && path != path.root_path()) path = path.parent_path();  // "a/" is the folder a
  return path.string();
}

std::string problem_with_file(const std::string& path) {
  std::error_code error;
  const fs::file_type type = fs::status(path, error).type();
  if (type == fs::file_type::not_found) return path + " does not exist. Check the path.";
  if (type == fs::file_type::none) return "Cannot open " + path + ": " + error.message() + ".";
  if (type != fs::file_type::regular) return path + " is not a file. Choose a file with particle data.";
  if (::access(path.c_str(), R_OK) == 0) return {};
  return "Cannot read " + path + ": " + std::strerror(errno) + ". Choose another file.";
}

bool may_hold_bodies(std::string_view name) {
  if (name.empty() || name.front() == '.') return false;
  const std::size_t dot = name.rfind('.');
  const std::string ending = dot == name.npos ? std::string() : lower(name.substr(dot + 1));
  // part_00001.out00001 (RAMSES), snapshot.001
  const bool is_number = std::ranges::all_of(ending.substr(ending.starts_with("out") ? 3 : 0),
                                             [](char digit) { return digit >= '0' && digit <= '9'; });
  return is_number || std::ranges::find(kEndings, ending) != std::end(kEndings);
}

void go_to(const std::string& folder, FileBrowser& browser) {
  browser.folder = browser.path = folder;
  browser.search.clear();
  browser.path_problem.clear();
  browser.problem.clear();
  browser.entries.clear();
  browser.chosen = 0;
  browser.focus = true;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    struct stat about = {};
    if (::stat(entry->path().c_str(), &about) != 0) continue;  // a broken link
    if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode)) continue;
    browser.entries.push_back({entry->path().filename().string(), S_ISDIR(about.st_mode),
                               static_cast<std::uint64_t>(about.st_size), about.st_mtime});
  }
  if (error) browser.problem = "Cannot list this folder: " + error.message() + ".";
  std::ranges::sort(browser.entries, before);
}

void open_browser(const std::string& folder, FileBrowser& browser) {
  go_to(browser.folder.empty() ? folder : browser.folder, browser);
  browser.open = true;
}

void go_up(FileBrowser& browser) {
  const fs::path here = browser.folder;
  if (!here.has_relative_path()) return;
  go_to(here.parent_path().string(), browser);
  const auto rows = shown(browser);
  const auto row = std::ranges::find(rows, here.filename().string(), &FolderEntry::name);
  if (row != rows.end()) browser.chosen = static_cast<int>(row - rows.begin());
}

std::vector<const FolderEntry*> shown(const FileBrowser& browser) {
  std::vector<const FolderEntry*> rows;
  const std::string search = lower(browser.search);
  for (const FolderEntry& entry : browser.entries) {
    const bool fits = entry.is_folder ? entry.name.front() != '.' : may_hold_bodies(entry.name);
    if ((browser.all || fits) && lower(entry.name).find(search) != std::string::npos) rows.push_back(&entry);
  }
  return rows;
}

RecentFiles::RecentFiles(std::string list_path) : list_path_(std::move(list_path)) {
  std::error_code error;
  if (list_path_.empty() || !std::filesystem::exists(list_path_, error)) return;
  const std::optional<std::string> text = first_bytes(list_path_, kMaxListBytes + 1);
  if (text && text->size() <= kMaxListBytes && text->find('\0') == text->npos) paths_ = paths_in(*text);
  const bool is_valid = text && (text->empty() || !paths_.empty());
  if (!is_valid) problem_ = "Cannot read the list of recent files " + list_path_ + ". " + set_aside(list_path_);
}

void RecentFiles::add(const std::string& file) {
  std::error_code error;
  const std::string path = std::filesystem::absolute(file, error).lexically_normal().string();
  if (path.find('\n') != path.npos || (!paths_.empty() && paths_.front() == path)) return;
  std::erase(paths_, path);
  paths_.insert(paths_.begin(), path);
  if (paths_.size() > kMaxRecentFiles) paths_.pop_back();
  if (list_path_.empty()) return;
  std::string text;
  for (const std::string& one : paths_) text += one + "\n";
  const std::string stored_in = std::exchange(list_path_, {});
  write_file(stored_in, text);
  list_path_ = stored_in;
}

}  // namespace pericenter::app
