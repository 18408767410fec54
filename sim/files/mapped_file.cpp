#include "sim/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>

namespace pericenter {
namespace {

/// A mapping that the signal handler repairs; free if `begin` is 0.
struct Mapping {
  std::atomic<std::uintptr_t> begin = 0, end = 0;
  std::atomic<bool> lost = false;
};

// Static, because a signal handler has no other access to data.
constinit std::array<Mapping, 64> mappings;
struct sigaction previous_action;

/// Access to a page that is no longer in the file raises SIGBUS. Replaces the rest of the mapping by zeros.
void repair_mapping(int, siginfo_t* info, void*) {
  const int saved_errno = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const bool is_access = info->si_code > 0;  // otherwise a process sent the signal
  for (Mapping& mapping : mappings) {
    if (!(is_access && address >= mapping.begin && address < mapping.end)) continue;
    const std::uintptr_t page = address - address % static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    if (mmap(reinterpret_cast<void*>(page), mapping.end - page, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
      break;
    }
    mapping.lost = true;
    errno = saved_errno;
    return;
  }
  // Not one of ours: the previous action gets the signal when the instruction is repeated.
  sigaction(SIGBUS, &previous_action, nullptr);
  if (!is_access) raise(SIGBUS);
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = repair_mapping;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGBUS, &action, &previous_action);
  });
}

std::size_t add_mapping(Bytes bytes) {
  install_handler();
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
  for (std::size_t slot = 0; slot < mappings.size(); ++slot) {
    std::uintptr_t free = 0;
    if (!mappings[slot].begin.compare_exchange_strong(free, begin)) continue;
    mappings[slot].lost = false;
    mappings[slot].end = begin + bytes.size();
    return slot;
  }
  munmap(const_cast<std::uint8_t*>(bytes.data()), bytes.size());
  throw InputError("Too many files are being read at once. Try again.");
}

struct stat checked_status(int file) {
  if (file < 0)
    throw InputError(errno == ENOENT || errno == ENOTDIR
                         ? std::string("There is no such file.")
                         : "The file cannot be opened: " + std::string(std::strerror(errno)) + ".",
                     true);
  struct stat status = {};
  if (fstat(file, &status) != 0)
    throw InputError("The file cannot be read: " + std::string(std::strerror(errno)) + ".", true);
  if (S_ISDIR(status.st_mode)) throw InputError("This is a folder. Choose a file in it.");
  if (!S_ISREG(status.st_mode))
    throw InputError("This is a pipe or a device, not a file. Save its data to a file first.");
  if (status.st_size == 0) throw InputError("The file is empty. Copy it again.");
  return status;
}

}  // namespace

MappedFile::Descriptor::~Descriptor() {
  if (number >= 0) close(number);
}

MappedFile::MappedFile(const std::string& path)
    : file_{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)}, stamp_(checked_status(file_.number)) {
  void* address = mmap(nullptr, stamp_.size, PROT_READ, MAP_PRIVATE, file_.number, 0);
  if (address == MAP_FAILED)
    throw InputError("The file cannot be read: " + std::string(std::strerror(errno)) + ".", true);
  bytes_ = {static_cast<const std::uint8_t*>(address), stamp_.size};
  slot_ = add_mapping(bytes_);
}

void MappedFile::release() const {
  if (!mappings[slot_].lost) madvise(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

void MappedFile::require_unchanged() const {
  struct stat status = {};
  if (fstat(file_.number, &status) != 0 || FileStamp(status) != stamp_) throw file_changed_error();
  if (mappings[slot_].lost)
    throw InputError("The file cannot be read: the disk reports errors. Copy it and try again.");
}

MappedFile::~MappedFile() {
  mappings[slot_].end = 0;
  munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
  mappings[slot_].begin = 0;
}

}  // namespace pericenter
