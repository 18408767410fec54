#pragma once

#include <string>
#include <utility>

#include "app/settings/option_parser.h"

namespace pericenter::app {

/// A command, as its manual page and the completions of shells describe it.
struct CommandInfo {
  std::string name;  ///< words after "pericenter": "", "bench", "bench render"
  std::string description, footer;
  OptionRows rows;  ///< the options; their actions are not set
};

/// The command with these options. Their actions are removed, because they refer to the options of one run.
inline CommandInfo command_info(std::string name, std::string description, std::string footer, OptionRows rows) {
  for (OptionRow& row : rows) row.apply = nullptr;
  rows.push_back({"Help", "-h,--help", "", kHelpHelp, nullptr});
  return {std::move(name), std::move(description), std::move(footer), std::move(rows)};
}

}  // namespace pericenter::app
