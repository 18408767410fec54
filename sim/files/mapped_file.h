#pragma once

#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// The bytes of a file, mapped and not read, so that a large one takes memory only where it is looked at.
/// A file that another program shortens meanwhile ends this one: the system has no other answer to what is not there.
class MappedFile {
 public:
  /// Never waits, as a pipe would let it. Throws InputError when there is no such file, it may not be read, it is none
  /// (a folder, a pipe, a device) or it is empty.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace pericenter
