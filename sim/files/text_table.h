#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/snapshot.h"

namespace pericenter {

/// A text table: a row of column names, with or without units in brackets, then rows of fields separated by commas,
/// semicolons, tabs or, without any of these, blanks. Fields may be in double quotes (RFC 4180, but on one line). A
/// byte order mark, CRLF, empty lines, comment lines (is_comment()) and preambles (TablePreamble) are skipped.
/// Independent of the locale. Views the bytes, which must outlive it.
class TextTable {
 public:
  static constexpr std::size_t kLongestLine = 1 << 20;  ///< bytes

  /// Reads the column names: the first line that is not a comment or, if that has numbers, the last comment before it
  /// with the same number of fields. Seven columns of numbers have names without them. Throws InputError if there are
  /// no names.
  explicit TextTable(Bytes bytes);

  /// Column names, without quotes and surrounding blanks.
  const std::vector<std::string>& columns() const { return columns_; }
  /// The units of the columns as text, from the brackets after the names, a line below them or a comment; "": none.
  const std::vector<std::string>& units() const { return units_; }
  /// Whether the file has no names, so that the columns are assumed.
  bool assumed() const { return assumed_; }
  /// The column with the first of these names that exists; not case-sensitive.
  std::optional<std::size_t> column(std::initializer_list<std::string_view> names) const;
  /// The same. Throws InputError with the first name and the existing columns.
  std::size_t required(std::initializer_list<std::string_view> names) const;
  /// Comments before the first row, without # and surrounding blanks.
  std::span<const std::string> comments() const { return comments_; }

  /// Advances to the next row; false at the end. Throws InputError if the number of fields differs from the number of
  /// columns; the next call continues after that row.
  bool next();
  /// Number of the block of the row, from 0. Two empty lines (gnuplot), a repeated heading or a comment that states a
  /// time begin another one.
  std::size_t block() const { return block_; }
  /// Whether text follows the number of rows that the first line states.
  bool has_rest() const { return most_rows_ > 0 && rows_ == most_rows_ && at_ < bytes_.size(); }
  /// Number of empty lines or groups of them between the rows so far.
  std::size_t gaps() const { return gaps_; }
  /// Line number of the row in the file, from 1.
  std::size_t line() const { return line_; }
  /// Bytes read so far, for progress reports.
  std::size_t bytes_read() const { return at_; }

  /// A field of the row, without quotes and surrounding blanks; valid until the next row.
  std::string_view field(std::size_t column) const { return fields_[column]; }
  /// The field as a finite number. Throws InputError, also if it is empty.
  double number(std::size_t column) const;
  /// The same, but nullopt if it is empty.
  std::optional<double> number_if_any(std::size_t column) const;
  /// nullopt if the field is not a finite number.
  std::optional<double> number_or_none(std::size_t column) const;

  /// An error for the caller to throw: "Line 12, column 'e': `what`".
  InputError error(std::size_t column, const std::string& what) const;
  /// "Line 12: `what`".
  InputError error(const std::string& what) const;

 private:
  bool next_line();
  void note_comment(std::string_view comment);
  void split();
  bool is_number(std::string_view field) const;
  void find_names();
  void skip_preamble();
  void fit_names_to_row(const std::vector<std::string>& fields);
  /// Lines below the names that are no rows: units, types of RDB, and rules, as VizieR writes them.
  void skip_lines_of_units();
  bool names_in_comments(std::size_t count);
  void set_columns(const std::vector<std::string>& fields);
  void assume_names(std::size_t count);

  Bytes bytes_;
  std::size_t at_ = 0, line_ = 0;
  char separator_ = ',';  ///< ' ': any number of blanks
  bool repeat_ = false;   ///< the current line is the first row
  std::string_view text_;
  bool assumed_ = false;
  std::string heading_;  ///< the line with the names, without #
  std::size_t rows_ = 0, block_ = 0, gaps_ = 0, empty_lines_ = 0;
  std::size_t most_rows_ = 0;  ///< 0: not stated
  bool block_ends_ = false, ends_with_separator_ = false;
  std::vector<std::string> columns_, units_, comments_;
  std::vector<std::string_view> fields_;
  std::string unquoted_;  ///< contents of quoted fields
};

/// The beginning of a field for a message, which is one line of text: control characters are replaced.
std::string shown(std::string_view text);

/// The whole text as a number with a decimal point or, if `comma_too`, a decimal comma; nullopt if it is not a finite
/// number.
std::optional<double> parsed_number(std::string_view text, bool comma_too = false);

}  // namespace pericenter
