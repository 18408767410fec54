#pragma once

#include <string>
#include <vector>

#include "app/settings/option_parser.h"
#include "sim/core/config.h"

namespace pericenter::app {

/// Checked options of `pericenter check-lessons`.
struct LessonCheckOptions {
  std::vector<std::string> lessons;  ///< names or files; empty: all
  bool quick = false;
  bool progress = true;
  Config machine;  ///< backend, device and threads
};

/// Sizes of paper.
enum class Paper { any, a4, letter };

/// Checked options of `pericenter worksheet`.
struct WorksheetOptions {
  std::string lesson;  ///< name or file
  std::string file;    ///< HTML to write
  Paper paper = Paper::any;
  bool answers = true;   ///< a last page for the teacher
  std::string language;  ///< language of the texts, see Lesson
  bool progress = true;
  Config machine;  ///< backend, device and threads
};

/// Parse the command lines; argv[0] is the command. Throw CommandLineError.
ParsedOptions<LessonCheckOptions> parse_check_command_line(int argc, const char* const* argv);
ParsedOptions<WorksheetOptions> parse_worksheet_command_line(int argc, const char* const* argv);

/// The commands for the manual.
CommandInfo check_command();
CommandInfo worksheet_command();

}  // namespace pericenter::app
