#include "sim/files/text_table.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "sim/files/table_heading.h"
#include "sim/files/table_preamble.h"
#include "sim/files/trimmed.h"
#include "sim/files/unit_system.h"
#include "sim/files/unnamed_table.h"

namespace pericenter {
namespace {

constexpr std::string_view kBlanks = " \t\r";
constexpr std::size_t kMaxColumns = 10'000, kMaxComments = 1000;  // a limit for memory

char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower_case, lower_case);
}

}  // namespace

TextTable::TextTable(Bytes bytes) : bytes_(bytes) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.size() >= 3 && std::memcmp(bytes.data(), kByteOrderMark.data(), 3) == 0) at_ = 3;
  find_names();
}

bool TextTable::is_number(std::string_view field) const {
  return parsed_number(field, separator_ != ',').has_value();
}

void TextTable::skip_preamble() {
  const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  const TablePreamble preamble = preamble_of(text.substr(at_));
  at_ += preamble.bytes;
  line_ += preamble.lines;
  most_rows_ = preamble.rows;
  if (!preamble.time.empty()) comments_.push_back("t = " + preamble.time);
  set_columns(preamble.names);
  assumed_ = !columns_.empty();
}

void TextTable::find_names() {
  skip_preamble();
  if (assumed_) {
    separator_ = ' ';
    return;
  }
  if (!next_line()) throw InputError("The table has no line with column names.");
  separator_ = separator_of(text_);
  split();
  std::vector<std::string> fields(fields_.begin(), fields_.end());
  const auto numbers = static_cast<std::size_t>(
      std::ranges::count_if(fields, [&](const std::string& field) { return is_number(field); }));
  if (numbers > 0 && separator_ != ' ' && fields.back().empty() && !names_in_comments(fields.size())) {
    ends_with_separator_ = true;
    fields.pop_back();
  }
  repeat_ = numbers > 0 && (names_in_comments(fields.size()) || numbers == fields.size());
  if (repeat_) {
    if (columns_.empty()) assume_names(fields.size());
    return;
  }
  heading_ = text_;
  if (separator_ == ' ') join_units(fields);
  set_columns(fields);
  skip_lines_of_units();
}

void TextTable::skip_lines_of_units() {
  while (next_line()) {
    try {
      split();
    } catch (const InputError&) {
      fields_.clear();  // next() repeats the error
    }
    const std::vector<std::string> fields(fields_.begin(), fields_.end());
    const bool has_numbers = std::ranges::any_of(fields, [&](const std::string& field) { return is_number(field); });
    const bool has_units = fields.size() == columns_.size() && !has_numbers && are_units(fields);
    repeat_ = !has_units && !are_types_or_rules(fields);
    if (repeat_) return fit_names_to_row(fields);
    if (has_units) units_ = fields;
  }
}

/// One field more than names: rows end in a separator, or begin with a name of the row (write.table of R, to_string of
/// pandas).
void TextTable::fit_names_to_row(const std::vector<std::string>& fields) {
  if (fields.size() != columns_.size() + 1) return;
  const std::string& first = fields.front();
  ends_with_separator_ = separator_ != ' ' && fields.back().empty();
  TextTable rest = *this;
  const bool second = rest.next_line() && (rest.split(), rest.fields_.size() == fields.size());
  if (ends_with_separator_ || (is_number(first) && (!second || (first != "0" && first != "1")))) return;
  columns_.insert(columns_.begin(), "");
  units_.insert(units_.begin(), "");
}

void TextTable::set_columns(const std::vector<std::string>& fields) {
  columns_.clear();
  units_.clear();
  std::map<std::string, std::size_t> uses;
  for (const std::string& field : fields) {
    ColumnHeading heading = heading_of(field);
    ++uses[heading.name];
    columns_.push_back(std::move(heading.name));
    units_.push_back(std::move(heading.unit));
  }
  // "pos[0]", "pos[1]" are names, "x [kpc]", "y [kpc]" have units.
  for (std::size_t k = 0; k < fields.size(); ++k) {
    if (uses[columns_[k]] < 2 || unit_meaning(units_[k]) != UnitMeaning::none) continue;
    columns_[k] = fields[k];
    units_[k].clear();
  }
}

/// The last comment with one name for each field, and the units in a comment after it. AMUSE writes its units twice,
/// first as Python code.
bool TextTable::names_in_comments(std::size_t count) {
  for (const std::string& comment : comments_) {
    if (comment.starts_with("unit ") || comment.find("system.get(") != comment.npos) continue;
    std::vector<std::string> fields = fields_of_comment(comment);
    if (fields.size() == count + 1 && fields[0].ends_with(':')) fields.erase(fields.begin());  // "columns: m x y"
    if (fields.size() != count) continue;
    if (!are_units(fields)) {
      set_columns(fields);
      heading_ = comment;
    }
    if (are_units(fields) && !columns_.empty()) units_ = std::move(fields);
  }
  return !columns_.empty();
}

void TextTable::assume_names(std::size_t count) {
  constexpr std::size_t kExamined = 1000;
  std::vector<std::vector<double>> numbers;
  TextTable rows = *this;
  rows.columns_.assign(count, "");
  for (std::size_t row = 0; row < kExamined && (row == 0 || rows.next_line()); ++row) {
    rows.split();
    auto& each = numbers.emplace_back(count);
    for (std::size_t k = 0; k < std::min(count, rows.fields_.size()); ++k)
      each[k] = parsed_number(rows.fields_[k], separator_ != ',').value_or(0);
  }
  AssumedNames assumed = assumed_names(numbers);
  if (!assumed.problem.empty()) throw error(assumed.problem);
  columns_ = std::move(assumed.names);
  units_.assign(count, "");
  assumed_ = true;
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
    text_ = trimmed({begin, length}, kBlanks);
    // A row may start with a tab, if its first field is empty.
    if (separator_ == '\t' && !text_.empty()) text_ = {begin, length};
    block_ends_ = block_ends_ || (text_.empty() && ++empty_lines_ == 2);
    if (text_.empty()) continue;
    gaps_ += rows_ > 0 && empty_lines_ > 0 ? 1 : 0;
    empty_lines_ = 0;
    if (!is_comment(text_, separator_)) return true;
    text_.remove_prefix(std::min(text_.find_first_not_of("#%!/;"), text_.size()));
    note_comment(trimmed(text_, kBlanks));
  }
  return false;
}

void TextTable::note_comment(std::string_view comment) {
  if (columns_.empty() && comments_.size() < kMaxComments) comments_.emplace_back(comment);
  if (rows_ > 0) block_ends_ = block_ends_ || comment == heading_ || time_in_comment(comment);
}

bool TextTable::next() {
  for (bool is_heading = true; is_heading;) {
    if ((most_rows_ > 0 && rows_ == most_rows_) || (!repeat_ && !next_line())) return false;
    repeat_ = false;
    is_heading = rows_ > 0 && text_ == heading_;
    block_ends_ = block_ends_ || is_heading;
  }
  block_ += rows_ > 0 && block_ends_ ? 1 : 0;
  block_ends_ = false;
  ++rows_;
  split();
  if (ends_with_separator_ && fields_.size() == columns_.size() + 1 && fields_.back().empty()) fields_.pop_back();
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
  if (separator_ == '|' && rest.starts_with('|')) {  // Markdown
    rest.remove_prefix(1);
    if (rest.ends_with('|')) rest.remove_suffix(1);
  }
  const std::string_view ends = separator_ == ' ' ? std::string_view(" \t") : std::string_view(&separator_, 1);
  const std::string_view blanks = separator_ == '\t' ? " \r" : kBlanks;
  for (;;) {
    if (fields_.size() == kMaxColumns) throw error("the row has more than 10,000 fields. Is this a table?");
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    if (!rest.starts_with('"')) {
      const std::size_t end = rest.find_first_of(ends);
      fields_.push_back(trimmed(rest.substr(0, end), kBlanks));
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
    fields_.push_back(trimmed(std::string_view(unquoted_).substr(begin), kBlanks));
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
  if (const auto number = number_or_none(column)) return *number;
  if (fields_[column].empty()) throw error(column, "the value is missing.");
  throw error(column, "'" + shown(fields_[column]) + "' is not a finite number.");
}

std::optional<double> TextTable::number_or_none(std::size_t column) const {
  return parsed_number(fields_[column], separator_ != ',');
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
