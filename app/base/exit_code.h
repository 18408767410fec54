#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace pericenter::app {

/// Exit codes, after sysexits.h.
enum ExitCode : int {
  kOk = 0,
  kUsage = 64,         ///< invalid command line
  kDataError = 65,     ///< invalid input file
  kNoInput = 66,       ///< input file cannot be read
  kUnavailable = 69,   ///< OpenGL 4.5 or CUDA is required but not available
  kInternal = 70,      ///< internal error
  kCannotCreate = 73,  ///< output file cannot be created
  kIoError = 74,       ///< reading or writing failed
  kDisplayLost = 75,   ///< the display connection closed; the bodies were saved
};

/// Ends the program with an exit code; what() is the message.
class ExitError : public std::runtime_error {
 public:
  ExitError(ExitCode exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  ExitCode code;
};

/// Prints "pericenter: MESSAGE" to stderr.
void print_message(std::string_view message);
/// Prints the message and returns the code.
int fail(int code, std::string_view message);
/// Prints a result to standard output: kOk, or kIoError with a message if this or earlier output was lost.
int print_result(std::string_view result = {});

}  // namespace pericenter::app
