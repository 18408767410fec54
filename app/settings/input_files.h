#pragma once

#include <string>

#include "app/settings/option_values.h"
#include "app/settings/options.h"

namespace pericenter::app {

/// The path of a readable file, or of the one in a folder by file_of_folder(); its reader checks the contents. Throws
/// CommandLineError.
std::string checked_input(const Argument& argument, bool plays);

/// The scene string of a text file that begins with "pericenter/"; empty for other files and those above 64 KiB.
std::string scene_string_in(const std::string& path);

/// Whether a snapshot that is opened alone plays the series that it belongs to. Snapshots that the window saved are
/// numbered, but no series.
bool opens_as_series(const std::string& path);

/// A file without an option. The settings of a scene string are applied; other files wait for open_given_files().
/// Throws CommandLineError.
void add_given_file(const std::string& path, Options& options);

/// Opens Options::files as if they were dropped on the window: a lesson (.toml), a snapshot, a series; without a window
/// one file is always a snapshot. Throws CommandLineError.
void open_given_files(Options& options);

}  // namespace pericenter::app
