#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/bodies.h"
#include "sim/files/text_table.h"

namespace pericenter {

/// Columns of cylindrical coordinates beside R, z and vR, vT, vz.
struct CylinderColumns {
  std::optional<std::size_t> azimuth;  ///< phi
  std::optional<std::size_t> spin;     ///< its change with time, in place of vT
};

/// Converts bodies from cylindrical coordinates, which is a turn by phi about the z axis.
class CylinderBodies {
 public:
  /// phi is in radians if its column has no unit. Throws InputError if a unit is unknown.
  CylinderBodies(const TextTable& table, const CylinderColumns& columns, const FileUnits& units);

  /// Turns a body with the position (R, 0, z) and the velocity (vR, vT, vz); nothing without columns. Throws
  /// InputError.
  void turn(const TextTable& table, Body& body);
  /// Sentences for the user.
  std::vector<std::string> notes() const;

 private:
  CylinderColumns columns_;
  double angle_unit_ = 0;  ///< radians; 0: not declared
  double spin_unit_ = 1;   ///< unit of R times spin, in that of velocity
  double largest_ = 0;     ///< phi
};

}  // namespace pericenter
