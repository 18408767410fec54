#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/files/column_names.h"
#include "sim/files/csv_labels.h"
#include "sim/files/cylinder_columns.h"
#include "sim/files/sky_columns.h"
#include "sim/files/text_table.h"

namespace pericenter {

struct CsvColumns {
  std::optional<std::size_t> mass, time;
  VectorColumns position, velocity;
  CylinderColumns cylinder;  ///< used if there are no x and y: position has R, none, z, and velocity vR, vT, vz
  CsvLabels::Columns labels;
  SkyColumns sky;  ///< used if there are no x and y
};

/// The columns of a table by their names, in the spellings of several programs. Throws InputError if x or y is missing,
/// or the mass of a table that has neither z nor velocities, unless it has positions on the sky and distances.
CsvColumns csv_columns_of(const TextTable& table);
/// All of them, without order.
std::vector<std::size_t> used_columns(const CsvColumns& columns);

}  // namespace pericenter
