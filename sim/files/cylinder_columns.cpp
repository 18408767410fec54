#include "sim/files/cylinder_columns.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/files/csv_units.h"
#include "sim/files/unit_system.h"

namespace pericenter {

CylinderBodies::CylinderBodies(const TextTable& table, const CylinderColumns& columns, const FileUnits& units)
    : columns_(columns) {
  if (columns.azimuth) angle_unit_ = csv_unit_of(table, "angle", *columns.azimuth);
  const double spin = columns.spin ? csv_unit_of(table, "angular velocity", *columns.spin) : 0;
  if (!(spin > 0)) return;
  if (!units.known())
    throw InputError("Column '" + table.columns()[*columns.spin] +
                     "' has a unit, but those of length and velocity are unknown. Write units for all columns.");
  spin_unit_ = spin * units.length_cm / units.velocity_cm_s;
}

void CylinderBodies::turn(const TextTable& table, Body& body) {
  if (!columns_.azimuth) return;
  const double phi = table.number(*columns_.azimuth);
  largest_ = std::max(largest_, std::abs(phi));
  if (columns_.spin) body.velocity[1] = body.position[0] * table.number(*columns_.spin) * spin_unit_;
  const double cosine = std::cos(phi * (angle_unit_ > 0 ? angle_unit_ : 1));
  const double sine = std::sin(phi * (angle_unit_ > 0 ? angle_unit_ : 1));
  for (Vec3* const vector : {&body.position, &body.velocity})
    *vector = {cosine * (*vector)[0] - sine * (*vector)[1], sine * (*vector)[0] + cosine * (*vector)[1], (*vector)[2]};
}

std::vector<std::string> CylinderBodies::notes() const {
  if (!columns_.azimuth) return {};
  std::vector<std::string> notes = {
      "Cylindrical coordinates were converted: x = R cos(phi), y = R sin(phi), vx = vR cos(phi) - vT sin(phi), vy = vR "
      "sin(phi) + vT cos(phi)."};
  if (angle_unit_ > 0) return notes;
  notes.emplace_back("phi is taken in radians.");
  if (largest_ > 2 * std::numbers::pi)
    notes.push_back("It reaches " + shown(largest_) +
                    ": if it is in degrees, say so in the first line of the table, as phi [deg].");
  return notes;
}

}  // namespace pericenter
