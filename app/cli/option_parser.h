#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/enum_names.h"
#include "app/cli/option_values.h"
#include "sim/core/config.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace pericenter::app {

/// One option that takes a value: where --help shows it, and what its text does.
struct ValueOption {
  std::string group;
  std::string names;  ///< "-n,--bodies"
  std::string type;
  std::string help;
  std::function<void(const Argument&)> apply;
};

using ValueOptions = std::vector<ValueOption>;

// Rows that every command line has.
ValueOption seed_option(const char* group, std::uint64_t& seed);
ValueOption dimension_option(const char* group, Config& config);
void add_config_options(const char* group, Config& config, ValueOptions& rows);
/// An option for each Switch; `set` is handed the text that was given for it.
void add_switch_options(const char* type, const std::function<void(SolverOption, const Argument&)>& set,
                        ValueOptions& rows);

/// Names of a table's rows: scenes() or solvers().
template <class Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

/// The option's text as a choice of solver_option_info(which).
int solver_option_value(SolverOption which, const Argument& argument);
/// Threads of the CPU: 0, which is one a core, to 1024.
int thread_count(const Argument& argument);

/// Reads a command line of `rows` and of what `cli` is given besides, such as flags.
class OptionReader {
 public:
  OptionReader(CLI::App& cli, ValueOptions rows);

  /// Applies the rows that were given, in the order of the table. Returns the text of --help if that was asked for, and
  /// applies nothing then. Throws CommandLineError.
  std::optional<std::string> read(int argc, const char* const* argv);

  /// First names of the rows that were given: "-n".
  std::vector<std::string> given() const;

 private:
  CLI::App& cli_;
  ValueOptions rows_;
  std::vector<std::string> texts_;
  std::vector<CLI::Option*> options_;
};

}  // namespace pericenter::app
