#include "sim/files/hdf5/sandboxed_read.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {
namespace {

constexpr rlim_t kMaxSeconds = 5;         ///< of CPU time
constexpr unsigned kMaxWallSeconds = 60;  ///< including waits for the disk
// A fuzzer has no child processes, which would be too slow for millions of inputs; it may crash itself.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr bool kSandboxed = false;
#else
constexpr bool kSandboxed = true;
#endif
// First character of the message of the child.
constexpr char kInvalid = 'w', kMissing = 'm';

void send(int pipe, char kind, const std::string& what) {
  const std::string message = kind + what;
  // The pipe buffer holds the whole message; on failure the exit code tells the parent.
  if (::write(pipe, message.data(), message.size()) < 0) ::_exit(1);
}

[[noreturn]] void run_child(int pipe, const std::function<void()>& read) {
  const rlimit seconds = {kMaxSeconds, kMaxSeconds}, no_core = {0, 0};
  ::setrlimit(RLIMIT_CPU, &seconds);
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM}) ::signal(signal, SIG_DFL);
  ::alarm(kMaxWallSeconds);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);  // libraries print to it when they crash
  try {
    read();
  } catch (const InputError& error) {
    send(pipe, error.missing ? kMissing : kInvalid, error.what());
  } catch (const std::exception&) {
    // Out of memory and similar errors also occur in the parent.
  }
  ::_exit(0);
}

std::string all_of(int pipe) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

void sandboxed_read(const std::function<void()>& read) {
  if (!kSandboxed) return;
  std::array<int, 2> pipe;
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return;
  const pid_t child = ::fork();
  if (child == 0) run_child(pipe[1], read);
  ::close(pipe[1]);
  const std::string message = child > 0 ? all_of(pipe[0]) : "";
  ::close(pipe[0]);
  if (child < 0) return;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!message.empty()) throw InputError(message.substr(1), message[0] == kMissing);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGALRM)
    throw InputError("reading it timed out: the disk does not respond or the file is damaged. Copy it and try again.");
  const bool endless = signal == SIGXCPU || signal == SIGKILL;
  throw InputError(endless ? "reading it does not end: the file is damaged."
                           : "the HDF5 library crashes on it: the file is damaged.");
}

}  // namespace pericenter
