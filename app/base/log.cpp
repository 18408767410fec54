#include "app/base/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <streambuf>

#include "app/base/atomic_file.h"
#include "app/base/format.h"
#include "app/base/system_report.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

/// The time as 2026-11-25T18:50:12.345Z.
std::string utc_time() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%FT%T", &parts);
  return text("%s.%03dZ", date.data(), static_cast<int>(ms % 1000));
}

/// Further lines of an entry are indented, so that each line with a time is one entry.
std::string indented(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) text.insert(at + 1, "    ");
  return text;
}

/// Whether a file may be continued as a log: it is empty, a pipe, a device, or begins as utc_time().
bool may_be_log(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) == 0) return true;
  constexpr std::string_view kForm = "0000-00-00T";
  std::string begin = first_bytes(path, kForm.size()).value_or("");
  for (char& letter : begin)
    if (letter >= '0' && letter <= '9') letter = '0';
  return begin == kForm;
}

}  // namespace

/// Takes the place of the buffer of std::cerr, and gives each complete message to the log.
class Log::Tee : public std::streambuf {
 public:
  explicit Tee(Log& log) : log_(log), original_(std::cerr.rdbuf(this)) {}
  ~Tee() override { std::cerr.rdbuf(original_); }
  Tee(const Tee&) = delete;
  Tee& operator=(const Tee&) = delete;

 private:
  int_type overflow(int_type letter) override {
    if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
    const char one = traits_type::to_char_type(letter);
    return xsputn(&one, 1) == 1 ? letter : traits_type::eof();
  }

  std::streamsize xsputn(const char* letters, std::streamsize count) override {
    const std::lock_guard lock(mutex_);
    message_.append(letters, static_cast<std::size_t>(count));
    return original_->sputn(letters, count);
  }

  /// std::cerr calls it after every <<; a message is complete at the end of a line.
  int sync() override {
    std::string message;
    {
      const std::lock_guard lock(mutex_);
      if (message_.ends_with('\n')) message.swap(message_);
    }
    constexpr std::string_view kPrefix = "pericenter: ";
    if (message.starts_with(kPrefix)) message.erase(0, kPrefix.size());
    if (!message.empty()) log_.write("warning", message.substr(0, message.size() - 1));
    return original_->pubsync();
  }

  Log& log_;
  std::streambuf* original_;
  std::mutex mutex_;
  std::string message_;
};

Log::Log() = default;

Log::~Log() {
  tee_.reset();
  if (file_ >= 0) ::close(file_);
}

void Log::open(const std::string& path) {
  if (!may_be_log(path))
    throw FileError(kCannotCreate, "--log: '" + path + "' exists and is no log; choose another name.");
  // Non-blocking: a pipe that nobody reads must not stop the simulation.
  constexpr mode_t kPermissions = 0644;
  file_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, kPermissions);
  if (file_ < 0) {
    throw FileError(kCannotCreate, "--log: cannot write '" + path + "': " + std::strerror(errno) +
                                       ". Name a file in a folder that exists and that you may write to.");
  }
  path_ = path;
  tee_ = std::make_unique<Tee>(*this);
}

void Log::write(std::string_view kind, const std::string& message) {
  std::string problem;
  {
    const std::lock_guard lock(mutex_);
    if (file_ < 0 || repeats(message)) return;
    if (kind == "error" || kind == "warning") last_error_ = message;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const std::string prefix = utc_time() + text(" %+9.3f s  %-9s", seconds, std::string(kind).c_str());
    append(prefix + without_personal_data(indented(printable_lines(message))) + "\n");
    problem = problem_;
  }
  if (!problem.empty()) print_message(problem);
}

/// What the window shows is often printed, too.
bool Log::repeats(const std::string& message) {
  const Clock::time_point now = Clock::now(), before = std::exchange(last_time_, now);
  return std::exchange(last_text_, message) == message && now - before < std::chrono::seconds(1);
}

void Log::append(const std::string& entry) {
  const auto written = ::write(file_, entry.data(), entry.size());
  if (written == static_cast<ssize_t>(entry.size())) return;
  const std::string reason = written < 0 ? std::strerror(errno) : "no space left";
  ::close(file_);
  file_ = -1;
  problem_ = "--log: cannot write '" + path_ + "': " + reason +
             ". The program continues without the log; free some space, or start again with another file.";
}

void Log::end(int exit_code) {
  std::string how = "exit code " + std::to_string(exit_code);
  if (exit_code != 0 && !last_error_.empty()) how += "; last error: " + last_error_.substr(0, last_error_.find('\n'));
  write("end", how);
}

std::string Log::take_problem() {
  const std::lock_guard lock(mutex_);
  return std::exchange(problem_, {});
}

void SessionLog::update(const SessionState& state, const std::function<std::string()>& scene_string) {
  if (state.scene_serial == 0 || state.awaits_device ||
      (state.scene_serial == scene_serial_ && state.config == config_))
    return;
  const char* kind = state.scene_serial == scene_serial_ ? "solver" : "scene";
  scene_serial_ = state.scene_serial;
  config_ = state.config;
  const bool on_gpu = state.config.backend == Backend::cuda;
  const std::string device = !on_gpu ? "CPU" : state.device_name.empty() ? "GPU" : state.device_name;
  log_.write(kind, (state.playback ? "playback" : state.scene) + ", " + with_thousands(state.bodies) + " bodies, " +
                       state.config.solver + " on the " + device + "\n" + scene_string());
}

}  // namespace pericenter::app
