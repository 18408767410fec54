#pragma once

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

}  // namespace pericenter::app
