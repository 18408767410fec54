#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/base/exit_code.h"
#include "sim/core/printable.h"

namespace pericenter::app {

/// A file could not be created (kCannotCreate) or written (kIoError); what() names the path, the reason and a remedy.
class FileError : public ExitError {
 public:
  FileError(ExitCode exit_code, const std::string& message) : ExitError(exit_code, printable(message)) {}
};

/// Writes the whole file or keeps the old one: reserves space in a temporary file next to it, syncs, renames. Throws
/// FileError.
void write_file(const std::string& path, std::span<const std::uint8_t> bytes);
void write_file(const std::string& path, std::string_view text);

/// Throws the FileError that write_file() would throw for a missing folder or permission. Call it before a long run: it
/// also removes temporary files that killed processes of this machine left in the folder.
void check_can_create(const std::string& path);

/// A temporary file that another program writes. Removes those of killed processes. Deleted at the end of the scope
/// unless keep() was called.
class UnfinishedFile {
 public:
  /// Creates it, empty. Throws FileError.
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  /// Syncs it and renames it to its final name. Throws FileError.
  void keep();

 private:
  std::string path_, target_, temporary_;
};

/// The first `max` bytes of a text file, without its byte order mark; nullopt if it cannot be read or is a pipe.
std::optional<std::string> first_bytes(const std::string& path, std::size_t max);

/// Renames an invalid settings file to NAME.bad. If that fails, clears `path`, so that the file is not overwritten.
/// Returns what was done, as a sentence of an error message.
std::string set_aside(std::string& path);

/// Folder of the numbered frames of a video NAME.EXTENSION: NAME-frames, shortened if the file system demands it.
std::string frame_folder(const std::string& video);

/// Name of a file of --save-every: "run_000040.hdf5" for "run.hdf5" after 40 steps, so that a run that continues from
/// its own file continues its series.
std::string series_file(const std::string& save, std::uint64_t steps);
/// Whether series_file(save) returns `path` for some number of steps.
bool is_series_file(const std::string& save, const std::string& path);

/// Path of a new image or video: pericenter-SCENE-NNNN with `extension` in $XDG_PICTURES_DIR, ~/Pictures or the current
/// folder, the first that exists. Neither the file nor its frame_folder() exists. A long SCENE is shortened.
std::string new_output_path(const std::string& scene, const std::string& extension = ".png");
/// The same in a folder.
std::string new_path_in(const std::string& folder, const std::string& scene, const std::string& extension);

}  // namespace pericenter::app
