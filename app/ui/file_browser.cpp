#include "app/ui/file_browser.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 22> kEndings = {"",    "hdf5",  "h5",  "hdf", "csv",    "tsv",  "txt",    "bin",
                                                       "dat", "tipsy", "std", "nat", "bonsai", "snap", "gadget", "gad",
                                                       "g1",  "g2",    "ic",  "ics", "out",    "xdr"};

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

bool before(const FolderEntry& a, const FolderEntry& b) {
  if (a.is_folder != b.is_folder) return a.is_folder;
  return strverscmp(a.name.c_str(), b.name.c_str()) < 0;
}

}  // namespace

std::string home_folder() {
  const char* home = std::getenv("HOME");
  std::error_code error;
  return home && *home ? home : fs::current_path(error).string();
}

std::string full_path(const std::string& typed, const std::string& folder) {
  fs::path path = typed;
  if (typed == "~" || typed.rfind("~/", 0) == 0) path = home_folder() + typed.substr(1);
  path = (fs::path(folder) / path).lexically_normal();
  if (!path.has_filename() && path != path.root_path()) path = path.parent_path();  // "a/" is the folder a
  return path.string();
}

bool may_hold_bodies(std::string_view name) {
  if (name.empty() || name.front() == '.') return false;
  const std::size_t dot = name.rfind('.');
  const std::string ending = dot == name.npos ? std::string() : lower(name.substr(dot + 1));
  const bool is_number = std::ranges::all_of(ending, [](char digit) { return digit >= '0' && digit <= '9'; });
  return is_number || std::ranges::find(kEndings, ending) != kEndings.end();
}

void go_to(const std::string& folder, FileBrowser& browser) {
  browser.folder = browser.path = folder;
  browser.search.clear();
  browser.problem.clear();
  browser.entries.clear();
  browser.chosen = 0;
  browser.focus = true;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    struct stat about = {};
    if (::stat(entry->path().c_str(), &about) != 0) continue;  // a link to nowhere
    if (!S_ISDIR(about.st_mode) && !S_ISREG(about.st_mode)) continue;
    browser.entries.push_back({entry->path().filename().string(), S_ISDIR(about.st_mode),
                               static_cast<std::uint64_t>(about.st_size), about.st_mtime});
  }
  if (error) browser.problem = "This folder cannot be listed: " + error.message() + ".";
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

}  // namespace pericenter::app
