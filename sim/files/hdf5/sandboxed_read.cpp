#include "sim/files/hdf5/sandboxed_read.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fstream>
#include <new>
#include <string>
#include <vector>

namespace pericenter {
namespace {

// Between two messages.
constexpr std::uint64_t kMinSeconds = 5;  ///< CPU time
constexpr std::uint64_t kBytesPerSecond = 50'000'000;
constexpr unsigned kMaxWallSeconds = 60;  ///< including waits for the disk
// Bytes in addition to the memory of the program: for the chunks that the library decompresses.
constexpr std::uint64_t kMinMemory = 128 << 20, kMemoryPerFileByte = 32;
constexpr std::uint64_t kMaxMessage = 1ull << 30;  ///< bytes
constexpr int kIdleMs = 200, kPipeBytes = 1 << 20;
constexpr const char* kCrash = "the library for this format crashes on it: the file is damaged.";
// A fuzzer has no child processes, which would be too slow for millions of inputs; it may crash itself.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr bool kSandboxed = false;
#else
constexpr bool kSandboxed = true;
#endif

using Receive = std::function<void(Bytes message)>;

enum class Kind : std::uint64_t { data, invalid, missing };

/// Precedes each message.
struct MessageHead {
  Kind kind;
  std::uint64_t size;
};

void write_all(int pipe, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = ::write(pipe, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ::_exit(1);  // the parent has gone
    at += count;
    size -= static_cast<std::size_t>(count);
  }
}

void send(int pipe, Kind kind, std::initializer_list<Bytes> parts) {
  MessageHead head = {kind, 0};
  for (const Bytes& part : parts) head.size += part.size();
  write_all(pipe, &head, sizeof head);
  for (const Bytes& part : parts) write_all(pipe, part.data(), part.size());
}

void send(int pipe, Kind kind, const std::string& text) {
  send(pipe, kind, {Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())});
}

/// The limit applies to the address space, most of which the child shares with the program.
void limit_memory(std::uint64_t file_size) {
  std::uint64_t pages = 0;
  if (!(std::ifstream("/proc/self/statm") >> pages)) return;
  const std::uint64_t now = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit memory = {};
  ::getrlimit(RLIMIT_AS, &memory);
  memory.rlim_cur = std::min<rlim_t>(now + kMinMemory + kMemoryPerFileByte * file_size, memory.rlim_max);
  ::setrlimit(RLIMIT_AS, &memory);
}

void start_timers(std::uint64_t file_size) {
  rusage used = {};
  ::getrusage(RUSAGE_SELF, &used);
  const auto spent = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  rlimit seconds = {};
  ::getrlimit(RLIMIT_CPU, &seconds);
  seconds.rlim_cur = std::min<rlim_t>(spent + kMinSeconds + file_size / kBytesPerSecond, seconds.rlim_max);
  ::setrlimit(RLIMIT_CPU, &seconds);
  ::alarm(kMaxWallSeconds);
}

[[noreturn]] void run_child(int pipe, std::uint64_t file_size, const std::function<void(const SendBytes& send)>& read) {
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM, SIGXCPU}) ::signal(signal, SIG_DFL);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);  // libraries print to it when they crash
  limit_memory(file_size);
  start_timers(file_size);
  try {
    read([&](std::initializer_list<Bytes> parts) {
      ::alarm(0);  // the parent may take its time
      send(pipe, Kind::data, parts);
      start_timers(file_size);
    });
  } catch (const InputError& error) {
    send(pipe, error.missing ? Kind::missing : Kind::invalid, std::string(error.what()));
  } catch (const std::bad_alloc&) {
    send(pipe, Kind::invalid, "reading it needs more memory than a file of its size should: the file is damaged.");
  } catch (const std::exception& error) {
    send(pipe, Kind::invalid, "it cannot be read: " + std::string(error.what()) + ".");
  }
  ::_exit(0);
}

/// The child process and the end of the pipe from which its messages are read.
class Child {
 public:
  Child(pid_t id, int pipe) : id_(id), pipe_(pipe) {}
  ~Child() {
    ::close(pipe_);
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    wait();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Exit status; the child must have closed its pipe.
  int wait() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    id_ = 0;
    return status;
  }

  /// False at the end of the messages.
  bool read(void* data, std::size_t size, const std::function<void()>& idle) const {
    char* at = static_cast<char*>(data);
    while (size > 0) {
      pollfd ready = {pipe_, POLLIN, 0};
      if (::poll(&ready, 1, kIdleMs) == 0) idle();
      if (ready.revents == 0) continue;
      const ssize_t count = ::read(pipe_, at, size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      at += count;
      size -= static_cast<std::size_t>(count);
    }
    return true;
  }

 private:
  pid_t id_;
  int pipe_;
};

void receive_all(const Child& child, const Receive& receive) {
  std::vector<std::uint8_t> message;
  MessageHead head = {};
  const auto idle = [&] { receive({}); };
  while (child.read(&head, sizeof head, idle)) {
    if (head.size > kMaxMessage) throw InputError(kCrash);
    message.resize(head.size);
    if (!child.read(message.data(), message.size(), idle)) return;
    if (head.kind != Kind::data) throw InputError({message.begin(), message.end()}, head.kind == Kind::missing);
    receive(message);
  }
}

/// Reads without a child process.
void read_here(const std::function<void(const SendBytes& send)>& read, const Receive& receive) {
  read([&](std::initializer_list<Bytes> parts) {
    std::vector<std::uint8_t> message;
    for (const Bytes& part : parts) message.insert(message.end(), part.begin(), part.end());
    receive(message);
  });
}

}  // namespace

void sandboxed_read(std::uint64_t file_size, const std::function<void(const SendBytes& send)>& read,
                    const std::function<void(Bytes message)>& receive) {
  std::array<int, 2> pipe;
  if (!kSandboxed || ::pipe2(pipe.data(), O_CLOEXEC) != 0) return read_here(read, receive);
  ::fcntl(pipe[1], F_SETPIPE_SZ, kPipeBytes);  // fewer switches between the processes
  const pid_t id = ::fork();
  if (id == 0) run_child(pipe[1], file_size, read);
  ::close(pipe[1]);
  Child child(id, pipe[0]);
  if (id < 0) return read_here(read, receive);
  receive_all(child, receive);
  const int status = child.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGALRM)
    throw InputError("reading it timed out: the disk does not respond or the file is damaged. Copy it and try again.");
  const bool endless = signal == SIGXCPU || signal == SIGKILL;
  throw InputError(endless ? "reading it never ends: the file is damaged." : kCrash);
}

}  // namespace pericenter
