#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/option_values.h"
#include "app/settings/options.h"

namespace pericenter::app {

/// A setting of a scene string. PNG metadata lists its value; with a help text it is also an option --key.
struct SettingRow {
  std::string key;
  /// The value; empty if none was set. A scene string omits values that equal those of default options.
  std::function<std::string(const SceneOptions&)> text;
  /// Throws CommandLineError.
  std::function<void(const Argument&, SceneOptions&)> read;

  // How the option appears in the help.
  std::string names = {};  ///< empty: --key
  std::string group = {}, type = {}, help = {};
  std::vector<std::string> values = {};  ///< names that completions offer besides those in `type`
  bool GivenOptions::*given = nullptr;   ///< set by the option

  bool of_source = false;  ///< describes how a scene makes its bodies; excluded by a file of bodies
  bool always = false;     ///< written even if it is the default
};

/// All settings, in the order in which scene strings are written and read.
const std::vector<SettingRow>& settings_table();

/// The current spelling of a key of a scene string.
std::string_view current_key(std::string_view key);

inline constexpr const char* kSceneGroup = "Scene";
inline constexpr const char* kSolverGroup = "Solver";
inline constexpr const char* kHeadlessGroup = "Headless runs, images and videos";
inline constexpr const char* kViewGroup = "Display";

}  // namespace pericenter::app
