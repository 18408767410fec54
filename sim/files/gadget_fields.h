#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "sim/core/body_field.h"
#include "sim/files/gadget_records.h"

namespace pericenter {

/// A block with one number or vector for each body of some types. Views the bytes of the file.
struct GadgetField {
  FieldInfo info;
  ByteReader block;
  std::array<std::size_t, kGadgetTypes> first =
      {};                                        ///< place of the first body of each type; kNoBodies: of another type
  std::size_t components = 1;                    ///< 3: the value is the size of a vector
  bool wide = false;                             ///< doubles
  std::function<double(double)> converted = {};  ///< converts a number to the unit

  static constexpr std::size_t kNoBodies = std::numeric_limits<std::size_t>::max();

  bool has(std::size_t type) const { return first[type] != kNoBodies; }
  /// Of a body, which is the i-th of its type; NaN if the block does not have this type.
  float value(std::size_t type, std::size_t i) const;
};

/// The fields of the blocks that follow: in version 2 those with a known label, or whose size fits only one set of
/// types; in version 1 those that GADGET-2 always writes. They end where the file is damaged. `units`: of the file,
/// with h in lengths and masses.
std::vector<GadgetField> gadget_fields(GadgetRecords records, const GadgetHeader& header, const FileUnits& units);

}  // namespace pericenter
