#include "app/base/atomic_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/base/signals.h"
#include "app/base/temporary_file.h"
#include "sim/core/fault_injection.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  int get() const { return fd_; }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

/// Deletes the file at the end of its scope unless it was renamed to its final name.
struct TemporaryFile {
  TemporaryFile(std::string name, Descriptor opened) : path(std::move(name)), descriptor(std::move(opened)) {}
  ~TemporaryFile() {
    if (!path.empty()) ::unlink(path.c_str());
  }
  TemporaryFile(TemporaryFile&& other) noexcept
      : path(std::exchange(other.path, {})), descriptor(std::move(other.descriptor)) {}
  TemporaryFile& operator=(TemporaryFile&&) = delete;

  std::string path;
  Descriptor descriptor;
};

std::string reason(int error) {
  switch (error) {
    case ENOENT:
      return "its folder does not exist; create the folder or choose another one";
    case ENOTDIR:
      return "a part of the path is a file, not a folder; choose another path";
    case EACCES:
    case EPERM:
      return "no write permission; choose another folder";
    case EROFS:
      return "the disk is read-only; choose another folder";
    case ENOSPC:
    case EDQUOT:
      return "the disk is full; free some space or choose another folder";
    case EFBIG:
      return "it exceeds the file size limit of this system; choose another folder or run fewer steps";
    case ENAMETOOLONG:
      return "the name is too long; choose a shorter one";
    default:
      return std::strerror(error);
  }
}

[[noreturn]] void fail_to_create(const std::string& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT;
  throw FileError(full ? kIoError : kCannotCreate, "Cannot create " + path + ": " + reason(error) + ".");
}

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  throw FileError(kIoError, "Cannot write " + path + ": " + reason(error) + ".");
}

/// none if unknown; opening the file reports why.
fs::file_type type_of(const std::string& path) {
  std::error_code error;
  return fs::status(path, error).type();
}

/// Devices and pipes are written directly; a rename would replace /dev/null by a file.
bool is_special(const std::string& path) {
  const fs::file_type type = type_of(path);
  return type == fs::file_type::character || type == fs::file_type::fifo;
}

/// Target of a symbolic link, so that the rename keeps the link.
std::string target_of(const std::string& path) {
  if (path.empty()) throw FileError(kCannotCreate, "Cannot create a file without a name.");
  std::error_code error;
  const fs::path target = fs::canonical(path, error);
  return error ? path : target.string();
}

TemporaryFile make_temporary(const std::string& path, const std::string& target) {
  if (type_of(target) == fs::file_type::directory) {
    throw FileError(kCannotCreate, "Cannot create " + path + ": it is a folder; add a file name.");
  }
  if (::access(target.c_str(), W_OK) != 0 && errno != ENOENT) fail_to_create(path, errno);
  for (int attempt = 0;; ++attempt) {
    std::string name = temporary_name(target, attempt);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return TemporaryFile(std::move(name), Descriptor(fd));
    if (errno != EEXIST || attempt == 100) fail_to_create(path, errno);
  }
}

void write_all(const Descriptor& descriptor, const std::string& path, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_to_write(path, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

/// A pipe may have no reader yet, or a slow one: waits for it until a signal arrives.
void write_special(const std::string& path, const std::string& target, std::span<const std::uint8_t> bytes) {
  constexpr int kPauseMs = 20;
  const auto open_now = [&] { return ::open(target.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC); };
  int opened = open_now();
  while (opened < 0 && errno == ENXIO && !StopSignals::any_raised()) {
    ::poll(nullptr, 0, kPauseMs);
    opened = open_now();
  }
  const Descriptor device(opened);
  if (opened < 0 && errno == ENXIO)
    throw FileError(kIoError, "Cannot write " + path + ": it is a pipe, and nobody reads it.");
  if (opened < 0) fail_to_create(path, errno);
  while (!bytes.empty()) {
    const ssize_t written = ::write(device.get(), bytes.data(), bytes.size());
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready = {device.get(), POLLOUT, 0};
      if (::poll(&ready, 1, kPauseMs) == 0 && StopSignals::any_raised())
        throw FileError(kIoError, "Cannot write " + path + ": interrupted while nobody read the pipe.");
    } else if (errno != EINTR) {
      fail_to_write(path, errno);
    }
  }
}

/// Some file systems cannot reserve space; there the write itself reports a full disk.
void reserve_space(const Descriptor& descriptor, const std::string& path, std::size_t size) {
  if (size == 0) return;
  const int error =
      should_fail(Fault::disk_full) ? ENOSPC : ::posix_fallocate(descriptor.get(), 0, static_cast<off_t>(size));
  if (error != 0 && error != EOPNOTSUPP && error != EINVAL) fail_to_write(path, error);
}

/// A rename is durable once its folder is synced; not all file systems support that, so failure is ignored.
void sync_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  const Descriptor opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() >= 0) ::fsync(opened.get());
}

fs::path picture_folder() {
  std::array<fs::path, 2> candidates;
  if (const char* pictures = std::getenv("XDG_PICTURES_DIR")) candidates[0] = pictures;
  if (const char* home = std::getenv("HOME")) candidates[1] = fs::path(home) / "Pictures";
  for (const fs::path& folder : candidates) {
    std::error_code error;
    if (!folder.empty() && fs::is_directory(folder, error) && ::access(folder.c_str(), W_OK) == 0) return folder;
  }
  return {};
}

}  // namespace

void check_can_create(const std::string& path) {
  const std::string target = target_of(path);
  remove_abandoned_files(target);
  if (is_special(target)) {
    if (::access(target.c_str(), W_OK) != 0) fail_to_create(path, errno);
    return;
  }
  make_temporary(path, target);
}

void write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
  const std::string target = target_of(path);
  if (is_special(target)) return write_special(path, target, bytes);
  TemporaryFile file = make_temporary(path, target);
  reserve_space(file.descriptor, path, bytes.size());
  write_all(file.descriptor, path, bytes);
  if (::fsync(file.descriptor.get()) != 0) fail_to_write(path, errno);
  if (!file.descriptor.close()) fail_to_write(path, errno);
  if (::rename(file.path.c_str(), target.c_str()) != 0) fail_to_write(path, errno);
  file.path.clear();
  sync_folder_of(target);
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

UnfinishedFile::UnfinishedFile(const std::string& path) : path_(path), target_(target_of(path)) {
  if (is_special(target_)) {
    throw FileError(kCannotCreate, "Cannot create " + path + ": it is a device or a pipe; choose a file.");
  }
  remove_abandoned_files(target_);
  TemporaryFile file = make_temporary(path, target_);
  temporary_ = std::exchange(file.path, {});
}

UnfinishedFile::~UnfinishedFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void UnfinishedFile::keep() {
  const Descriptor written(::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC));
  if (written.get() < 0 || ::fsync(written.get()) != 0) fail_to_write(path_, errno);
  if (should_fail(Fault::disk_full)) fail_to_write(path_, ENOSPC);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail_to_write(path_, errno);
  temporary_.clear();
  sync_folder_of(target_);
}

std::optional<std::string> first_bytes(const std::string& path, std::size_t max) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0 || type_of(path) == fs::file_type::fifo) return std::nullopt;
  std::string bytes(max, '\0');
  for (std::size_t size = 0;;) {
    const ssize_t got = ::read(file.get(), bytes.data() + size, max - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    size += static_cast<std::size_t>(got);
    if (got > 0 && size < max) continue;
    bytes.resize(size);
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
    return bytes;
  }
}

std::string set_aside(std::string& path) {
  const std::string name = path + ".bad";
  if (::rename(path.c_str(), name.c_str()) == 0)
    return "It was renamed to " + fs::path(name).filename().string() + "; a new file will be created.";
  path.clear();
  return "Fix or delete it; nothing is saved there until then.";
}

std::string frame_folder(const std::string& video) {
  return path_with_ending(fs::path(video).replace_extension().string(), "-frames");
}

std::string series_file(const std::string& save, std::uint64_t steps) {
  constexpr std::size_t kDigits = 6;
  const fs::path path = save;
  std::string number = std::to_string(steps);
  number.insert(0, number.size() < kDigits ? kDigits - number.size() : 0, '0');
  return (path.parent_path() / (path.stem().string() + "_" + number + path.extension().string())).string();
}

bool is_series_file(const std::string& save, const std::string& path) {
  const std::string name = fs::path(path).stem().string();
  const std::string digits = name.substr(std::min(name.size(), fs::path(save).stem().string().size() + 1));
  std::uint64_t steps = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), steps);
  return error == std::errc() && series_file(save, steps) == path;
}

std::string new_output_path(const std::string& scene, const std::string& extension) {
  return new_path_in(picture_folder().string(), scene, extension);
}

std::string new_path_in(const std::string& folder, const std::string& scene, const std::string& extension) {
  constexpr std::string_view kPrefix = "pericenter-";
  // A run loaded from a saved file has the prefix already.
  std::string name = scene.starts_with(kPrefix) ? scene : std::string(kPrefix) + scene;
  std::ranges::replace(name, '/', '_');  // a damaged file may contain them
  for (int number = 1;; ++number) {
    std::array<char, 16> digits;
    std::snprintf(digits.data(), digits.size(), "-%04d", number);
    const fs::path path = path_with_ending((fs::path(folder) / name).string(), digits.data() + extension);
    const auto taken = [](const fs::path& other) {
      std::error_code error;
      return fs::exists(fs::symlink_status(other, error));
    };
    if (!taken(path) && !taken(frame_folder(path.string()))) return path.string();
  }
}

}  // namespace pericenter::app
