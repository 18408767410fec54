#include "app/lessons/toml_tree.h"

#include <toml++/toml.h>

#include <algorithm>

#include "app/lessons/lesson_error.h"

namespace pericenter::app {
namespace {

TomlNode tree_of(const toml::node& node) {
  TomlNode result{.line = static_cast<int>(node.source().begin.line)};
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      result.items.push_back(tree_of(value));
      result.items.back().key = key.str();
      result.items.back().line = static_cast<int>(key.source().begin.line);
    }
    std::ranges::stable_sort(result.items, {}, &TomlNode::line);
  } else if (const auto* array = node.as_array()) {
    result.kind = TomlNode::Kind::array;
    for (const toml::node& item : *array) result.items.push_back(tree_of(item));
  } else if (node.is_boolean()) {
    result.kind = TomlNode::Kind::boolean;
    result.boolean = *node.value_exact<bool>();
  } else if (node.is_number()) {
    result.kind = TomlNode::Kind::number;
    result.number = *node.value<double>();
  } else if (node.is_string()) {
    result.kind = TomlNode::Kind::text;
    result.text = *node.value_exact<std::string>();
  } else {
    result.kind = TomlNode::Kind::time;
  }
  return result;
}

}  // namespace

const TomlNode* TomlNode::find(std::string_view name) const {
  const auto found = std::ranges::find(items, name, &TomlNode::key);
  return found == items.end() ? nullptr : &*found;
}

TomlNode parse_toml(std::string_view text, const std::string& file) {
  try {
    return tree_of(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    const std::string description(error.description());
    const bool is_binary = description.find("utf-8") != description.npos;
    throw LessonError(file + ":" + std::to_string(error.source().begin.line) + ": this is not valid TOML: " +
                      (is_binary ? "the text is not UTF-8; save the file with this encoding." : description));
  }
}

}  // namespace pericenter::app
