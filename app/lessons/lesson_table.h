#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/toml_tree.h"
#include "sim/core/settings.h"

namespace pericenter::app {

/// A text with its place in the file.
struct PlacedText {
  std::string text;
  int line = 0;
};

/// Reads the values of a table of a lesson. A missing key is an empty value. Errors are LessonErrors, which name the
/// file, the line and the key.
class LessonTable {
 public:
  /// Both are referenced. Throws for a key that is not in `allowed`; a key of `wordings` may have a twin _technical.
  struct Keys {
    std::span<const std::string_view> plain, wordings;
  };
  LessonTable(const TomlNode& table, const std::string& file, const Keys& keys);

  int line() const { return table_.line; }
  std::size_t size() const { return table_.items.size(); }
  bool has(std::string_view key) const { return table_.find(key) != nullptr; }

  std::string text(std::string_view key) const;
  LessonText wording(std::string_view key) const;
  std::vector<PlacedText> list(std::string_view key) const;
  std::vector<LessonText> wordings(std::string_view key) const;
  bool flag(std::string_view key) const;
  std::optional<double> number(std::string_view key, Range range) const;
  /// A table in the table, in the file or {inline}.
  std::optional<LessonTable> table(std::string_view key, const Keys& keys) const;
  /// [[key]].
  const std::vector<TomlNode>& tables(std::string_view key) const;

  /// FILE:LINE: KEY: PROBLEM
  [[noreturn]] void fail(std::string_view key, const std::string& problem) const;
  [[noreturn]] void fail(std::string_view key, int line, const std::string& problem) const;
  /// For a key that is required.
  void require(std::string_view key, std::string_view example) const;

 private:
  const TomlNode* find(std::string_view key, TomlNode::Kind kind, std::string_view wanted) const;
  std::string text_of(const TomlNode& node, std::string_view key) const;
  void check_keys(const Keys& keys) const;

  const TomlNode& table_;
  const std::string& file_;
};

}  // namespace pericenter::app
