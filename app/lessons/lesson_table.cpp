#include "app/lessons/lesson_table.h"

#include <algorithm>

#include "app/base/format.h"
#include "app/settings/option_values.h"
#include "sim/core/printable.h"

namespace pericenter::app {
namespace {

constexpr std::string_view kTechnical = "_technical";
/// As errors name its kind.
std::string_view kind_of(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "a list";
  if (node.is_string()) return "a text";
  if (node.is_number()) return "a number";
  return node.is_boolean() ? "true or false" : "a date or time";
}

std::string without_technical(std::string_view key) {
  if (key.ends_with(kTechnical)) key.remove_suffix(kTechnical.size());
  return std::string(key);
}

std::string technical(std::string_view key) {
  return std::string(key).append(kTechnical);
}

/// Each dot of a key is a table in a table, which the library handles recursively, without a limit.
constexpr int kMaxDots = 20;

/// Bytes of the string at the beginning of `text`, with its quotation marks. A line break ends an incomplete one.
std::size_t string_bytes(std::string_view text) {
  const std::string mark(text.starts_with(std::string(3, text[0])) ? 3 : 1, text[0]);
  for (std::size_t at = mark.size(); at < text.size(); ++at) {
    if (mark[0] == '"' && text[at] == '\\')
      ++at;
    else if (text.substr(at).starts_with(mark))  // up to two more belong to a long text
      return mark.size() == 1 ? at + 1 : std::min(text.find_first_not_of(mark[0], at), text.size());
    else if (mark.size() == 1 && text[at] == '\n')
      return at;
  }
  return text.size();
}

/// Throws for a line with many dots outside of strings and comments.
void check_dots(std::string_view text, const std::string& file) {
  int line = 1, dots = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"' || text[at] == '\'') {
      const std::string_view skipped = text.substr(at, string_bytes(text.substr(at)));
      line += static_cast<int>(std::ranges::count(skipped, '\n'));
      at += skipped.size() - 1;
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (text[at] == '\n') {
      ++line;
      dots = 0;
    } else if (text[at] == '.' && ++dots > kMaxDots) {
      throw LessonError(file + ":" + std::to_string(line) + ": the line has more than " + std::to_string(kMaxDots) +
                        " dots outside of texts; the keys of a lesson have none.");
    }
  }
}

/// A line break that only wraps a long line in the file becomes a blank. Those before an empty line and before a line
/// of a list, which begins with -, stay.
std::string joined_lines(std::string text) {
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    const char before = text[at - 1], after = text[at + 1];
    if (text[at] == '\n' && before != '\n' && after != '\n' && after != '-') text[at] = ' ';
  }
  return text;
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& file) {
  check_dots(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const std::string description(error.description());
    const bool is_binary = description.find("utf-8") != description.npos;
    throw LessonError(file + ":" + std::to_string(error.source().begin.line) + ": this is not valid TOML: " +
                      (is_binary ? "the text is not UTF-8; save the file with this encoding." : description));
  }
}

LessonTable::LessonTable(const toml::table& table, const std::string& file, const Keys& keys)
    : table_(table), file_(file) {
  check_keys(keys);
}

/// Reports the first wrong key of the file: the library sorts keys by name.
void LessonTable::check_keys(const Keys& keys) const {
  const auto is_in = [](std::span<const std::string_view> names, std::string_view key) {
    return std::ranges::find(names, key) != names.end();
  };
  const toml::key* wrong = nullptr;
  for (const auto& [key, value] : table_) {
    const std::string first = without_technical(key);
    const bool is_allowed = is_in(keys.plain, key) || (is_in(keys.wordings, first) && has(first));
    if (!is_allowed && (!wrong || key.source().begin.line < wrong->source().begin.line)) wrong = &key;
  }
  if (!wrong) return;
  const std::string first = without_technical(*wrong);
  if (is_in(keys.wordings, first))
    fail(*wrong, "the technical wording needs '" + first + "' too, which is shown first.");
  std::vector<std::string_view> allowed(keys.plain.begin(), keys.plain.end());
  allowed.insert(allowed.end(), keys.wordings.begin(), keys.wordings.end());
  std::string list;
  for (const std::string_view key : allowed) list.append(list.empty() ? "" : ", ").append(key);
  fail(*wrong, "unknown key" + did_you_mean(*wrong, allowed) + "; allowed: " + list + ".");
}

void LessonTable::fail(std::string_view key, const std::string& problem) const {
  const auto found = table_.find(key);
  fail(key, found == table_.end() ? line() : static_cast<int>(found->first.source().begin.line), problem);
}

void LessonTable::fail(std::string_view key, int line, const std::string& problem) const {
  throw LessonError(file_ + ":" + std::to_string(line) + ": " + std::string(key) + ": " + problem);
}

void LessonTable::require(std::string_view key, std::string_view example) const {
  if (!has(key)) fail(key, "is missing; write for example: " + std::string(example));
}

const toml::node* LessonTable::find(std::string_view key, IsKind is_kind, std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node && !(node->*is_kind)())
    fail(key, "is " + std::string(kind_of(*node)) + "; it must be " + std::string(wanted) + ".");
  return node;
}

/// A text without blanks at its ends. The image cannot show control characters.
std::string LessonTable::text_of(const toml::node& node, std::string_view key) const {
  std::string text = *node.value_exact<std::string>();
  std::erase(text, '\r');
  text = joined_lines(std::string(trimmed(text)));
  std::string shown = text;
  std::erase_if(shown, [](char letter) { return letter == '\n' || letter == '\t'; });
  if (printable(shown) != shown) fail(key, line_of(node), "has a character that cannot be shown: " + printable(shown));
  return text;
}

std::string LessonTable::text(std::string_view key) const {
  const toml::node* node = find(key, &toml::node::is_string, "a text in quotation marks");
  if (!node) return {};
  std::string result = text_of(*node, key);
  if (result.empty() && key != "caption") fail(key, "is empty; write a text or remove the key.");
  return result;
}

LessonText LessonTable::wording(std::string_view key) const {
  return {text(key), text(technical(key))};
}

const toml::array& LessonTable::items(std::string_view key, std::string_view wanted) const {
  static const toml::array kNone;
  const toml::node* node = find(key, &toml::node::is_array, wanted);
  return node ? *node->as_array() : kNone;
}

std::string LessonTable::item_text(const toml::node& item, std::string_view key, std::string_view wanted) const {
  if (!item.is_string())
    fail(key, line_of(item), "has " + std::string(kind_of(item)) + "; it must be " + std::string(wanted) + ".");
  std::string text = text_of(item, key);
  if (text.empty()) fail(key, line_of(item), "has an empty text; write one or remove it.");
  return text;
}

std::vector<std::string> LessonTable::texts(std::string_view key) const {
  std::vector<std::string> result;
  constexpr std::string_view kWanted = R"(a list of texts, such as ["...", "..."])";
  for (const toml::node& item : items(key, kWanted)) result.push_back(item_text(item, key, kWanted));
  return result;
}

std::vector<LessonText> LessonTable::wordings(std::string_view key) const {
  const std::string twin = technical(key);
  const std::vector<std::string> pupils = texts(key), experts = texts(twin);
  if (has(twin) && experts.size() != pupils.size())
    fail(twin, "has " + std::to_string(experts.size()) + " texts; it must have as many as '" + std::string(key) +
                   "': " + std::to_string(pupils.size()) + ".");
  std::vector<LessonText> result;
  for (std::size_t k = 0; k < pupils.size(); ++k)
    result.push_back({pupils[k], experts.empty() ? std::string() : experts[k]});
  return result;
}

bool LessonTable::flag(std::string_view key) const {
  const toml::node* node = find(key, &toml::node::is_boolean, "true or false, without quotation marks");
  return node && *node->value_exact<bool>();
}

std::optional<double> LessonTable::number(std::string_view key, Range range) const {
  const toml::node* node = find(key, &toml::node::is_number, "a number, without quotation marks");
  if (!node) return {};
  const toml::value<std::int64_t>* const whole = node->as_integer();
  const double number = whole ? static_cast<double>(whole->get()) : node->as_floating_point()->get();
  if (!(number >= range.min && number <= range.max))
    fail(key, "is " + exact(number) + "; it must be between " + exact(range.min) + " and " + exact(range.max) + ".");
  return number;
}

std::optional<LessonTable> LessonTable::table(std::string_view key, const Keys& keys) const {
  const toml::node* node = find(key, &toml::node::is_table, "a table in braces { }");
  if (!node) return {};
  return inner(*node->as_table(), keys);
}

std::vector<const toml::table*> LessonTable::tables(std::string_view key) const {
  const std::string wanted = "written as [[" + std::string(key) + "]], followed by the keys of one of them";
  std::vector<const toml::table*> result;
  for (const toml::node& item : items(key, wanted)) {
    if (!item.is_table()) fail(key, line_of(item), "must be " + wanted + ".");
    result.push_back(item.as_table());
  }
  return result;
}

}  // namespace pericenter::app
