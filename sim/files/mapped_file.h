#pragma once

#include <cstddef>
#include <string>

#include "sim/files/file_stamp.h"
#include "sim/files/snapshot.h"

namespace pericenter {

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
