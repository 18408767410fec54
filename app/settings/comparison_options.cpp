#include "app/settings/comparison_options.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/settings/command_line_error.h"
#include "app/settings/option_parser.h"
#include "app/settings/settings_table.h"
#include "sim/scenes/model/encounter_settings.h"

namespace pericenter::app {
namespace {

bool is_compared(const SettingRow& row) {
  const bool of_solver = row.group == kSolverGroup || row.group == kSolverOptionsGroup || row.key == "solver";
  return of_solver ||
         std::ranges::find(kEncounterSettings, row.key, &EncounterSetting::key) != kEncounterSettings.end();
}

[[noreturn]] void refuse_compared(const std::string& key, std::string_view name) {
  std::vector<std::string_view> keys = {"scene", "threads"};
  for (const SettingRow& row : settings_table())
    if (is_compared(row)) keys.push_back(row.key);
  std::ranges::sort(keys);
  std::string list;
  for (const std::string_view allowed : keys) list.append(list.empty() ? "" : ", ").append(allowed);
  throw CommandLineError(std::string(name) + "cannot set '" + key + "'" + did_you_mean(key, keys) +
                         "; allowed: " + list + ".");
}

/// The orbit and planes of another scene, with the same galaxies.
void take_encounter(const Argument& argument, SceneOptions& options) {
  std::vector<std::string_view> names;
  for (const SceneInfo& scene : scenes())
    if (scene.encounter) names.push_back(scene.name);
  const SceneInfo* own = find_scene(options.scene);
  if (options.reads_a_file() || !own || !own->encounter)
    throw CommandLineError(argument.option + " needs an encounter of two galaxies; the scene of this run has none.");
  options.encounter = *find_scene(names[one_of(argument, names)])->encounter;
}

void read_item(std::string_view item, std::string_view name, SceneOptions& options) {
  const std::size_t equals = item.find('=');
  if (equals == item.npos)
    throw CommandLineError(std::string(name) + "must be KEY=VALUE, such as theta=1.2, not '" + std::string(item) +
                           "'.");
  const std::string key(item.substr(0, equals));
  const Argument value{std::string(name) + key, std::string(item.substr(equals + 1))};
  if (key == "scene") return take_encounter(value, options);
  if (key == "threads") {
    options.config.threads = thread_count(value);
    return;
  }
  const auto& rows = settings_table();
  const auto row = std::ranges::find(rows, key, &SettingRow::key);
  if (row == rows.end() || !is_compared(*row)) refuse_compared(key, name);
  row->read(value, options);
  if (key == "solver") {
    options.automatic_solver = false;
    options.given.solver = true;
  }
  if (row->given) options.given.*row->given = true;
}

}  // namespace

SceneOptions compared_options(const SceneOptions& options, std::string_view name) {
  SceneOptions result = options;
  std::string_view rest = options.compare;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    read_item(rest.substr(0, end), name, result);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

}  // namespace pericenter::app
