#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/program.h"

namespace pericenter::test {

/// A command line that the program must refuse.
struct BadInput {
  std::vector<std::string> arguments;
  int exit_code;
  std::vector<std::string> must_name;  ///< the value, and what is allowed

  friend void PrintTo(const BadInput& input, std::ostream* out) {
    for (const std::string& word : input.arguments) *out << word << ' ';
  }
};

/// It gets one sentence, and writes nothing. `command` comes before its arguments.
inline void expect_refusal(std::vector<std::string> command, const BadInput& input) {
  const TemporaryFolder folder;
  command.insert(command.end(), input.arguments.begin(), input.arguments.end());
  const Outcome outcome = run_program({command, folder.path()});
  EXPECT_EQ(outcome.exit_code, input.exit_code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("pericenter: ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const std::string& word : input.must_name) {
    EXPECT_THAT(outcome.err, testing::HasSubstr(word)) << "'" << word << "' is not in: " << outcome.err;
  }
  EXPECT_TRUE(folder.names().empty()) << folder.names().front();
}

}  // namespace pericenter::test
