#include "app/headless/lesson_subcommands.h"

#include <array>
#include <string_view>

#include "app/lessons/lesson_library.h"
#include "app/settings/command_line_error.h"
#include "app/settings/file_uses.h"
#include "app/settings/option_parser.h"
#include "sim/core/device.h"

namespace pericenter::app {
namespace {

constexpr std::array<std::string_view, 3> kBackends = {"auto", "cpu", "cuda"};
constexpr std::array<std::string_view, 3> kPapers = {"any", "a4", "letter"};  // order of Paper

constexpr const char* kCheckDescription = "Checks that the claims of lessons are true.";
constexpr const char* kWorksheetDescription = "Writes a worksheet for pupils.";
constexpr const char* kCheckFooter =
    R"(Every slide runs to its end, and every claim about it is measured. The table has the measured values. The exit code is 65
if a claim fails, or if a lesson cannot be read or run. A ramp of 8 seconds takes 240 steps, whatever the machine.

Examples:
  pericenter check-lessons
  pericenter check-lessons the-fall my_lesson.toml
  pericenter check-lessons --quick)";

constexpr const char* kWorksheetFooter =
    R"(Writes one HTML file for a browser, which prints it: goal, images at the questions, boxes to tick, lines to write on, plots, and
on the last page the answers for the teacher. It needs no network.

Examples:
  pericenter worksheet the-fall sheet.html
  pericenter worksheet my_lesson.toml sheet.html --paper letter --no-answers)";

/// The backend of auto, cpu or cuda, with the first device.
void set_backend(const Argument& argument, Config& machine) {
  const std::size_t chosen = one_of(argument, kBackends);
  machine.backend = Backend::cpu;
  if (chosen == 1) return;
  const CudaStatus cuda = cuda_status();
  if (!cuda.available() && chosen == 2)
    throw CommandLineError("--backend cuda: " + cuda.missing + ". Use --backend auto or cpu.", kUnavailable);
  if (!cuda.available()) return;
  machine.backend = Backend::cuda;
  machine.device = cuda.devices.front().index;
}

void add_machine_rows(Config& machine, bool& progress, OptionRows& rows) {
  const char* group = "Machine";
  set_backend({"--backend", "auto"}, machine);
  rows.push_back({group, "--backend", "auto|cpu|cuda", "processor; auto: CUDA if available (default: auto)",
                  [&](const Argument& a) { set_backend(a, machine); }});
  rows.push_back(config_option(group, "threads", machine));
  rows.push_back({group, "--no-progress", "", "no progress bar", [&](const Argument&) { progress = false; }});
}

OptionRows check_rows(LessonCheckOptions& options) {
  OptionRows rows;
  rows.push_back({"", "LESSON", "", "names or files of lessons (default: all)",
                  [&](const Argument& a) { options.lessons.push_back(a.text); }, true});
  rows.push_back(
      flag("Form", "--quick", "short form: fewer bodies, and only slides that a claim depends on", options.quick));
  add_machine_rows(options.machine, options.progress, rows);
  return rows;
}

OptionRows worksheet_rows(WorksheetOptions& options) {
  OptionRows rows;
  rows.push_back({"", "LESSON", "", "name or file of a lesson", [&](const Argument& a) { options.lesson = a.text; }});
  rows.push_back({"", "FILE", "", "HTML file to write", [&](const Argument& a) { options.file = a.text; }});
  const char* group = "Worksheet";
  rows.push_back({group, "--paper", "a4|letter|any", "size of the paper (default: any, chosen when it is printed)",
                  [&](const Argument& a) { options.paper = static_cast<Paper>(one_of(a, kPapers)); }});
  rows.push_back({group, "--language", "CODE", "language of the texts, such as de (default: that of the system)",
                  [&](const Argument& a) { options.language = language_code(a); }});
  rows.push_back({group, "--no-answers", "", "leave out the page with the answers",
                  [&](const Argument&) { options.answers = false; }});
  add_machine_rows(options.machine, options.progress, rows);
  return rows;
}

}  // namespace

CommandInfo check_command() {
  LessonCheckOptions unused;
  return command_info("check-lessons", kCheckDescription, kCheckFooter, check_rows(unused));
}

CommandInfo worksheet_command() {
  WorksheetOptions unused;
  return command_info("worksheet", kWorksheetDescription, kWorksheetFooter, worksheet_rows(unused));
}

ParsedOptions<LessonCheckOptions> parse_check_command_line(int argc, const char* const* argv) {
  ParsedOptions<LessonCheckOptions> result;
  OptionParser reader({kCheckDescription, "pericenter check-lessons", kCheckFooter}, check_rows(result.options));
  result.answer = reader.read(argc, argv);
  return result;
}

ParsedOptions<WorksheetOptions> parse_worksheet_command_line(int argc, const char* const* argv) {
  ParsedOptions<WorksheetOptions> result;
  WorksheetOptions& options = result.options;
  options.language = system_language();
  OptionParser reader({kWorksheetDescription, "pericenter worksheet", kWorksheetFooter}, worksheet_rows(options));
  result.answer = reader.read(argc, argv);
  if (result.answer) return result;
  if (options.lesson.empty()) throw CommandLineError("worksheet needs the name or file of a lesson, see --help.");
  if (options.file.empty()) throw CommandLineError("worksheet needs an HTML file to write, see --help.");
  FileUses uses;
  uses.read("the lesson", options.lesson);
  uses.write("the worksheet", options.file);
  return result;
}

}  // namespace pericenter::app
