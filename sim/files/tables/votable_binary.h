#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/files/tables/table_text.h"

namespace pericenter {

/// A FIELD of a VOTable (IVOA recommendation 1.4, sections 2.1 and 4.1).
struct VotableField {
  TableColumn column;
  std::string datatype;
  std::optional<std::string> null = {};  ///< value that stands for a missing one
  std::size_t count = 1;                 ///< elements, without those of the variable dimension
  bool is_array = false, is_variable = false;

  /// Whether each row has one number.
  bool is_number() const;
  /// `arraysize`: "", "3", "*", "10*", "2x*".
  void set_size(const std::string& arraysize);
};

/// The rows of BINARY2 or, without marks of missing values, BINARY (sections 5.3 and 5.4) as text. Throws InputError.
std::string votable_rows(Bytes data, std::span<const VotableField> fields, std::span<const std::size_t> used,
                         bool has_marks);

}  // namespace pericenter
