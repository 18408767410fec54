#include "sim/files/sky_columns.h"

#include <algorithm>
#include <cmath>

#include "sim/core/counted_bodies.h"
#include "sim/files/csv_units.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

constexpr double kMasRadian = kDegree / 3.6e6;

}  // namespace

std::optional<double> SkyBodies::Scaled::in(const TextTable& table) const {
  if (!column) return std::nullopt;
  const std::string_view text = table.field(*column);
  // What the Gaia archive, Astropy and pandas write for missing values.
  for (const std::string_view missing : {"", "null", "--", "nan", "NaN", "None"})
    if (text == missing) return std::nullopt;
  return table.number(*column) * unit;
}

SkyBodies::SkyBodies(const TextTable& table, const SkyColumns& columns) : used_(columns.any()) {
  const auto scaled = [&](std::optional<std::size_t> column, std::string_view kind, double usual) {
    const double size = used_ && column ? csv_unit_of(table, kind, *column) : 0;
    return Scaled{column, size > 0 ? size : usual};
  };
  ra_ = scaled(columns.ra, "angle", kDegree);
  dec_ = scaled(columns.dec, "angle", kDegree);
  parallax_ = scaled(columns.parallax, "angle", kMasRadian);
  distance_ = scaled(columns.distance, "length", kParsecCm);
  pmra_ = scaled(columns.pmra, "angular velocity", kMasRadian / kYearSecond);
  pmdec_ = scaled(columns.pmdec, "angular velocity", kMasRadian / kYearSecond);
  radial_velocity_ = scaled(columns.radial_velocity, "velocity", 1e5);
}

std::optional<double> SkyBodies::distance_cm(const TextTable& table) const {
  if (const auto distance = distance_.in(table)) return *distance > 0 ? distance : std::nullopt;
  const auto parallax = parallax_.in(table);
  return parallax && *parallax > 0 ? std::optional(kAstronomicalUnitCm / *parallax) : std::nullopt;
}

bool SkyBodies::place(const TextTable& table, Body& body) {
  const auto distance = distance_cm(table);
  left_out_ += !distance;
  if (!distance) return false;
  const double a = ra_.column ? table.number(*ra_.column) * ra_.unit : 0;
  const double d = dec_.column ? table.number(*dec_.column) * dec_.unit : 0;
  const auto east = pmra_.in(table), north = pmdec_.in(table), away = radial_velocity_.in(table);
  without_motion_ += !east || !north;
  without_radial_velocity_ += !away;
  const Vec3 direction{std::cos(d) * std::cos(a), std::cos(d) * std::sin(a), std::sin(d)};
  const Vec3 to_east{-std::sin(a), std::cos(a), 0};
  const Vec3 to_north{-std::sin(d) * std::cos(a), -std::sin(d) * std::sin(a), std::cos(d)};
  body.position = direction * (*distance / kParsecCm);
  body.velocity = (direction * away.value_or(0) + to_east * (east.value_or(0) * *distance) +
                   to_north * (north.value_or(0) * *distance)) *
                  1e-5;
  return true;
}

std::vector<std::string> SkyBodies::notes() const {
  if (!used_) return {};
  std::vector<std::string> notes = {
      "Positions on the sky were converted to x, y, z around the Sun, with x to right ascension 0 and z to the "
      "celestial north pole; pmra is taken to include cos(dec), as Gaia's does."};
  if (left_out_ > 0) notes.push_back(counted_bodies(left_out_) + " without a parallax or distance above 0 left out.");
  if (without_radial_velocity_ > 0)
    notes.push_back(counted_bodies(without_radial_velocity_) + " without a radial velocity: 0 is assumed.");
  if (without_motion_ > 0) notes.push_back(counted_bodies(without_motion_) + " without proper motion: 0 is assumed.");
  return notes;
}

}  // namespace pericenter
