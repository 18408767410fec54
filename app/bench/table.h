#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pericenter::app {

/// A text, or a number, printed with three significant digits and written to CSV with nine. Empty text: no value.
using Cell = std::variant<std::string, double>;

/// A table with named columns.
class Table {
 public:
  /// The last `csv_only` columns are only in the CSV.
  explicit Table(std::vector<std::string> columns, std::size_t csv_only = 0)
      : columns_(std::move(columns)), csv_only_(csv_only) {}

  /// Adds a row with one cell per column.
  void add(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }

  /// Aligned text, without empty columns.
  std::string aligned() const;
  /// CSV with a header and all columns.
  std::string csv() const;

 private:
  std::vector<std::string> columns_;
  std::size_t csv_only_;
  std::vector<std::vector<Cell>> rows_;
};

/// Three significant digits, at most three decimals.
std::string figures(double number);

/// Text columns, side by side.
class AlignedLines {
 public:
  explicit AlignedLines(std::size_t lines) : lines_(lines) {}

  /// Appends a right-aligned column, one text per line.
  void append(const std::vector<std::string>& texts);
  /// Widens the gap before the next column.
  void gap() { gap_ = true; }
  std::string text() const;

 private:
  std::vector<std::string> lines_;
  bool gap_ = false;
};

/// A CSV line with its line end; the first field must not be empty.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace pericenter::app
