#pragma once

#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// A memory-mapped file: only accessed pages of a large file use memory. If another program truncates the file while it
/// is mapped, access to the missing pages raises SIGBUS.
class MappedFile {
 public:
  /// Does not block on pipes. Throws InputError if the file does not exist, is not readable, is not a regular file or
  /// is empty.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace pericenter
