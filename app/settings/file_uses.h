#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pericenter::app {

/// The files that a command reads and writes: no output may replace an input or another output. Files are told apart by
/// their paths without links and dots, and those that exist also by device and inode, so that a hard link is the same
/// file. Devices and pipes may be shared.
class FileUses {
 public:
  struct File {
    std::string option;  ///< "--csv", or what the file is: "the lesson"
    std::string path;    ///< canonical path
    bool is_written = false;
    std::optional<std::pair<unsigned long, unsigned long>> inode = {};  ///< device and inode; nullopt: a new file
  };

  /// Throw CommandLineError if another option has the file and one of both writes it. An empty path is no file.
  void read(const std::string& option, const std::string& path) { add(option, path, false); }
  void write(const std::string& option, const std::string& path) { add(option, path, true); }

  const std::vector<File>& files() const { return files_; }
  /// A path as in File; empty for devices and pipes.
  static std::string resolved(const std::string& path);

 private:
  void add(const std::string& option, const std::string& path, bool is_written);

  std::vector<File> files_;
};

}  // namespace pericenter::app
