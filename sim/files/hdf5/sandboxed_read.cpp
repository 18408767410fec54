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

constexpr rlim_t kMaxSeconds = 5;         ///< of processor time
constexpr unsigned kMaxWallSeconds = 60;  ///< also while it waits, for a disk or for ever
// A process for each of ten million inputs would take a fuzzer a day; its own may break down.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
constexpr bool kInTheParent = true;
#else
constexpr bool kInTheParent = false;
#endif
// What the child says first.
constexpr char kWrong = 'w', kMissing = 'm';

void say(int pipe, char kind, const std::string& what) {
  const std::string message = kind + what;
  // A pipe takes that much at once, or else the parent knows it by the exit code.
  if (::write(pipe, message.data(), message.size()) < 0) ::_exit(1);
}

[[noreturn]] void run_child(int pipe, const std::function<void()>& read) {
  const rlimit seconds = {kMaxSeconds, kMaxSeconds}, no_core = {0, 0};
  ::setrlimit(RLIMIT_CPU, &seconds);
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM}) ::signal(signal, SIG_DFL);
  ::alarm(kMaxWallSeconds);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);  // libraries print when they break down
  try {
    read();
  } catch (const InputError& error) {
    say(pipe, error.missing ? kMissing : kWrong, error.what());
  } catch (const std::exception&) {
    // Want of memory and the like, which the parent meets by itself.
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
  if (kInTheParent) return;
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
    throw InputError("the disk does not deliver it, or the file is damaged; copy it and try again.");
  const bool endless = signal == SIGXCPU || signal == SIGKILL;
  throw InputError(endless ? "reading it comes to no end: the file is damaged."
                           : "the library that reads it breaks down over it: the file is damaged.");
}

}  // namespace pericenter
