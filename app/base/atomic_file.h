#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "app/base/exit_code.h"

namespace pericenter::app {

/// A file could not be made (kCannotCreate) or written (kIoError); what() names the path, the reason and what to do.
class FileError : public std::runtime_error {
 public:
  FileError(ExitCode exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  ExitCode code;
};

/// Writes the whole file or leaves what was there: temporary file beside it, room reserved first, fsync, rename.
/// Throws FileError.
void write_file(const std::string& path, std::span<const std::uint8_t> bytes);

/// Throws the FileError that write_file would throw for want of a folder or permission; for asking before a long run.
void check_can_create(const std::string& path);

/// A file that another program writes under a temporary name beside its own; it is gone at the end of its scope unless
/// it was kept.
class UnfinishedFile {
 public:
  /// Makes it, empty. Throws FileError.
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& temporary() const { return temporary_; }
  /// Gives it its name once all is on the disk. Throws FileError.
  void keep();

 private:
  std::string path_, target_, temporary_;
};

/// The first `most` bytes of a file; nullopt when it cannot be read, or is a pipe, which may never end.
std::optional<std::string> first_bytes(const std::string& path, std::size_t most);

/// What a session kept for the next is no longer of use: renames the file `path` to NAME.bad, or empties `path` where
/// that cannot be, so that nothing is written over it. Returns which, as a sentence to go on with.
std::string set_aside(std::string& path);

/// Folder of the pictures of a film NAME.EXTENSION: NAME-frames.
std::string frame_folder(const std::string& film);

/// Path of a new picture or film: pericenter-SCENE-NNNN with `extension` in $XDG_PICTURES_DIR or the home's Pictures if
/// there is one, else in the current folder; never a file that exists, nor one whose frame_folder() does.
std::string new_picture_path(const std::string& scene, const std::string& extension = ".png");
/// The same in a folder.
std::string new_path_in(const std::string& folder, const std::string& scene, const std::string& extension);

}  // namespace pericenter::app
