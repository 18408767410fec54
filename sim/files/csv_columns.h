#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/files/csv_labels.h"
#include "sim/files/sky_columns.h"
#include "sim/files/text_table.h"

namespace pericenter {

/// Three columns, of which some may be missing, or one column of lists such as "[1.0,2.0,3.0]" (ECSV).
struct VectorColumns {
  std::array<std::optional<std::size_t>, 3> axes;
  std::optional<std::size_t> list;

  bool any() const { return list || axes[0] || axes[1] || axes[2]; }
  /// The vector of the present row; 0 where there is no column. Throws InputError.
  Vec3 at(const TextTable& table) const;
};

struct CsvColumns {
  std::optional<std::size_t> mass;
  VectorColumns position, velocity;
  CsvLabels::Columns labels;
  SkyColumns sky;  ///< used if there are no x and y
};

/// The columns of a table by their names, in the spellings of several programs. Throws InputError if x or y is missing,
/// or the mass of a table that has neither z nor velocities, unless it has positions on the sky and distances.
CsvColumns csv_columns_of(const TextTable& table);
/// All of them, without order.
std::vector<std::size_t> used_columns(const CsvColumns& columns);

}  // namespace pericenter
