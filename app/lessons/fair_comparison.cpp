#include "app/lessons/fair_comparison.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "app/base/format.h"
#include "app/settings/comparison_options.h"
#include "app/settings/option_parser.h"
#include "app/settings/option_values.h"
#include "app/settings/settings_table.h"
#include "sim/scenes/model/encounter_settings.h"

namespace pericenter::app {
namespace {

constexpr std::size_t kFewBodies = 100;  // the suggested parameters of a scene do not depend on their number

struct Difference {
  std::string key, a, b;
};

bool is_physical(const SettingRow& row) {
  return row.of_source || row.group == kSceneGroup || row.group == kSolverGroup || row.group == kSolverOptionsGroup;
}

/// With the encounter that the scene implies, and its parameters.
SceneOptions complete(SceneOptions options, bool parameters) {
  const SceneInfo* const scene = options.reads_a_file() ? nullptr : find_scene(options.scene);
  if (!scene) return options;
  if (!options.encounter && scene->encounter) options.encounter = *scene->encounter;
  if (!parameters) return options;
  const Scene made = scene->make(scene_request(options, scene->allowed(kFewBodies)));
  const Params params = with_options(made.params, options);
  options.theta = params.theta;
  options.softening = params.softening;
  options.dt = params.dt;
  return options;
}

std::string value_of(const SettingRow& row, const SceneOptions& options) {
  const auto of_encounter = std::ranges::find(kEncounterSettings, row.key, &EncounterSetting::key);
  if (of_encounter == kEncounterSettings.end()) return row.text(options);
  Encounter encounter = options.encounter.value_or(Encounter{});
  return options.encounter ? exact(of_encounter->at(encounter)) : std::string();
}

std::vector<Difference> differences_of(const SceneOptions& first, const SceneOptions& second) {
  const bool other_scene = first.scene != second.scene;  // parameters of one scene are equal, and take time to make
  const SceneOptions a = complete(first, other_scene), b = complete(second, other_scene);
  std::vector<Difference> found;
  for (const SettingRow& row : settings_table()) {
    if (!is_physical(row)) continue;
    const std::string of_a = value_of(row, a), of_b = value_of(row, b);
    if (of_a != of_b) found.push_back({row.key, of_a, of_b});
  }
  return found;
}

std::string value_text(const std::string& value) {
  return value.empty() ? "the default" : value;
}

/// Throws for differences that are not listed.
void refuse_unlisted(const std::vector<Difference>& found, std::span<const std::string> listed, const char* advice) {
  std::string words, keys;
  for (const Difference& one : found) {
    if (std::ranges::find(listed, one.key) != listed.end()) continue;
    words += (words.empty() ? "" : ", ") + one.key + " (" + value_text(one.a) + " against " + value_text(one.b) + ")";
    keys += (keys.empty() ? "\"" : ", \"") + one.key + "\"";
  }
  if (!words.empty())
    throw std::invalid_argument("the two runs also differ in " + words + ", so the comparison is not fair. Give both " +
                                "the same values, or list the settings: " + advice + " = [" + keys + "].");
}

/// Throws for a listed key that is not a setting, or that the runs have in common.
void refuse_idle(const std::vector<Difference>& found, std::span<const std::string> listed) {
  for (const std::string& key : listed) {
    std::vector<std::string_view> keys;
    for (const SettingRow& row : settings_table())
      if (is_physical(row)) keys.push_back(row.key);
    if (std::ranges::find(keys, key) == keys.end())
      throw std::invalid_argument("'" + key + "' is not a setting" + did_you_mean(key, keys) +
                                  "; allowed: " + list_of(keys) + ".");
    if (std::ranges::find(found, key, &Difference::key) == found.end())
      throw std::invalid_argument("lists '" + key + "', in which the two runs do not differ; remove it.");
  }
}

std::vector<std::string> named_keys(std::string_view compare) {
  std::vector<std::string> keys;
  while (!compare.empty()) {
    const std::size_t end = std::min(compare.find(','), compare.size());
    keys.emplace_back(compare.substr(0, std::min(compare.find('='), end)));
    compare.remove_prefix(std::min(end + 1, compare.size()));
  }
  return keys;
}

bool is_reversed(const DiscOrientation& disc, const DiscOrientation& of) {
  constexpr double kTurn = 360, kTolerance = 1e-9;
  const auto same_angle = [](double x, double y) { return std::abs(std::remainder(x - y, kTurn)) < kTolerance; };
  const DiscOrientation turned = reversed(of);
  return same_angle(disc.inclination, turned.inclination) &&
         same_angle(disc.pericenter_argument, turned.pericenter_argument);
}

}  // namespace

void check_differences(const SceneOptions& a, const SceneOptions& b, std::span<const std::string> listed) {
  const std::vector<Difference> found = differences_of(a, b);
  refuse_idle(found, listed);
  refuse_unlisted(found, listed, "differs-only-in");
}

void check_comparison(const SceneOptions& options, std::span<const std::string> also) {
  const SceneOptions b = compared_options(options, "");
  const std::vector<Difference> found = differences_of(options, b);
  refuse_idle(found, also);
  std::vector<std::string> named = named_keys(options.compare);
  named.insert(named.end(), also.begin(), also.end());
  if (std::ranges::find(named, "scene") != named.end() && b.encounter) {
    const Encounter own = options.encounter.value_or(*find_scene(options.scene)->encounter);
    if (is_reversed(b.encounter->first, own.first)) named.insert(named.end(), {"i1", "w1"});
    if (is_reversed(b.encounter->second, own.second)) named.insert(named.end(), {"i2", "w2"});
  }
  refuse_unlisted(found, named, "also-differs");
}

}  // namespace pericenter::app
