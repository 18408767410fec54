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

/// A table as text: a row that names the columns, then rows of fields between commas, semicolons, tabs or, where there
/// are none of these, blanks. Fields may stand in double quotes (RFC 4180, but on one line); a byte order mark, CRLF,
/// empty lines and comments after # are read over; the locale does not matter. Views the bytes, which must outlive it.
class TextTable {
 public:
  static constexpr std::size_t kLongestLine = 1 << 20;  ///< bytes

  /// Reads the names of the columns: the first line that is no comment or, where that is all numbers, the comment
  /// before it if it has as many words. Throws InputError when there are no names.
  explicit TextTable(Bytes bytes);

  /// Names of the columns as they stand there, without quotes and blanks around them.
  const std::vector<std::string>& columns() const { return columns_; }
  /// The first column with one of these names, in the order of the names; capitals do not matter.
  std::optional<std::size_t> column(std::initializer_list<std::string_view> names) const;
  /// The same. Throws InputError, which names the first of them and the columns that there are.
  std::size_t required(std::initializer_list<std::string_view> names) const;
  /// Comments before the first row, without # and blanks around them.
  std::span<const std::string> comments() const { return comments_; }

  /// Goes to the next row; false when there is none. Throws InputError when it has not as many fields as columns; the
  /// next call goes on after it.
  bool next();
  /// Its line in the file, from 1, as editors count.
  std::size_t line() const { return line_; }
  /// Bytes read so far, for the progress.
  std::size_t bytes_read() const { return at_; }

  /// A field of the row, without quotes and blanks around it; valid until the next row.
  std::string_view field(std::size_t column) const { return fields_[column]; }
  /// The field as a finite number. Throws InputError, also when it is empty.
  double number(std::size_t column) const;
  /// The same, but nullopt when it is empty.
  std::optional<double> number_if_any(std::size_t column) const;

  /// For problems that the caller finds: "line 12, column 'e': `what`".
  InputError error(std::size_t column, const std::string& what) const;
  /// "line 12: `what`".
  InputError error(const std::string& what) const;

 private:
  bool next_line();
  void split();
  void find_names();
  bool is_all_numbers() const;

  Bytes bytes_;
  std::size_t at_ = 0, line_ = 0;
  char separator_ = ',';  ///< ' ': any blanks
  bool repeat_ = false;   ///< the line that was read is the first row
  std::string_view text_;
  std::vector<std::string> columns_, comments_;
  std::vector<std::string_view> fields_;
  std::string unquoted_;  ///< fields in which a quote is doubled
};

/// The whole text as a number, with a point or, where `comma_too`, a comma before its fraction; nullopt when it is none
/// or not finite.
std::optional<double> parsed_number(std::string_view text, bool comma_too = false);

}  // namespace pericenter
