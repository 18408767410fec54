#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/files/snapshot.h"

namespace pericenter::app {

/// An entry of a folder.
struct FolderEntry {
  std::string name;
  bool is_folder = false;
  std::uint64_t bytes = 0;
  std::time_t changed = 0;
};

/// State of the dialog that opens files.
struct FileBrowser {
  bool open = false;
  std::string folder;                ///< folder that is listed; absolute
  std::vector<FolderEntry> entries;  ///< folders first, then in natural order (2 before 10)
  std::string problem;               ///< why the folder cannot be listed; empty: it can
  std::string path;                  ///< text of the path field
  std::string path_problem;          ///< why the file that was chosen last cannot be opened; empty: it can
  std::string search;                ///< only names that contain this are shown
  bool all = false;                  ///< shows also files whose extension is not one of particle data
  int chosen = 0;                    ///< selected row of shown()
  bool focus = true;                 ///< the search field should get the keyboard focus
};

/// Opens the browser in the folder where it was last, or in `folder` the first time.
void open_browser(const std::string& folder, FileBrowser& browser);
/// Lists another folder.
void go_to(const std::string& folder, FileBrowser& browser);
void go_up(FileBrowser& browser);
/// The rows that match the search text and the filter.
std::vector<const FolderEntry*> shown(const FileBrowser& browser);

/// Whether a file with this name may contain particle data. Images, video and documents do not; for the rest the
/// content decides when the file is opened.
bool may_hold_bodies(std::string_view name);
/// Absolute form of a typed path, which is relative to `folder`, or to the home folder if it starts with ~/.
std::string full_path(const std::string& typed, const std::string& folder);
/// Why this file cannot be opened; empty if it may be one with particle data.
std::string problem_with_file(const std::string& path);

inline constexpr std::size_t kMaxRecentFiles = 10;

/// The files that were opened or saved last, stored between sessions: one path per line, latest first.
class RecentFiles {
 public:
  /// Stored in the file `list_path`; not stored if it is empty.
  explicit RecentFiles(std::string list_path);

  const std::vector<std::string>& paths() const { return paths_; }
  /// Why the stored list could not be read; it was renamed in that case. Cleared by this call.
  std::string take_problem() { return std::exchange(problem_, {}); }
  /// Puts a file first. Throws FileError once if the list cannot be written; later changes are then not stored.
  void add(const std::string& file);

 private:
  std::string list_path_, problem_;
  std::vector<std::string> paths_;
};

/// State of everything in the window that concerns files.
struct FilesState {
  FileBrowser browser;
  ReadOptions read = {};  ///< how files are read; what is stated holds for the opened file
  /// Typed and ticked in the panel, not yet applied.
  std::string units, periodic, every, region;
  unsigned types = 0;  ///< bits of Selection::types

  std::string opened;               ///< path of the file that was opened last
  std::vector<std::string> series;  ///< the series that it belongs to, or the file alone
  std::string note;                 ///< message that came with it
  std::string lesson;               ///< lesson to start, which was opened or dropped; empty: none

  std::vector<std::string> recent;  ///< latest first
  std::vector<bool> missing;        ///< recent files that do not exist any more

  std::string save_as;           ///< typed file name; empty: a new name
  std::string scene_string;      ///< text of an opened file, for Action::paste_scene; empty: use the clipboard
  std::string saved;             ///< path of the last snapshot
  std::optional<double> saving;  ///< progress in [0, 1] of a snapshot that is being saved; nullopt: none
};

}  // namespace pericenter::app
