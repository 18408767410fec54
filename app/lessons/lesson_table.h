#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"
#include "sim/core/settings.h"

namespace pericenter::app {

/// The table of a file. Throws LessonError, which names the line.
toml::table parse_toml(std::string_view text, const std::string& file);

/// Line in the file, from 1.
inline int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

/// Reads the values of a table of a lesson. A missing key is an empty value. Errors are LessonErrors, which name the
/// file, the line and the key.
class LessonTable {
 public:
  /// Both are referenced. Throws for a key that is not in `allowed`; a key of `wordings` may have a twin _technical.
  struct Keys {
    std::span<const std::string_view> plain, wordings;
  };
  LessonTable(const toml::table& table, const std::string& file, const Keys& keys);
  /// A table that is in this one.
  LessonTable inner(const toml::table& table, const Keys& keys) const { return {table, file_, keys}; }
  /// The path of a file whose name is relative to the folder of the lesson.
  std::string path_of(const std::string& name) const {
    return (std::filesystem::path(file_).parent_path() / name).string();
  }

  int line() const { return line_of(table_); }
  std::size_t size() const { return table_.size(); }
  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key) const;
  std::vector<std::string> texts(std::string_view key) const;
  LessonText wording(std::string_view key) const;
  std::vector<LessonText> wordings(std::string_view key) const;
  bool flag(std::string_view key) const;
  std::optional<double> number(std::string_view key, Range range) const;
  /// A table in the table, in the file or {inline}.
  std::optional<LessonTable> table(std::string_view key, const Keys& keys) const;
  /// [[key]].
  std::vector<const toml::table*> tables(std::string_view key) const;
  /// The items of a list; errors say that the value must be `wanted`.
  const toml::array& items(std::string_view key, std::string_view wanted) const;
  /// The text of such an item, which must not be empty.
  std::string item_text(const toml::node& item, std::string_view key, std::string_view wanted) const;

  /// FILE:LINE: KEY: PROBLEM
  [[noreturn]] void fail(std::string_view key, const std::string& problem) const;
  [[noreturn]] void fail(std::string_view key, int line, const std::string& problem) const;
  /// For a key that is required.
  void require(std::string_view key, std::string_view example) const;

 private:
  using IsKind = bool (toml::node::*)() const noexcept;
  const toml::node* find(std::string_view key, IsKind is_kind, std::string_view wanted) const;
  std::string text_of(const toml::node& text, std::string_view key) const;
  void check_keys(const Keys& keys) const;

  const toml::table& table_;
  const std::string& file_;
};

}  // namespace pericenter::app
