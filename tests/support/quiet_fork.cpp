// For the address sanitizer of GCC 12: a child of fork() inherits its locks as other threads hold them, and waits for
// ever for one that a thread has while it allocates (later versions are prepared for fork(): LLVM, pull request 75290,
// 2023). So fork() waits until all other threads sleep or have ended. The allocator of the C library needs no such
// wait.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

constexpr auto kLongestWait = std::chrono::seconds(5);

/// Of a folder in /proc/self/task; a thread that has ended counts as asleep.
bool is_asleep(const std::filesystem::path& thread) {
  std::string line;
  std::getline(std::ifstream(thread / "stat"), line);  // PID (NAME) STATE ...
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos || line.compare(name_end + 2, 1, "R") != 0;
}

bool others_are_asleep() {
  const std::string self = std::to_string(::gettid());
  std::error_code ended;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", ended))
    if (thread.path().filename() != self && !is_asleep(thread.path())) return false;
  return true;
}

void wait_for_others() {
  const auto start = std::chrono::steady_clock::now();
  while (!others_are_asleep() && std::chrono::steady_clock::now() - start < kLongestWait)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

[[maybe_unused]] const int registered = ::pthread_atfork(wait_for_others, nullptr, nullptr);

}  // namespace
