#include "sim/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace pericenter {
namespace {

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
};

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const Descriptor file{open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (file.number < 0)
    throw InputError(errno == ENOENT || errno == ENOTDIR
                         ? std::string("There is no such file.")
                         : "The file cannot be opened: " + std::string(std::strerror(errno)) + ".",
                     true);
  struct stat status = {};
  if (fstat(file.number, &status) != 0)
    throw InputError("The file cannot be read: " + std::string(std::strerror(errno)) + ".", true);
  if (S_ISDIR(status.st_mode)) throw InputError("This is a folder. Choose a file in it.");
  if (!S_ISREG(status.st_mode))
    throw InputError("This is a pipe or a device, not a file. Save its data to a file first.");
  if (status.st_size == 0) throw InputError("The file is empty. Copy it again.");
  const auto size = static_cast<std::size_t>(status.st_size);
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (address == MAP_FAILED)
    throw InputError("The file cannot be read: " + std::string(std::strerror(errno)) + ".", true);
  bytes_ = {static_cast<const std::uint8_t*>(address), size};
}

MappedFile::~MappedFile() {
  munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace pericenter
