#include "sim/files/tables/table_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <regex>
#include <sstream>
#include <utility>

#include "sim/core/printable.h"
#include "sim/files/body_fields.h"
#include "sim/files/csv_columns.h"
#include "sim/files/formats.h"
#include "sim/files/text_table.h"

namespace pericenter {

FileFormat csv_format();

namespace {

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <class Number>
void append_digits(Number number, std::string& row) {
  std::array<char, 32> text;
  row.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

/// The name of the wanted column in the text, which is none of bodies.
constexpr std::string_view kShownColumn = "field shown as colour";

std::string line_of_headings(std::span<const TableColumn> columns, std::span<const std::size_t> used) {
  std::string line;
  for (const std::size_t k : used) {
    const auto& [name, unit, is_number] = columns[k];
    append_field(std::string_view(unit.empty() ? name : name + " [" + unit + "]"), line);
  }
  end_row(line);
  return line;
}

/// Removes the first line.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// The fields of the line, in place of the wanted one under the name that it has in the text.
void name_fields(const std::string& line, const std::string& wanted, Snapshot& snapshot) {
  std::vector<FieldInfo> fields;
  std::istringstream words(line);
  for (FieldInfo field; std::getline(words, field.name, '\t') && std::getline(words, field.unit, '\t');) {
    if (field.name == wanted && snapshot.values.empty()) snapshot.values.assign(snapshot.bodies.size(), kNoValue);
    add_field(field, fields);
  }
  for (const FieldInfo& field : snapshot.fields)
    if (field.name != kShownColumn) add_field(field, fields);
  snapshot.fields = std::move(fields);
}

/// The line of headings is no row: "Line 2" is row 1.
std::string with_rows(const std::string& sentence) {
  static const std::regex kLine("^Line ([0-9]{1,18})|: Line ([0-9]{1,18})");
  std::smatch found;
  if (!std::regex_search(sentence, found, kLine)) return sentence;
  const bool first = found[1].matched;
  return found.prefix().str() + (first ? "Row " : ": Row ") +
         std::to_string(std::stoll(found[first ? 1 : 2].str()) - 1) + found.suffix().str();
}

}  // namespace

TableChoice choose_columns(std::span<const TableColumn> columns, const std::string& wanted) {
  std::vector<std::size_t> all(columns.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  TableChoice choice{used_columns(csv_columns_of(TextTable(bytes_of(line_of_headings(columns, all))))), {}};
  std::vector<std::size_t> used = choice.columns;
  const auto is_field = [&](std::size_t k) {
    return columns[k].is_number && !columns[k].name.empty() && std::ranges::find(used, k) == used.end();
  };
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  choice.headings = note_on_columns(kOnlyColors, names, is_field) + '\n';
  std::vector<std::size_t> fields;
  std::ranges::copy_if(all, std::back_inserter(fields), is_field);
  used.insert(used.end(), fields.begin(), fields.end());
  choice.headings += unused_note(names, used) + '\n';
  for (const std::size_t k : fields)
    choice.headings += printable(columns[k].name) + '\t' + printable(columns[k].unit) + '\t';
  choice.headings += '\n' + line_of_headings(columns, choice.columns);
  const auto shown = std::ranges::find(fields, wanted, [&](std::size_t k) { return printable(columns[k].name); });
  if (shown == fields.end()) return choice;
  choice.columns.push_back(*shown);
  choice.headings.back() = ',';
  append_field(kShownColumn, choice.headings);
  end_row(choice.headings);
  return choice;
}

void append_field(double number, std::string& row) {
  if (!std::isnan(number)) append_digits(number, row);
  row += ',';
}

void append_field(std::int64_t number, std::string& row) {
  append_digits(number, row);
  row += ',';
}

void append_field(std::uint64_t number, std::string& row) {
  append_digits(number, row);
  row += ',';
}

void append_field(std::string_view text, std::string& row) {
  row += '"';
  for (const char c : text) {
    if (c == '"') row += '"';
    row += c >= 0 && c < ' ' ? ' ' : c;
  }
  row += "\",";
}

void append_field(std::span<const double> numbers, std::string& row) {
  row += '"';
  for (const double number : numbers) {
    append_digits(number, row);
    row += ' ';
  }
  row += "\",";
}

void end_row(std::string& row) {
  if (row.empty())
    row += '\n';
  else
    row.back() = '\n';
}

Snapshot read_table_text(std::string_view text, const std::string& format, const ReadOptions& options) {
  const std::array notes = {take_line(text), take_line(text)};
  const std::string fields(take_line(text));
  ReadOptions half = options;
  if (options.progress) half.progress = [&](double share) { return options.progress(0.5 + share / 2); };
  if (!options.field.empty()) half.field = kShownColumn;
  try {
    Snapshot snapshot = csv_format().read(bytes_of(text), half);
    snapshot.format = format;
    std::erase_if(snapshot.notes, [](const std::string& note) { return note.find(kShownColumn) != note.npos; });
    for (std::string& note : snapshot.notes) note = with_rows(note);
    for (const std::string_view note : notes)
      if (!note.empty()) snapshot.notes.emplace_back(note);
    name_fields(fields, options.field, snapshot);
    return snapshot;
  } catch (const InputError& error) {
    throw InputError(with_rows(error.what()), error.missing);
  }
}

}  // namespace pericenter
