#include "sim/files/text_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace pericenter {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kShownLength = 40;                          // characters of a field quoted in an error message
constexpr std::size_t kMaxColumns = 10'000, kMaxComments = 1000;  // a limit for memory

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? std::string_view{} : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower_case, lower_case);
}

char separator_of(std::string_view line) {
  char best = ' ';
  std::ptrdiff_t most = 0;
  for (const char candidate : {',', ';', '\t'}) {
    bool quoted = false;
    const auto count = std::ranges::count_if(line, [&](char letter) {
      quoted ^= letter == '"';
      return letter == candidate && !quoted;
    });
    if (count > most) {
      most = count;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string result(text.substr(0, kShownLength));
  for (char& letter : result) {
    if (letter >= 0 && letter < ' ') letter = '?';
  }
  return text.size() > kShownLength ? result + "..." : result;
}

std::optional<double> parsed_number(std::string_view text, bool comma_too) {
  std::string with_point;
  if (const std::size_t comma = text.find(','); comma_too && comma != text.npos) {
    with_point = text;
    with_point[comma] = '.';
    text = with_point;
  }
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

TextTable::TextTable(Bytes bytes) : bytes_(bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.size() >= 3 && std::memcmp(bytes.data(), kByteOrderMark.data(), 3) == 0) at_ = 3;
  find_names();
}

void TextTable::find_names() {
  if (!next_line()) throw InputError("The table has no line with column names.");
  separator_ = separator_of(text_);
  split();
  if (!is_all_numbers()) {
    columns_.assign(fields_.begin(), fields_.end());
    return;
  }
  const std::size_t count = fields_.size();
  if (!comments_.empty()) {
    const std::string names = comments_.back();
    const std::string_view row = text_;
    const char separator = separator_;
    text_ = names;
    separator_ = separator_of(names);
    split();
    columns_.assign(fields_.begin(), fields_.end());
    text_ = row;
    separator_ = separator;
  }
  if (columns_.size() != count) throw error("numbers without column names. Add a first line such as m,x,y,z,vx,vy,vz.");
  repeat_ = true;
}

bool TextTable::is_all_numbers() const {
  return std::ranges::all_of(
      fields_, [&](std::string_view field) { return parsed_number(field, separator_ != ',').has_value(); });
}

std::optional<std::size_t> TextTable::column(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (same_name(columns_[k], name)) return k;
    }
  }
  return std::nullopt;
}

std::size_t TextTable::required(std::initializer_list<std::string_view> names) const {
  if (const auto found = column(names)) return *found;
  const std::string missing = "Column '" + std::string(*names.begin()) + "' is missing";
  // The first line of another file, which a scene string may name, is not repeated: it may be private.
  if (!column({"m", "mass", "x", "y", "z", "pos_x", "px", "a", "e", "q"})) throw InputError(missing + ".");
  std::string list;
  for (const std::string& name : columns_) {
    if (list.size() > 200) {
      list += ", ...";
      break;
    }
    list += (list.empty() ? "" : ", ") + shown(name);
  }
  throw InputError(missing + ". The columns are: " + list + ".");
}

// Advances to the next line that is neither empty nor a comment.
bool TextTable::next_line() {
  while (at_ < bytes_.size()) {
    const auto* begin = reinterpret_cast<const char*>(bytes_.data()) + at_;
    const auto* end = static_cast<const char*>(std::memchr(begin, '\n', bytes_.size() - at_));
    const std::size_t length = end ? static_cast<std::size_t>(end - begin) : bytes_.size() - at_;
    at_ += length + (end ? 1 : 0);
    ++line_;
    if (length > kLongestLine) throw error("the line has more than a million characters. Is this a table?");
    text_ = trimmed({begin, length});
    // A row may start with a tab, if its first field is empty.
    if (separator_ == '\t' && !text_.empty()) text_ = {begin, length};
    if (text_.empty()) continue;
    if (text_.front() != '#') return true;
    text_.remove_prefix(std::min(text_.find_first_not_of('#'), text_.size()));
    if (columns_.empty() && comments_.size() < kMaxComments) comments_.emplace_back(trimmed(text_));
  }
  return false;
}

bool TextTable::next() {
  if (!repeat_ && !next_line()) return false;
  repeat_ = false;
  split();
  if (fields_.size() != columns_.size())
    throw error("the row has " + std::to_string(fields_.size()) + " fields, but the table has " +
                std::to_string(columns_.size()) + " columns.");
  return true;
}

void TextTable::split() {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(text_.size());  // no reallocation, because fields view it
  std::string_view rest = text_;
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  const std::string_view ends = separator_ == ' ' ? std::string_view(" \t") : std::string_view(&separator_, 1);
  const std::string_view blanks = separator_ == '\t' ? " \r" : kBlanks;
  for (;;) {
    if (fields_.size() == kMaxColumns) throw error("the row has more than 10,000 fields. Is this a table?");
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    if (!rest.starts_with('"')) {
      const std::size_t end = rest.find_first_of(ends);
      fields_.push_back(trimmed(rest.substr(0, end)));
      if (end == rest.npos) return;
      rest.remove_prefix(end + 1);
      continue;
    }
    const std::size_t begin = unquoted_.size();
    std::size_t at = 1;
    for (;; ++at) {
      if (at >= rest.size()) throw error("the closing quote \" is missing.");
      if (rest[at] == '"' && !rest.substr(at + 1).starts_with('"')) break;
      if (rest[at] == '"') ++at;
      unquoted_ += rest[at];
    }
    fields_.push_back(trimmed(std::string_view(unquoted_).substr(begin)));
    rest.remove_prefix(at + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    if (rest.empty()) return;
    if (ends.find(rest.front()) != ends.npos) {
      rest.remove_prefix(1);
    } else if (separator_ != ' ') {
      throw error("unexpected characters after the closing quote \".");
    }
  }
}

double TextTable::number(std::size_t column) const {
  if (const auto number = parsed_number(fields_[column], separator_ != ',')) return *number;
  if (fields_[column].empty()) throw error(column, "the value is missing.");
  throw error(column, "'" + shown(fields_[column]) + "' is not a finite number.");
}

std::optional<double> TextTable::number_if_any(std::size_t column) const {
  if (fields_[column].empty()) return std::nullopt;
  return number(column);
}

InputError TextTable::error(std::size_t column, const std::string& what) const {
  return InputError("Line " + std::to_string(line_) + ", column '" + shown(columns_[column]) + "': " + what);
}

InputError TextTable::error(const std::string& what) const {
  return InputError("Line " + std::to_string(line_) + ": " + what);
}

}  // namespace pericenter
