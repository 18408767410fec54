#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "app/cli/options.h"

namespace pericenter::app {

/// One key of a scene string.
struct SceneRow {
  std::string name;
  /// What stands behind the `=`; empty: the same as in the second options, which say nothing.
  std::function<std::string(const Options&, const Options&)> text;
  /// Throws CommandLineError.
  std::function<void(const Argument&, Options&)> read;
  bool of_recipe = false;  ///< says how a scene makes its bodies: not of those in a file
};

/// The table: a setting is in scene strings by its row here. They are written and read in this order.
std::vector<SceneRow> scene_rows();

}  // namespace pericenter::app
