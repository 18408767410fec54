#include "app/settings/file_uses.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

#include "app/settings/command_line_error.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string FileUses::resolved(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as in Linux
  std::error_code error;
  fs::path target = fs::absolute(path, error);
  // A link to a file that does not exist: writing creates that file.
  for (int k = 0; k < kMaxLinks && fs::is_symlink(target, error) && !fs::exists(target, error); ++k)
    target = target.parent_path() / fs::read_symlink(target, error);
  const fs::path full = fs::weakly_canonical(target, error);
  return fs::is_other(full, error) ? std::string() : full.string();
}

void FileUses::add(const std::string& option, const std::string& path, bool is_written) {
  File added{option, path.empty() ? path : resolved(path), is_written};
  if (added.path.empty()) return;
  struct stat status = {};
  if (::stat(added.path.c_str(), &status) == 0) added.inode = {status.st_dev, status.st_ino};
  for (const File& other : files_) {
    const bool is_same = other.path == added.path || (other.inode && other.inode == added.inode);
    if (is_same && (is_written || other.is_written))
      throw CommandLineError(other.option + " and " + option + " name the same file " + path +
                             "; choose another name.");
  }
  files_.push_back(std::move(added));
}

}  // namespace pericenter::app
