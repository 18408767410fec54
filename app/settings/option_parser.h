#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/base/enum_names.h"
#include "app/settings/option_values.h"
#include "sim/core/config.h"

namespace pericenter::app {

/// One option, flag or positional argument.
struct OptionRow {
  std::string group;
  std::string names;  ///< "-n,--bodies"; without a dash: positional
  std::string type;   ///< empty: a flag, whose text is "on" or, for a name after '!', "off"
  std::string help;
  std::function<void(const Argument&)> apply;
  bool many = false;                     ///< positional: any number of arguments, each of which is applied
  std::vector<std::string> values = {};  ///< names that completions offer besides those in `type`
};
using OptionRows = std::vector<OptionRow>;

/// A flag that sets `value`.
OptionRow flag(std::string group, std::string names, std::string help, bool& value);

// Options that several command lines share.
inline constexpr const char* kHelpHelp = "print this help and exit";
inline constexpr const char* kSeedType = "SEED";
inline constexpr const char* kSeedHelp = "random seed; the same seed gives the same bodies (default: 1)";
inline constexpr const char* kSolverOptionsGroup = "Solver options (default: the solver's own)";
OptionRow seed_option(const char* group, std::uint64_t& seed);
/// The option of a setting of for_each_config_setting().
OptionRow config_option(const char* group, std::string_view key, Config& config);
/// --gpus: Config::gpus.
OptionRow gpus_option(const char* group, Config& config);
/// An option for each SolverOption; `set` gets its text.
void add_solver_options(const char* type, const std::function<void(SolverOption, const Argument&)>& set,
                        OptionRows& rows);

/// First sentence of the tooltip, and the names of the values.
std::string solver_option_help(const SolverOptionInfo& info);
/// Index of the argument's text in the values of a solver option.
int solver_option_value(SolverOption which, const Argument& argument);
/// Name of the value that `config` sets; empty: the solver's default.
std::string solver_option_text(const Config& config, SolverOption which);
/// CPU threads: 0 (one per core) to kMaxThreads.
int thread_count(const Argument& argument);

/// Copies of names, for OptionRow::values.
template <class Names>
std::vector<std::string> copies_of(const Names& names) {
  return {names.begin(), names.end()};
}

/// Names of the values of an enumeration; empty for other types.
template <class Value>
std::vector<std::string> value_names() {
  if constexpr (std::is_enum_v<Value>)
    return copies_of(kEnumNames<Value>);
  else
    return {};
}

/// Names of the rows of a table: scenes() or solvers().
template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

/// What a command line asks for.
template <class Options>
struct ParsedOptions {
  Options options;
  std::optional<std::string> answer = {};  ///< text of --help; nothing else is to be done
};

/// Texts of --help besides the options.
struct ProgramHelp {
  const char* description;
  const char* command;
  const char* footer;
};

/// Parses a command line of these options and --help.
class OptionParser {
 public:
  OptionParser(const ProgramHelp& program, OptionRows rows);
  ~OptionParser();

  /// Applies the given options in the order of the rows. Returns the text of --help if it was requested, and applies
  /// nothing in that case. Throws CommandLineError.
  std::optional<std::string> read(int argc, const char* const* argv);

  /// First names of the given options, without flags and positional arguments: "-n".
  std::vector<std::string> given() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

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
