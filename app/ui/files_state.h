#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/ui/file_browser.h"

namespace pericenter::app {

/// What the panel shows of files, and what is asked of them.
struct FilesState {
  FileBrowser browser;
  bool skip_bad = false;  ///< leave out bodies whose numbers cannot be used

  std::string opened;               ///< the file that was asked for last
  std::vector<std::string> series;  ///< that it belongs to; itself when there are no others
  std::string note;                 ///< what was said of it when it was there

  std::vector<std::string> recent;  ///< newest first
  std::vector<bool> missing;        ///< which of them are not there any more

  std::string save_as;           ///< as it is typed; empty: a new name
  std::string saved;             ///< path of the last snapshot
  std::optional<double> saving;  ///< share of a snapshot that is written; nullopt when none is being saved
};

}  // namespace pericenter::app
