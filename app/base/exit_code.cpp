#include "app/base/exit_code.h"

#include <iostream>

#include "sim/core/printable.h"

namespace pericenter::app {

void print_message(std::string_view message) {
  std::cerr << "pericenter: " << printable_lines(message) << '\n';
}

int fail(int code, std::string_view message) {
  print_message(message);
  return code;
}

int print_result(std::string_view result) {
  std::cout << result << std::flush;
  return std::cout ? kOk : fail(kIoError, "cannot write to standard output.");
}

}  // namespace pericenter::app
