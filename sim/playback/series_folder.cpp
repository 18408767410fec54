#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "sim/files/foreign_formats.h"
#include "sim/files/formats.h"
#include "sim/playback/series.h"

namespace pericenter {
namespace {

using Paths = std::vector<std::string>;

/// In the order of the numbers in their names, without hidden ones and empty files, such as those of /proc, of which
/// some never end.
Paths entries_in(const std::filesystem::path& folder, std::filesystem::file_type type) {
  Paths found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    const bool is_hidden = entry->path().filename().string().starts_with('.');
    if (is_hidden || entry->status(unknown).type() != type) continue;
    if (type == std::filesystem::file_type::regular && entry->file_size(unknown) == 0) continue;
    found.push_back(entry->path().string());
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) { return strverscmp(a.c_str(), b.c_str()) < 0; });
  return found;
}

std::string short_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// What group finders and codes write beside snapshots: GADGET-4 and AREPO, EAGLE, SWIFT, restart files.
bool is_no_snapshot(const std::string& name) {
  constexpr std::string_view kWords[] = {"fof_", "group_tab", "subhalo_tab", "subfind", "restart"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return name.find(word) != name.npos; });
}

/// SWIFT's virtual file beside its parts: NAME.hdf5 beside NAME.0.hdf5.
bool has_parts(const std::string& path, const Paths& files) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return std::ranges::find(files, path.substr(0, path.size() - ending.size()) + ".0" + ending) != files.end();
}

/// One file of each snapshot in a folder. An output of RAMSES has one info_NNNNN.txt.
Paths snapshots_in(const std::string& folder) {
  const Paths files = entries_in(folder, std::filesystem::file_type::regular);
  Paths found;
  for (const std::string& file : files)
    if (short_name(file).starts_with("info_") && file.ends_with(".txt") && seems_to_hold_bodies(file))
      found.push_back(file);
  if (!found.empty()) return found;
  for (const std::string& file : without_further_parts(files))
    if (!is_no_snapshot(short_name(file)) && !has_parts(file, files) && seems_to_hold_bodies(file))
      found.push_back(file);
  return found;
}

/// "a, b" or "a to z (26)".
std::string list_of(const Paths& paths) {
  if (paths.size() == 1) return short_name(paths.front());
  if (paths.size() == 2) return short_name(paths.front()) + ", " + short_name(paths.back());
  return short_name(paths.front()) + " to " + short_name(paths.back()) + " (" + std::to_string(paths.size()) + ")";
}

/// The first file of each series of several snapshots among `files`.
Paths first_of_series(Paths files) {
  Paths first;
  while (!files.empty()) {
    const Paths series = series_of(files.front());
    if (series.size() > 1) first.push_back(series.front());
    std::erase_if(files, [&](const std::string& file) {
      return file == files.front() || std::ranges::find(series, file) != series.end();
    });
  }
  return first;
}

std::string chosen_from(const Paths& snapshots, bool plays) {
  if (snapshots.size() == 1) return snapshots.front();
  if (!plays)
    throw InputError("This folder has several snapshots: " + list_of(snapshots) +
                     ". Name one of them, or play the series with --play.");
  const Paths series = first_of_series(snapshots);
  if (series.size() == 1) return series.front();
  throw InputError("This folder has " + std::string(series.empty() ? "no" : "more than one") +
                   " series of snapshots: " + list_of(snapshots) + ". Name a file of the one to play.");
}

/// The first snapshot of the only series of the first of these folders that has one: a run, whose start is beside its
/// folder. Empty: there is none.
std::string series_within(const Paths& folders) {
  for (const std::string& folder : folders)
    if (const Paths series = first_of_series(snapshots_in(folder)); series.size() == 1) return series.front();
  return {};
}

std::string file_in(const std::string& folder, bool plays) {
  if (const std::string foreign = foreign_folder(folder); !foreign.empty()) throw InputError(foreign);
  const Paths folders = entries_in(folder, std::filesystem::file_type::directory);
  if (const Paths found = snapshots_in(folder); !found.empty()) {
    const std::string run = plays && found.size() == 1 ? series_within(folders) : "";
    return run.empty() ? chosen_from(found, plays) : run;
  }
  for (const std::string& inner : folders) {
    if (const std::string foreign = foreign_folder(inner); !foreign.empty())
      throw InputError("The folder " + short_name(inner) + " in it: " + foreign);
    const Paths found = snapshots_in(inner);
    if (found.empty()) continue;
    if (plays) return chosen_from(found, plays);
    throw InputError("Its folder " + short_name(inner) + " has snapshots: name " + short_name(inner) + "/" +
                     short_name(found.front()) + " or another file, or play a series with --play.");
  }
  throw InputError("This folder has no snapshot, nor has a folder in it. Looked for files of these formats: " +
                   format_titles() + ". Name a file to see why it is not one.");
}

}  // namespace

std::string file_of_folder(const std::string& path, bool plays) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return path;
  try {
    return file_in(path, plays);
  } catch (const InputError& problem) {
    throw InputError(path + ": " + problem.what(), true);
  }
}

}  // namespace pericenter
