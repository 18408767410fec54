#include "app/bench/table.h"

#include <algorithm>
#include <cmath>

#include "app/base/format.h"

namespace pericenter::app {
namespace {

/// Small numbers, such as errors, get two significant digits.
std::string display_text(const Cell& cell) {
  if (const auto* string = std::get_if<std::string>(&cell)) return string->empty() ? "-" : *string;
  const double number = std::get<double>(cell), size = std::abs(number);
  if (number == std::round(number)) return text("%.0f", number);
  return size >= 1 ? figures(number) : size >= 1e-3 ? text("%#.2g", number) : text("%.1e", number);
}

std::string for_csv(const Cell& cell) {
  const auto* string = std::get_if<std::string>(&cell);
  return string ? *string : text("%.9g", std::get<double>(cell));
}

/// Quoted if necessary (RFC 4180).
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted;
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return '"' + quoted + '"';
}

bool has_value(const Cell& cell) {
  const auto* string = std::get_if<std::string>(&cell);
  return !string || !string->empty();
}

}  // namespace

std::string figures(double number) {
  if (number == 0) return "0";
  const double size = std::abs(number);
  return text("%.*f", size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3, number);
}

void AlignedLines::append(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& word : texts) width = std::max(width, word.size());
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    const std::size_t space = lines_[k].empty() ? 0 : gap_ ? 2 : 1;
    lines_[k] += std::string(width - texts[k].size() + space, ' ') + texts[k];
  }
  gap_ = false;
}

std::string AlignedLines::text() const {
  std::string all;
  for (const std::string& line : lines_) all += line + "\n";
  return all;
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (!line.empty()) line += ',';
    line += csv_field(field);
  }
  return line + '\n';
}

std::string Table::aligned() const {
  AlignedLines lines(rows_.size() + 1);
  for (std::size_t column = 0; column + csv_only_ < columns_.size(); ++column) {
    const auto holds = [&](const std::vector<Cell>& row) { return has_value(row[column]); };
    if (std::none_of(rows_.begin(), rows_.end(), holds)) continue;
    std::vector<std::string> texts = {columns_[column]};
    for (const std::vector<Cell>& row : rows_) texts.push_back(display_text(row[column]));
    lines.append(texts);
    lines.gap();
  }
  return lines.text();
}

std::string Table::csv() const {
  std::string csv = csv_line(columns_);
  for (const std::vector<Cell>& row : rows_) {
    std::vector<std::string> fields(row.size());
    std::transform(row.begin(), row.end(), fields.begin(), for_csv);
    csv += csv_line(fields);
  }
  return csv;
}

}  // namespace pericenter::app
