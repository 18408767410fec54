#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace pericenter::app {

/// What stands in a folder.
struct FolderEntry {
  std::string name;
  bool is_folder = false;
  std::uint64_t bytes = 0;
  std::time_t changed = 0;
};

/// The window in which a file is chosen: what it shows and what was typed into it.
struct FileBrowser {
  bool open = false;
  std::string folder;                ///< that is listed, absolute
  std::vector<FolderEntry> entries;  ///< folders first, numbers in names by their value
  std::string problem;               ///< why it cannot be listed; empty: it can
  std::string path;                  ///< in the field for paths
  std::string search;                ///< only names with this in them are shown
  bool all = false;                  ///< also files whose names say that they hold something else
  int chosen = 0;                    ///< row of shown()
  bool focus = true;                 ///< the keyboard should go to the field for searching
};

/// Opens the browser at `folder`, or where it was last.
void open_browser(const std::string& folder, FileBrowser& browser);
/// Lists another folder.
void go_to(const std::string& folder, FileBrowser& browser);
void go_up(FileBrowser& browser);
/// The rows that pass the search and the filter.
std::vector<const FolderEntry*> shown(const FileBrowser& browser);

/// Whether a file of this name may be one of bodies: pictures, films and texts are not. Contents decide when it is
/// opened.
bool may_hold_bodies(std::string_view name);
/// The path that was typed, made absolute: relative to `folder`, or to the home for ~/.
std::string full_path(const std::string& typed, const std::string& folder);
/// $HOME, else the present folder.
std::string home_folder();

}  // namespace pericenter::app
