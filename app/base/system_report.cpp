#include "app/base/system_report.h"

#include <pwd.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>

#include "app/base/commit.h"
#include "app/base/format.h"
#include "render/gl_info.h"
#include "sim/core/device.h"
#include "sim/core/host_memory.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

namespace fs = std::filesystem;

// They select the driver, the GPU or the window system.
constexpr const char* kVariables[] = {"WAYLAND_DISPLAY",
                                      "XDG_SESSION_TYPE",
                                      "XDG_CURRENT_DESKTOP",
                                      "__NV_PRIME_RENDER_OFFLOAD",
                                      "__GLX_VENDOR_LIBRARY_NAME",
                                      "__EGL_VENDOR_LIBRARY_FILENAMES",
                                      "DRI_PRIME",
                                      "LIBGL_ALWAYS_SOFTWARE",
                                      "GALLIUM_DRIVER",
                                      "MESA_LOADER_DRIVER_OVERRIDE",
                                      "MESA_D3D12_DEFAULT_ADAPTER_NAME",
                                      "MESA_GL_VERSION_OVERRIDE",
                                      "CUDA_VISIBLE_DEVICES",
                                      "LD_LIBRARY_PATH",
                                      "SSH_CONNECTION",
                                      "LANG",
                                      "PERICENTER_FAULT"};

/// What follows `key` in the first line of the file that starts with it; empty if there is none.
std::string value_in(const char* file, std::string_view key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    line.erase(0, key.size());
    while (!line.empty() && std::string_view(" \t:=\"").find(line.front()) != std::string_view::npos) line.erase(0, 1);
    while (line.ends_with('"') || line.ends_with(' ')) line.pop_back();
    return line;
  }
  return {};
}

std::string line_of(const std::string& name, const std::string& value) {
  return value.empty() ? std::string() : name + ": " + value + "\n";
}

std::string build_text() {
  return std::string(PERICENTER_BUILD) +
#ifdef __clang__
         ", Clang " __clang_version__
#else
         ", GCC " __VERSION__
#endif
         ", commit " +
         commit();
}

std::string kernel_text() {
  utsname names{};
  ::uname(&names);
  std::string text = std::string(names.sysname) + " " + names.release + ", " + names.machine;
  if (text.find("microsoft") != text.npos) text += " (Windows Subsystem for Linux)";
  return text;
}

std::string memory_text() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  const auto total = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
  return bytes_text(total) + ", " + bytes_text(static_cast<std::uint64_t>(available_memory())) + " available";
}

/// Names of the kernel's drivers of all GPUs: two on most laptops with two GPUs.
std::string graphics_drivers() {
  std::set<std::string> drivers;
  std::error_code error;
  for (const fs::directory_entry& card : fs::directory_iterator("/sys/class/drm", error)) {
    const fs::path driver = fs::read_symlink(card.path() / "device" / "driver", error);
    if (!error) drivers.insert(driver.filename());
  }
  if (fs::exists("/dev/dxg", error)) drivers.insert("dxg");
  std::string text;
  for (const std::string& driver : drivers) text += (text.empty() ? "" : ", ") + driver;
  return text;
}

/// Only whether a display is on another computer: its name is personal.
std::string display_variable() {
  const char* value = std::getenv("DISPLAY");
  if (!value) return "not set";
  const std::string display = value;
  return display.starts_with(':') ? display : "of another computer, or through SSH";
}

std::string variables_text() {
  std::string lines = line_of("DISPLAY", display_variable());
  for (const char* name : kVariables) {
    const char* value = std::getenv(name);
    if (!value) continue;
    lines += line_of(name, std::string_view(name) == "SSH_CONNECTION" ? "set" : *value ? value : "(empty)");
  }
  return lines;
}

/// 12040 as "12.4".
std::string cuda_version(int version) {
  return text("%d.%d", version / 1000, version % 1000 / 10);
}

bool is_part_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '-';
}

/// Replaces `word` where it ends and, with `in_paths`, follows a slash; otherwise where it begins.
void replace_word(std::string& text, std::string_view word, std::string_view by, bool in_paths) {
  if (word.empty()) return;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const char before = at == 0 ? ' ' : text[at - 1], after = end == text.size() ? ' ' : text[end];
    const bool begins = in_paths ? before == '/' : !is_part_of_word(before);
    const bool is_word = begins && !is_part_of_word(after);
    if (is_word) text.replace(at, word.size(), by);
    at += is_word ? by.size() : word.size();
  }
}

/// The same for all forms in which a path is written: as it is, printable, as a word of a shell, in a scene string.
void replace_all_forms(std::string& text, const std::string& word, std::string_view by, bool in_paths) {
  const std::string quoted = shell_word(word);
  const std::size_t begin = quoted.find('\'') + 1;
  for (const std::string& form :
       {word, printable(word), quoted.substr(begin, quoted.size() - 1 - begin), url_encoded(word)})
    replace_word(text, form, by, in_paths);
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

int usable_threads() {
  // std::thread::hardware_concurrency() of libstdc++ 12 counts all cores.
  cpu_set_t cores;
  const bool known = ::sched_getaffinity(0, sizeof cores, &cores) == 0;
  return std::max(1, known ? CPU_COUNT(&cores) : static_cast<int>(std::thread::hardware_concurrency()));
}

std::string processor() {
  const std::string model = value_in("/proc/cpuinfo", "model name");
  return (model.empty() ? "" : model + ", ") + std::to_string(usable_threads()) + " threads";
}

std::string machine_report(const std::string& settings_folder) {
  const std::string lines =
      line_of("Pericenter", PERICENTER_VERSION) + line_of("Build", build_text()) +
      line_of("System", value_in("/etc/os-release", "PRETTY_NAME")) + line_of("Kernel", kernel_text()) +
      line_of("Processor", processor()) + line_of("Memory", memory_text()) +
      line_of("Graphics drivers of the kernel", graphics_drivers()) +
      line_of("NVIDIA driver", value_in("/proc/driver/nvidia/version", "NVRM version")) + variables_text() +
      line_of("Settings", settings_folder.empty() ? "no folder, nothing is stored" : settings_folder);
  return without_personal_data(lines);
}

std::string cuda_report() {
  const CudaStatus cuda = cuda_status();
  std::string lines;
  if (cuda.runtime_version > 0) {
    lines += line_of("CUDA", "runtime " + cuda_version(cuda.runtime_version) + ", driver supports " +
                                 (cuda.driver_version > 0 ? cuda_version(cuda.driver_version) : "none"));
  }
  for (const CudaDevice& device : cuda.devices) {
    lines += line_of("CUDA device " + std::to_string(device.index),
                     device.name + text(", %d multiprocessors", device.multiprocessors));
  }
  return lines + line_of("CUDA cannot be used", cuda.missing);
}

std::string opengl_report() {
  const render::GlInfo gl = render::gl_info();
  return line_of("OpenGL", gl.version) + line_of("OpenGL vendor", gl.vendor) +
         line_of("OpenGL renderer", gl.renderer + (gl.software ? " (software)" : ""));
}

std::string without_personal_data(std::string text) {
  const char* variable = std::getenv("HOME");
  const passwd* user = ::getpwuid(::getuid());
  for (std::string home : {std::string(variable ? variable : ""), std::string(user ? user->pw_dir : "")}) {
    while (home.ends_with('/')) home.pop_back();
    replace_all_forms(text, home, "~", false);
  }
  if (user) replace_all_forms(text, user->pw_name, "USER", true);
  replace_all_forms(text, host_name(), "HOST", true);
  return text;
}

}  // namespace pericenter::app
