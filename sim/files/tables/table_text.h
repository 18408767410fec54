#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/snapshot.h"

namespace pericenter {

// Tables of other formats are read as text, by the reader of CSV, so that all tables have the same names and units.

struct TableColumn {
  std::string name, unit;
  bool is_number = false;  ///< one number per row
};

struct TableChoice {
  std::vector<std::size_t> columns;  ///< that the rows of the text have
  /// Its beginning: two lines with notes on the columns that are fields of bodies and on those not used, or empty; a
  /// line with names and units of the fields, each followed by a tab; headings.
  std::string headings;
};
/// The columns that a table of bodies uses, and that of the field `wanted`, if there is one. Throws InputError if they
/// hold no bodies.
TableChoice choose_columns(std::span<const TableColumn> columns, const std::string& wanted);
/// Append a field and a comma. NaN is an empty field.
void append_field(double number, std::string& row);
void append_field(std::int64_t number, std::string& row);
void append_field(std::uint64_t number, std::string& row);
void append_field(std::string_view text, std::string& row);
/// A vector, "1 2 3".
void append_field(std::span<const double> numbers, std::string& row);
/// Replaces the last comma by the end of the line.
void end_row(std::string& row);

/// Reads the text, which takes the second half of the progress. Its errors and notes name rows, not lines. `format`:
/// shown to the user. Throws InputError, SceneCancelled.
Snapshot read_table_text(std::string_view text, const std::string& format, const ReadOptions& options);

}  // namespace pericenter
