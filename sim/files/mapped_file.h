#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// Identifies the contents of a file by its inode, size and time of change.
struct FileStamp {
  std::uint64_t device = 0, inode = 0, size = 0;
  std::int64_t seconds = 0, nanoseconds = 0;

  explicit FileStamp(const struct stat& status)
      : device(status.st_dev),
        inode(status.st_ino),
        size(static_cast<std::uint64_t>(status.st_size)),
        seconds(status.st_mtim.tv_sec),
        nanoseconds(status.st_mtim.tv_nsec) {}
  /// All 0 if the file does not exist.
  explicit FileStamp(const std::string& path) : FileStamp(status_of(path)) {}
  friend bool operator==(const FileStamp&, const FileStamp&) = default;

 private:
  static struct stat status_of(const std::string& path) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) status = {};
    return status;
  }
};

inline InputError file_changed_error() {
  return InputError(
      "The file changed while it was read: another program is writing it. Load it again when it is complete.");
}

/// A memory-mapped file: only accessed pages of a large file use memory. If another program truncates the file or a
/// disk fails, the missing pages read as zeros, and require_unchanged() throws. At most 64 files at a time.
class MappedFile {
 public:
  /// Does not block on pipes. Throws InputError if the file does not exist, is not readable, is not a regular file or
  /// is empty.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  Bytes bytes() const { return bytes_; }
  /// Frees the memory of the pages that were accessed; they are read again when they are needed.
  void release() const;
  /// Throws InputError if the file changed since it was opened. Call it after the last access, also after an error.
  void require_unchanged() const;

 private:
  struct Descriptor {
    int number = -1;
    ~Descriptor();
  };

  Descriptor file_;
  FileStamp stamp_;
  Bytes bytes_;
  std::size_t slot_ = 0;  ///< index in the table of the signal handler
};

}  // namespace pericenter
