#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pericenter::app {

/// A value of a TOML file. Only toml_tree.cpp includes the TOML library, which compiles slowly.
struct TomlNode {
  enum class Kind { boolean, number, text, array, table, time };
  Kind kind = Kind::table;
  std::string key = {};  ///< key in its table; empty in an array
  int line = 0;          ///< line number, from 1
  bool boolean = false;
  double number = 0;
  std::string text = {};
  std::vector<TomlNode> items = {};  ///< items of an array or table

  /// The value of a key of a table; null if it has none.
  const TomlNode* find(std::string_view name) const;
};

/// The table of a file. Throws LessonError, which names the line.
TomlNode parse_toml(std::string_view text, const std::string& file);

}  // namespace pericenter::app
