#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/files/column_names.h"
#include "sim/files/snapshot.h"
#include "sim/files/text_table.h"

namespace pericenter {

/// The column of times, dates or numbers of snapshots.
std::optional<std::size_t> time_column_of(const ColumnNames& names, const TextTable& table);

/// Selects the rows of one time of a table that may have several: values of a column, or blocks (TextTable::block()).
class CsvTime {
 public:
  explicit CsvTime(std::optional<std::size_t> column) : column_(column) {}

  /// Whether the present row is of the first time.
  bool takes(const TextTable& table);
  /// Sets the time of the snapshot, from the column or a comment such as "t = 0.1 Myr", and adds notes.
  void finish(const TextTable& table, Snapshot& snapshot) const;

 private:
  std::optional<std::size_t> column_;
  std::string first_;
  std::unordered_set<std::string> times_;
  std::size_t taken_ = 0, blocks_ = 1;
  std::vector<std::size_t> parts_;  ///< rows between empty lines
};

}  // namespace pericenter
