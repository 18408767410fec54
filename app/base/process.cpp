#include "app/base/process.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace pericenter::app {
namespace {

/// Settings of posix_spawn(): these streams, no blocked signal, its own process group.
class SpawnSettings {
 public:
  SpawnSettings(int input, int output) {
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_adddup2(&streams, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&streams, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&streams, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&streams);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t streams;
  posix_spawnattr_t attributes;
};

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& words) {
  // A socket instead of a pipe: send() can suppress SIGPIPE when the child has exited.
  std::array<int, 2> ends;
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), words.front());
  input_ = ends[0];
  output_ = ::memfd_create("output", MFD_CLOEXEC);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int error = output_ < 0 ? errno : 0;
  if (error == 0) {
    const SpawnSettings settings(ends[1], output_);
    error = ::posix_spawnp(&id_, arguments[0], &settings.streams, &settings.attributes, arguments.data(), environ);
  }
  ::close(ends[1]);
  if (error == 0) return;
  close_input();
  if (output_ >= 0) ::close(output_);
  throw std::system_error(error, std::generic_category(), words.front());
}

ChildProcess::~ChildProcess() {
  if (id_ != 0) ::kill(id_, SIGKILL);
  finish();
  ::close(output_);
}

void ChildProcess::close_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

bool ChildProcess::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

int ChildProcess::finish() {
  close_input();
  int status = 0;
  while (id_ != 0 && ::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string ChildProcess::output() const {
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got; (got = ::pread(output_, part.data(), part.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  return text;
}

}  // namespace pericenter::app
