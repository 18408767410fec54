#include "app/base/process.h"

#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#include "sim/core/clock.h"

namespace pericenter::app {
namespace {

constexpr std::chrono::milliseconds kFirstPause(1), kPause(20);  // pauses between two checks of the child
constexpr int kPollMs = 50, kKillChecks = 50;
constexpr double kMaxImpatientSeconds = 4;

/// Process groups of the running children; 0: none. More than these are not killed by kill_children().
std::array<std::atomic<pid_t>, 16> running_groups;

void exchange_group(pid_t old, pid_t other) {
  for (std::atomic<pid_t>& group : running_groups)
    if (pid_t expected = old; group.compare_exchange_strong(expected, other)) return;
}

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

/// Bytes that a process and its children have read and written; does not grow if that is unknown.
std::uint64_t moved_bytes(const std::string& id) {
  const std::string folder = "/proc/" + id;
  std::ifstream counts(folder + "/io");
  std::string name;
  std::uint64_t bytes = 0, count = 0;
  while (counts >> name >> count && (name == "rchar:" || name == "wchar:")) bytes += count;
  std::ifstream children(folder + "/task/" + id + "/children");
  for (std::string child; children >> child;) bytes += moved_bytes(child);
  return bytes;
}

}  // namespace

/// Notices that the child has stopped working.
class ChildProcess::Watch {
 public:
  explicit Watch(const ChildProcess& child) : child_(child), moved_(moved_bytes(std::to_string(child.id_))) {}

  void worked() { since_ = Clock::now(); }
  bool too_long() {
    const std::uint64_t moved = moved_bytes(std::to_string(child_.id_));
    if (std::exchange(moved_, moved) != moved) worked();
    const double patience = child_.patience_();
    if (patience > kImpatient) impatient_since_ = Clock::now();
    return seconds_between(since_, Clock::now()) > patience ||
           seconds_between(impatient_since_, Clock::now()) > kMaxImpatientSeconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const ChildProcess& child_;
  std::uint64_t moved_;
  Clock::time_point since_ = Clock::now(), impatient_since_ = since_;
};

void kill_children() noexcept {
  for (const std::atomic<pid_t>& group : running_groups)
    if (const pid_t id = group; id != 0) ::kill(-id, SIGKILL);
}

ChildProcess::ChildProcess(const std::vector<std::string>& words, Patience patience) : patience_(std::move(patience)) {
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
  if (error == 0) {
    exchange_group(0, id_);
    return;
  }
  close_input();
  if (output_ >= 0) ::close(output_);
  throw std::system_error(error, std::generic_category(), words.front());
}

ChildProcess::~ChildProcess() {
  close_input();
  kill();
  ::close(output_);
}

void ChildProcess::close_input() {
  if (input_ >= 0) ::close(std::exchange(input_, -1));
}

/// Kills the group. Does not wait for a process that even SIGKILL does not end, such as one on a disk that is gone.
void ChildProcess::kill() {
  if (id_ == 0) return;
  ::kill(-id_, SIGKILL);
  for (int k = 0; k < kKillChecks && ::waitpid(id_, nullptr, WNOHANG) == 0; ++k) std::this_thread::sleep_for(kPause);
  exchange_group(id_, 0);
  id_ = 0;
}

bool ChildProcess::write(std::span<const std::uint8_t> bytes) {
  Watch watch(*this);
  while (!bytes.empty() && !stopped_) {
    const ssize_t sent = ::send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
      watch.worked();
    } else if (errno == EAGAIN) {
      pollfd ready = {input_, POLLOUT, 0};
      ::poll(&ready, 1, kPollMs);
      stopped_ = ready.revents == 0 && watch.too_long();
    } else if (errno != EINTR) {
      return false;
    }
  }
  return bytes.empty();
}

std::optional<int> ChildProcess::finish() {
  close_input();
  Watch watch(*this);
  int status = 0;
  for (auto pause = kFirstPause; id_ != 0 && !stopped_; pause = std::min(2 * pause, kPause)) {
    if (const int ended = ::waitpid(id_, &status, WNOHANG); ended != 0 && (ended > 0 || errno != EINTR)) {
      exchange_group(id_, 0);
      id_ = 0;
      break;
    }
    stopped_ = watch.too_long();
    std::this_thread::sleep_for(pause);
  }
  kill();
  if (stopped_) return std::nullopt;
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
