#include "app/cli/comparison_options.h"

#include <algorithm>
#include <string_view>

#include "app/cli/command_line_error.h"
#include "app/cli/option_parser.h"
#include "app/cli/settings_table.h"
#include "sim/scenes/model/encounter_settings.h"

namespace pericenter::app {
namespace {

bool is_compared(const SettingRow& row) {
  const bool of_solver = row.group == kSolverGroup || row.group == kSolverOptionsGroup || row.key == "solver";
  return of_solver ||
         std::ranges::find(kEncounterSettings, row.key, &EncounterSetting::key) != kEncounterSettings.end();
}

void read_item(std::string_view item, Options& options) {
  const std::size_t equals = item.find('=');
  if (equals == item.npos)
    throw CommandLineError("--compare must be KEY=VALUE, such as theta=1.2, not '" + std::string(item) + "'.");
  const std::string key(item.substr(0, equals));
  const Argument value{"--compare " + key, std::string(item.substr(equals + 1))};
  if (key == "threads") {
    options.config.threads = thread_count(value);
    return;
  }
  const auto& rows = settings_table();
  const auto row = std::ranges::find(rows, key, &SettingRow::key);
  if (row == rows.end() || !is_compared(*row))
    throw CommandLineError("--compare cannot set '" + key +
                           "'; it sets solver options and parameters, such as theta, softening, dt or precision.");
  row->read(value, options);
  if (key == "solver") {
    options.automatic_solver = false;
    options.given.solver = true;
  }
  if (row->given) options.given.*row->given = true;
}

}  // namespace

Options compared_options(const Options& options) {
  Options result = options;
  std::string_view rest = options.compare;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    read_item(rest.substr(0, end), result);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

}  // namespace pericenter::app
