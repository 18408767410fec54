#include "sim/files/tables/table_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <regex>

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

std::vector<std::size_t> columns_of_bodies(std::span<const TableColumn> columns) {
  std::vector<std::size_t> all(columns.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  const std::string headings = table_headings(columns, all);
  return used_columns(csv_columns_of(TextTable(bytes_of(headings))));
}

std::string table_headings(std::span<const TableColumn> columns, std::span<const std::size_t> used) {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) names.push_back(column.name);
  std::string line;
  for (const std::size_t k : used) {
    const auto& [name, unit] = columns[k];
    append_field(std::string_view(unit.empty() ? name : name + " [" + unit + "]"), line);
  }
  end_row(line);
  return unused_note(names, used) + "\n" + line;
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
  const std::string_view note_on_columns = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(note_on_columns.size() + 1, text.size()));
  Progress second_half;
  if (options.progress) second_half = [&](double share) { return options.progress(0.5 + share / 2); };
  try {
    Snapshot snapshot = csv_format().read(bytes_of(text), options.with(second_half));
    snapshot.format = format;
    for (std::string& note : snapshot.notes) note = with_rows(note);
    if (!note_on_columns.empty()) snapshot.notes.emplace_back(note_on_columns);
    return snapshot;
  } catch (const InputError& error) {
    throw InputError(with_rows(error.what()), error.missing);
  }
}

}  // namespace pericenter
