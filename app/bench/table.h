#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace pericenter::app {

/// A text, or a number of which a reader sees three figures and the CSV nine. An empty text: there is nothing to say.
using Cell = std::variant<std::string, double>;

/// Rows under named columns.
class Table {
 public:
  /// The last `csv_only` of the columns are not for reading.
  explicit Table(std::vector<std::string> columns, std::size_t csv_only = 0)
      : columns_(std::move(columns)), csv_only_(csv_only) {}

  /// As many cells as there are columns.
  void add(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }

  /// For reading: rows one under the other, without the columns in which none has anything.
  std::string aligned() const;
  /// A header and a line a row, all columns.
  std::string csv() const;

 private:
  std::vector<std::string> columns_;
  std::size_t csv_only_;
  std::vector<std::vector<Cell>> rows_;
};

/// Three figures of the number, but no more than three places behind the point.
std::string figures(double number);

/// Columns of text that are put side by side.
class AlignedLines {
 public:
  explicit AlignedLines(std::size_t lines) : lines_(lines) {}

  /// One text a line, to the right of what is there already and flush right.
  void append(const std::vector<std::string>& texts);
  /// Room before the next column.
  void gap() { gap_ = true; }
  std::string text() const;

 private:
  std::vector<std::string> lines_;
  bool gap_ = false;
};

/// A line of a CSV file with its end; the first field is not empty.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace pericenter::app
