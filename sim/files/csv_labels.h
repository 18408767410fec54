#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/files/text_table.h"

namespace pericenter {

/// What a table calls its bodies: columns that need not be numbers, so that any field is accepted. notes() says what
/// became of fields that are no obvious names.
class CsvLabels {
 public:
  struct Columns {
    std::optional<std::size_t> id, group, component;
  };
  explicit CsvLabels(const Columns& columns) : columns_(columns) {}

  /// Tag of the row. Groups are numbered in the order of appearance; a tag has room for 16, and all further groups
  /// share the last number.
  std::uint32_t tag(const TextTable& table);
  /// Appends the id of the row, or empties `ids` from the first one on that is not a whole number below 2^64.
  void add_id(const TextTable& table, std::vector<std::uint64_t>& ids);
  /// Why the ids are ignored, as a sentence; empty if they are not.
  std::string id_problem() const;
  /// Sentences for the user.
  std::vector<std::string> notes(const std::vector<std::uint64_t>& ids) const;

 private:
  std::uint32_t group(const std::string& name);
  Component component(const TextTable& table);

  Columns columns_;
  std::vector<std::string> groups_;  ///< names of those with a number of their own
  bool has_more_groups_ = false;
  std::optional<std::string> unknown_component_;  ///< first one
  std::optional<std::string> invalid_id_;         ///< where the first one is
};

}  // namespace pericenter
