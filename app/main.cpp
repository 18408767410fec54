#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "app/bars/question_card.h"
#include "app/base/atomic_file.h"
#include "app/base/log.h"
#include "app/base/system_report.h"
#include "app/bench/bench.h"
#include "app/bench/options.h"
#include "app/cluster/submit_options.h"
#include "app/export/export.h"
#include "app/headless/headless.h"
#include "app/headless/lesson_check.h"
#include "app/headless/lesson_subcommands.h"
#include "app/headless/worksheet.h"
#include "app/manual/manual.h"
#include "app/settings/command_line.h"
#include "app/settings/command_line_error.h"
#include "app/window/application.h"
#include "app/window/settings_dir.h"
#include "app/window/window.h"
#include "render/headless_context.h"
#include "sim/core/device.h"
#include "sim/core/fault_injection.h"
#include "sim/files/snapshot.h"

namespace {

using namespace pericenter::app;

/// Reports an unusable path before a long run instead of after it.
void check_output_files(const Options& options) {
  for (const std::string& path : {options.csv, options.screenshot, options.save}) {
    if (!path.empty()) check_can_create(path);
  }
}

/// Runs a command besides the program itself; nullopt if the first argument is none.
std::optional<int> run_command(int argc, const char* const* argv) {
  const std::string_view name = argc > 1 ? argv[1] : "";
  const auto run = [&](const auto& parse, const auto& work) {
    const auto command_line = parse(argc - 1, argv + 1);
    if (command_line.answer) return print_result(*command_line.answer);
    const int code = work(command_line.options);
    return code == kOk ? print_result() : code;
  };
  if (name == "bench") return run(parse_bench_command_line, run_bench);
  if (name == "export") return run(parse_export_command_line, run_export);
  if (name == "submit") return run(parse_submit_command_line, run_submit);
  if (name == "check-lessons")
    return run(parse_check_command_line,
               [](const auto& options) { return run_lesson_check(options, lessons_folder(), question_card_rect); });
  if (name == "worksheet")
    return run(parse_worksheet_command_line,
               [](const auto& options) { return run_worksheet(options, lessons_folder()); });
  return std::nullopt;
}

/// A misspelled fault would never fail, so its test would prove nothing.
void plan_fault_from_environment() {
  const char* plan = std::getenv("PERICENTER_FAULT");
  if (!plan) return;
  if (const std::string problem = pericenter::plan_fault(plan); !problem.empty()) {
    throw CommandLineError("PERICENTER_FAULT: " + problem + ".");
  }
}

/// The system report, with the OpenGL context of images without a window.
std::string system_report() {
  std::string report = machine_report(settings_dir()) + cuda_report();
  try {
    const pericenter::render::HeadlessContext context;
    return report + opengl_report();
  } catch (const std::runtime_error& error) {
    return report + "OpenGL cannot be used: " + error.what() + "\n";
  }
}

void open_log(const Options& options, Log& log) {
  if (options.log.empty()) return;
  log.open(options.log);
  log.write("start", machine_report(settings_dir()));
  if (options.headless) log.write("start", cuda_report());  // written last, because drivers may fail
}

/// What the window would have chosen and logged.
Options without_window(Options options, Log& log) {
  choose_awaited_backend(options);
  if (!options.log.empty()) log.write("start", cuda_report());
  return options;
}

int run(int argc, const char* const* argv, Log& log) {
  plan_fault_from_environment();
  if (const std::optional<int> code = run_command(argc, argv)) return *code;
  const CommandLine command_line = parse_command_line(argc, argv);
  if (command_line.answer) return print_result(*command_line.answer);
  if (!command_line.generate.empty()) return print_result(generated_text(command_line.generate));
  const Options& options = command_line.options;
  if (options.system_report) return print_result(system_report());
  check_output_files(options);
  open_log(options, log);
  if (options.headless) return run_headless(options, log);
  try {
    return run_window(options, log);
  } catch (const NoDisplay& no_display) {
    return run_without_display(without_window(options, log), no_display.reason, log);
  }
}

/// Opens /dev/null for standard streams that are closed, else the next file or socket would take their place.
void open_standard_streams() {
  for (int fd = ::open("/dev/null", O_RDWR); fd >= 0; fd = ::open("/dev/null", O_RDWR)) {
    if (fd <= STDERR_FILENO) continue;
    ::close(fd);
    return;
  }
}

/// Runs the program and turns its errors into a message and an exit code.
int guarded_run(int argc, const char* const* argv, Log& log) {
  try {
    return run(argc, argv, log);
  } catch (const ExitError& error) {
    return fail(error.code, error.what());
  } catch (const pericenter::InputError& error) {
    return fail(error.missing ? kNoInput : kDataError, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kInternal, "out of memory. Use fewer bodies (-n).");
  } catch (const pericenter::DeviceMemoryError& error) {
    return fail(kInternal, error.what() + std::string(". Use fewer bodies (-n) or --backend cpu."));
  } catch (const std::exception& error) {
    return fail(kInternal, error.what());
  } catch (...) {
    return fail(kInternal, "unknown error. This is a bug.");
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  // A closed pipe or a file size limit is a write error; it must not end the program.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  Log log;
  const int code = guarded_run(argc, argv, log);
  log.end(code);
  return code;
}
