#include "tests/support/program.h"
#include "tests/support/paths.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace pericenter::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(60);

/// Becomes the program; its streams go to files in `home`, where a graphics driver may also keep a cache.
[[noreturn]] void become_program(const Start& start, const TemporaryFolder& home) {
  if (start.file_size_limit != 0) {
    const rlimit limit = {start.file_size_limit, start.file_size_limit};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"}) ::unsetenv(name);
  ::setenv("HOME", home.path().c_str(), 1);
  ::setenv("XDG_PICTURES_DIR", start.folder.c_str(), 1);
  if (start.has_nothing_else) ::clearenv();
  for (const auto& [name, value] : start.environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::dup2(::open((home / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
  ::dup2(::open((home / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
  std::vector<std::string> words = {start.program.empty() ? test::kProgram : start.program};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (::chdir(start.folder.c_str()) == 0) ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

/// Processor time of all threads.
double computed_seconds(pid_t child) {
  clockid_t clock = 0;
  timespec time = {};
  if (::clock_getcpuclockid(child, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Waits for the end of `child`, and signals it when it is time to.
int exit_code_of(pid_t child, const Start& start, const fs::path& err, rusage& usage) {
  const auto deadline = Clock::now() + kPatience;
  const auto is_time = [&] {
    return computed_seconds(child) >= start.signal_after && (!start.signal_when || start.signal_when(text_of(err)));
  };
  std::size_t sent = start.signal_when || start.signal_after > 0 ? 0 : start.signals.size();
  auto next_signal = Clock::now();
  for (int status = 0;;) {
    if (::wait4(child, &status, WNOHANG, &usage) == child) {
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    if (sent < start.signals.size() && Clock::now() >= next_signal && (sent > 0 || is_time())) {
      ::kill(child, start.signals[sent++]);
      next_signal = Clock::now() + std::chrono::milliseconds(500);
    }
    if (Clock::now() > deadline) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return 124;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "pericenter test XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(path_)) found.push_back(entry.path().filename().string());
  std::sort(found.begin(), found.end());
  return found;
}

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

Outcome run_program(const Start& start) {
  const TemporaryFolder home;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) become_program(start, home);
  const auto begin = Clock::now();
  rusage usage = {};
  const int exit_code = exit_code_of(child, start, home / "err", usage);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {exit_code,
          text_of(home / "out"),
          text_of(home / "err"),
          seconds,
          seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
          static_cast<std::size_t>(usage.ru_maxrss) * 1024};
}

}  // namespace pericenter::test
