#include "app/lessons/lesson_table.h"

#include <algorithm>

#include "app/base/format.h"
#include "app/lessons/lesson_error.h"
#include "app/settings/option_values.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

constexpr std::string_view kTechnical = "_technical";
constexpr std::string_view kKindNames[] = {"true or false", "a number", "a text",
                                           "a list",        "a table",  "a date or time"};

std::string without_technical(std::string_view key) {
  if (key.ends_with(kTechnical)) key.remove_suffix(kTechnical.size());
  return std::string(key);
}

std::string technical(std::string_view key) {
  return std::string(key).append(kTechnical);
}

}  // namespace

LessonTable::LessonTable(const TomlNode& table, const std::string& file, const Keys& keys)
    : table_(table), file_(file) {
  check_keys(keys);
}

void LessonTable::check_keys(const Keys& keys) const {
  std::vector<std::string_view> allowed(keys.plain.begin(), keys.plain.end());
  allowed.insert(allowed.end(), keys.wordings.begin(), keys.wordings.end());
  for (const TomlNode& item : table_.items) {
    if (std::ranges::find(keys.plain, item.key) != keys.plain.end()) continue;
    const std::string first = without_technical(item.key);
    const bool known = std::ranges::find(keys.wordings, first) != keys.wordings.end();
    if (!known) {
      std::string list;
      for (const std::string_view key : allowed) list.append(list.empty() ? "" : ", ").append(key);
      fail(item.key, "unknown key" + did_you_mean(item.key, allowed) + "; allowed: " + list + ".");
    }
    if (!has(first)) fail(item.key, "the technical wording needs '" + first + "' too, which is shown first.");
  }
}

void LessonTable::fail(std::string_view key, const std::string& problem) const {
  const TomlNode* node = table_.find(key);
  fail(key, node ? node->line : table_.line, problem);
}

void LessonTable::fail(std::string_view key, int line, const std::string& problem) const {
  throw LessonError(file_ + ":" + std::to_string(line) + ": " + std::string(key) + ": " + problem);
}

void LessonTable::require(std::string_view key, std::string_view example) const {
  if (!has(key)) fail(key, "is missing; write for example: " + std::string(example));
}

const TomlNode* LessonTable::find(std::string_view key, TomlNode::Kind kind, std::string_view wanted) const {
  const TomlNode* node = table_.find(key);
  if (node && node->kind != kind)
    fail(key,
         "is " + std::string(kKindNames[static_cast<int>(node->kind)]) + "; it must be " + std::string(wanted) + ".");
  return node;
}

/// A text without blanks at its ends. The image cannot show control characters.
std::string LessonTable::text_of(const TomlNode& node, std::string_view key) const {
  constexpr std::string_view kBlanks = " \t\n";
  std::string text = node.text;
  std::erase(text, '\r');
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  text = text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
  std::string shown = text;
  std::erase_if(shown, [](char letter) { return letter == '\n' || letter == '\t'; });
  if (printable(shown) != shown) fail(key, node.line, "has a character that cannot be shown: " + printable(shown));
  return text;
}

std::string LessonTable::text(std::string_view key) const {
  const TomlNode* node = find(key, TomlNode::Kind::text, "a text in quotation marks");
  if (!node) return {};
  std::string result = text_of(*node, key);
  if (result.empty() && key != "caption") fail(key, "is empty; write a text or remove the key.");
  return result;
}

LessonText LessonTable::wording(std::string_view key) const {
  return {text(key), text(technical(key))};
}

std::vector<PlacedText> LessonTable::list(std::string_view key) const {
  std::vector<PlacedText> result;
  const TomlNode* node = find(key, TomlNode::Kind::array, R"(a list of texts, such as ["...", "..."])");
  if (!node) return result;
  for (const TomlNode& item : node->items) {
    if (item.kind != TomlNode::Kind::text)
      fail(key, item.line,
           "has " + std::string(kKindNames[static_cast<int>(item.kind)]) + "; it must be a list of texts.");
    result.push_back({text_of(item, key), item.line});
    if (result.back().text.empty()) fail(key, item.line, "has an empty text; write one or remove it.");
  }
  return result;
}

std::vector<LessonText> LessonTable::wordings(std::string_view key) const {
  const std::string twin = technical(key);
  const std::vector<PlacedText> pupils = list(key), experts = list(twin);
  if (has(twin) && experts.size() != pupils.size())
    fail(twin, "has " + std::to_string(experts.size()) + " texts; it must have as many as '" + std::string(key) +
                   "': " + std::to_string(pupils.size()) + ".");
  std::vector<LessonText> result;
  for (std::size_t k = 0; k < pupils.size(); ++k)
    result.push_back({pupils[k].text, experts.empty() ? std::string() : experts[k].text});
  return result;
}

bool LessonTable::flag(std::string_view key) const {
  const TomlNode* node = find(key, TomlNode::Kind::boolean, "true or false, without quotation marks");
  return node && node->boolean;
}

std::optional<double> LessonTable::number(std::string_view key, Range range) const {
  const TomlNode* node = find(key, TomlNode::Kind::number, "a number, without quotation marks");
  if (!node) return {};
  if (!(node->number >= range.min && node->number <= range.max))
    fail(key,
         "is " + exact(node->number) + "; it must be between " + exact(range.min) + " and " + exact(range.max) + ".");
  return node->number;
}

std::optional<LessonTable> LessonTable::table(std::string_view key, const Keys& keys) const {
  const TomlNode* node = find(key, TomlNode::Kind::table, "a table in braces { }");
  if (!node) return {};
  return LessonTable(*node, file_, keys);
}

const std::vector<TomlNode>& LessonTable::tables(std::string_view key) const {
  static const std::vector<TomlNode> kNone;
  const std::string wanted = "written as [[" + std::string(key) + "]], followed by the keys of one of them";
  const TomlNode* node = find(key, TomlNode::Kind::array, wanted);
  if (!node) return kNone;
  for (const TomlNode& item : node->items)
    if (item.kind != TomlNode::Kind::table) fail(key, item.line, "must be " + wanted + ".");
  return node->items;
}

}  // namespace pericenter::app
