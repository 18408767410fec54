#include "app/base/temporary_file.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "app/base/format.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

/// Where process ids are unique: a hash (FNV-1a) of the names of the machine and of the process's namespace. Other
/// machines and containers may write into the same folder.
std::uint32_t machine_hash() {
  std::array<char, 256> name = {}, space = {};
  ::gethostname(name.data(), name.size() - 1);
  if (::readlink("/proc/self/ns/pid", space.data(), space.size() - 1) < 0) space[0] = '\0';
  std::uint32_t hash = 2166136261u;
  for (const char letter : std::string(name.data()) + "/" + space.data())
    hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
  return hash;
}

/// Part of the name of a temporary file before the process id.
std::string temporary_mark() {
  static const std::string mark = text(".tmp-%08x-", machine_hash());
  return mark;
}

/// The process id in the name of a temporary file of this machine: NAME.tmp-HASH-ID-NUMBER.
std::optional<pid_t> writer_of(const std::string& name) {
  const std::string mark = temporary_mark();
  const std::size_t at = name.rfind(mark);
  if (at == name.npos) return std::nullopt;
  const std::string_view rest = std::string_view(name).substr(at + mark.size());
  pid_t id = 0;
  int number = 0;
  const char* const end = rest.data() + rest.size();
  const auto after_id = std::from_chars(rest.data(), end, id);
  if (after_id.ec != std::errc() || after_id.ptr == end || *after_id.ptr != '-' || id <= 0) return std::nullopt;
  const auto after_number = std::from_chars(after_id.ptr + 1, end, number);
  if (after_number.ec != std::errc() || after_number.ptr != end) return std::nullopt;
  return id;
}

std::size_t max_name_bytes(const fs::path& folder) {
  const long most = ::pathconf(folder.empty() ? "." : folder.c_str(), _PC_NAME_MAX);
  return most > 0 ? static_cast<std::size_t>(most) : 255;
}

}  // namespace

std::string path_with_ending(const std::string& path, const std::string& ending) {
  const fs::path whole(path);
  std::string name = whole.filename().string();
  const std::size_t most = max_name_bytes(whole.parent_path());
  if (name.size() + ending.size() > most && ending.size() < most) {
    std::size_t size = most - ending.size();
    while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xc0) == 0x80) --size;  // inside of a character
    name.resize(size);
  }
  return (whole.parent_path() / (name + ending)).string();
}

std::string temporary_name(const std::string& target, int number) {
  return path_with_ending(target, temporary_mark() + std::to_string(::getpid()) + "-" + std::to_string(number));
}

void remove_abandoned_files(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  std::error_code error;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::optional<pid_t> writer = writer_of(entry->path().filename().string());
    const bool gone = writer && ::kill(*writer, 0) != 0 && errno == ESRCH;
    if (gone && fs::is_regular_file(entry->symlink_status(error))) ::unlink(entry->path().c_str());
  }
}

}  // namespace pericenter::app
