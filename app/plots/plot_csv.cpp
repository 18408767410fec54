#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "app/plots/plot_files.h"

namespace pericenter::app {
namespace {

/// Quotes the text if RFC 4180 requires it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

/// Twelve significant digits: enough for every use, and 202 instead of 202.00000000000003.
std::string number(double value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::general, 12);
  return {digits.data(), end.ptr};
}

struct Column {
  std::string name;
  std::span<const double> x, y;
  std::size_t next = 0;  ///< first row that is not written yet
};

std::vector<Column> columns_of(const Plot& plot) {
  std::vector<Column> columns;
  for (const Curve& curve : plot.curves) columns.push_back({curve.name, curve.x, curve.y});
  for (const Band& band : plot.bands) columns.push_back({band.name, plot.band_x, band.y});
  return columns;
}

/// The values of x of all columns in a range, ascending, each once.
std::vector<double> rows_of(const std::vector<Column>& columns, PlotRange range) {
  std::vector<double> rows;
  for (const Column& column : columns)
    std::ranges::copy_if(column.x, std::back_inserter(rows), [&](double x) { return range.contains(x); });
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// The value of the column at `x`, the last one if there are several; empty if it has none. Rows are asked for in
/// ascending order.
std::string value_in(Column& column, double x) {
  std::string value;
  for (; column.next < column.x.size() && !(column.x[column.next] > x); ++column.next)
    if (const double y = column.y[column.next]; column.x[column.next] == x)
      value = std::isfinite(y) ? number(y) : std::string();
  return value;
}

}  // namespace

std::string csv_text(const Plot& plot, PlotRange x) {
  std::vector<Column> columns = columns_of(plot);
  std::string table = field(title_of(plot.x));
  for (const Column& column : columns)
    table += "," + field(plot.y.unit.empty() ? column.name : column.name + " [" + plot.y.unit + "]");
  table += "\n";
  for (const double row : rows_of(columns, x)) {
    table += number(row);
    for (Column& column : columns) table += "," + value_in(column, row);
    table += "\n";
  }
  return table;
}

}  // namespace pericenter::app
