#include "sim/files/csv_columns.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/files/csv_time.h"

namespace pericenter {
namespace {

constexpr std::string_view kExpected =
    " The first line of a table must name the columns m (or mass), x and y; optional columns are z, vx, vy, vz, id, "
    "group and component.";

// Words with x, y, z or 0, 1, 2 or 1, 2, 3 in names of ParaView (Points:0), yt (particle_position_x), Astropy (pos.x),
// pandas and others.
constexpr std::string_view kPositions[] = {"",      "pos",   "position",    "positions", "particle_position", "points",
                                           "point", "coord", "coordinates", "coords",    "coordinate",        "p",
                                           "r",     "xyz",   "x",           "location"};
// Astropy calls them d_x where a representation has differentials (coord.differentials.s.d_x), else v_x (coord.v_x).
constexpr std::string_view kVelocities[] = {"v",     "vel", "velocity", "velocities", "particle_velocity",
                                            "speed", "dot", "d"};
// What is no position either.
constexpr std::string_view kNoPositions[] = {
    "v",     "vel",          "velocity",      "velocities", "speed",      "s",      "a",    "acc",
    "accel", "acceleration", "accelerations", "f",          "force",      "forces", "spin", "j",
    "l",     "momentum",     "angmom",        "rotation",   "orientation"};

/// Names of the Gaia archive, of VizieR (which computes _RAJ2000 in degrees beside RAJ2000 in hours) and of
/// Bailer-Jones et al. (2021, doi:10.3847/1538-3881/abd806).
SkyColumns sky_columns_of(const ColumnNames& names) {
  return {
      .ra = names.any({"ra", "ra_icrs", "_ra_icrs", "_ra", "_raj2000", "raj2000", "ra_deg", "radeg"}),
      .dec = names.any({"dec", "de_icrs", "_de_icrs", "_de", "_dej2000", "dej2000", "decj2000", "dec_deg", "dedeg"}),
      .parallax = names.any({"parallax", "plx"}),
      .distance = names.any(
          {"distance", "dist", "r_med_photogeo", "r_med_geo", "rpgeo", "rgeo", "r_est", "rest", "distance_gspphot"}),
      .pmra = names.any({"pmra", "pm_ra_cosdec", "pmra_cosdec"}),
      .pmdec = names.any({"pmdec", "pm_dec", "pmde"}),
      .radial_velocity = names.any({"radial_velocity", "rv", "rvel", "hrv", "dr2_radial_velocity"})};
}

[[noreturn]] void throw_missing(const TextTable& table, std::initializer_list<std::string_view> names) {
  const bool on_sky = table.column({"ra"}) && table.column({"dec"});
  try {
    table.required(names);
    throw InputError("Column 'y' is missing.");
  } catch (const InputError& error) {
    throw InputError(error.what() + std::string(kExpected) +
                     (on_sky ? " These are positions on the sky: add a column parallax or distance." : ""));
  }
}

std::optional<std::size_t> mass_of(const ColumnNames& names) {
  const auto find = [](const ColumnNames& rest) {
    return rest.any({"m", "mass", "masses", "particle_mass", "m_0", "mass_0"});
  };
  const auto found = find(names);
  return found ? found : names.behind({}, find);
}

VectorColumns positions_of(const ColumnNames& names) {
  const VectorColumns found = names.vector(kPositions);
  if (found.is_complete()) return found;
  const VectorColumns behind =
      names.behind(kNoPositions, [](const ColumnNames& rest) { return rest.vector(kPositions); });
  return behind.any() ? behind : found;
}

/// A single letter, as v beside x, y and z, is a speed rather than a list.
VectorColumns velocities_of(const ColumnNames& names, const VectorColumns& position) {
  VectorColumns found = names.vector(kVelocities);
  if (found.list && found.list == names.any({"v"}) && !position.list) found.list = {};
  if (!found.any()) found = names.behind({}, [](const ColumnNames& rest) { return rest.vector(kVelocities); });
  const auto u = names.any({"u"}), v = names.any({"v"}), w = names.any({"w"});
  if (!found.any() && u && v && w) found.axes = {u, v, w};
  return found;
}

/// The names of galpy 1.10 (R, vR, vT, z, vz, phi), AGAMA (coord::PosVelCyl: R, z, phi, vR, vz, vphi), Astropy (rho,
/// d_phi) and astroNN's catalogue of APOGEE (galr).
struct CylinderNames {
  VectorColumns position, velocity;
  CylinderColumns angles;

  bool is_complete() const { return position.axes[0] && angles.azimuth; }
};

CylinderNames cylinder_of(const ColumnNames& names) {
  CylinderNames found;
  const auto theta = names.any({"theta"}), phi = names.any({"phi", "galphi", "azimuth"});
  if (theta && phi) return {};  // spherical
  found.angles = {.azimuth = phi ? phi : theta, .spin = names.any({"d_phi", "phidot", "phi_dot", "dphi_dt", "omega"})};
  found.position.axes = {names.any({"r", "rho", "galr", "r_cyl", "rcyl"}), {}, names.any({"z", "galz"})};
  found.velocity.axes = {names.any({"vr", "v_r", "vrho", "v_rho", "d_rho", "galvr"}),
                         names.any({"vt", "v_t", "vphi", "v_phi", "vtheta", "v_theta", "galvt"}),
                         names.any({"vz", "v_z", "d_z", "galvz"})};
  if (found.velocity.axes[1]) found.angles.spin = {};
  return found;
}

/// Throws InputError for spherical coordinates.
void use_cylinder(const ColumnNames& names, CsvColumns& columns) {
  const auto r = names.any({"r", "radius", "distance"}), theta = names.any({"theta", "lat"}),
             phi = names.any({"phi", "lon"});
  if (r && theta && phi)
    throw InputError(
        "The columns are spherical coordinates, which are not read. Write x, y, z and vx, vy, vz; from r, the angle "
        "theta to the axis, phi: x = r sin(theta) cos(phi), y = r sin(theta) sin(phi), z = r cos(theta).");
  CylinderNames found = cylinder_of(names);
  if (!found.is_complete()) found = names.behind({}, cylinder_of);
  if (!found.is_complete() && columns.position.list && names.any({"z"}))
    throw InputError(
        "Column 'phi' is missing: R and z are cylindrical coordinates. Add it, or write x, y and z in place of R.");
  if (!found.is_complete()) return;
  columns.position = found.position;
  columns.velocity = found.velocity;
  columns.cylinder = found.angles;
}

}  // namespace

CsvColumns csv_columns_of(const TextTable& table) {
  const ColumnNames names(table.columns());
  CsvColumns columns{
      .mass = mass_of(names),
      .time = time_column_of(names, table),
      .position = positions_of(names),
      .velocity = {},
      .cylinder = {},
      .labels = {.id = names.any({"id", "ids", "particle_id", "particleids", "particle_index", "source_id", "source"}),
                 .group = names.any({"group", "galaxy"}),
                 .component = names.any({"component", "type"})},
      .sky = sky_columns_of(names)};
  columns.velocity = velocities_of(names, columns.position);
  if (!columns.sky.any()) columns.sky = names.behind({}, sky_columns_of);
  const VectorColumns& x = columns.position;
  if (columns.sky.any() && !(x.axes[0] && x.axes[1])) {
    columns.position = columns.velocity = {};
    columns.time = {};  // may be the epoch of a single star
    return columns;
  }
  columns.sky = {};
  const bool is_list = x.list && x.list != names.any({"r"});
  if (!(x.axes[0] && x.axes[1]) && !is_list) use_cylinder(names, columns);
  const bool is_complete = x.is_complete() || columns.cylinder.azimuth;
  const bool is_of_bodies = is_complete && (x.list || x.axes[2] || columns.velocity.any());
  if (!columns.mass && !is_of_bodies) throw_missing(table, {"m", "mass"});
  if (is_complete) return columns;
  if (!x.axes[0]) throw_missing(table, {"x", "pos_x", "px"});
  throw_missing(table, {"y", "pos_y", "py"});
}

std::vector<std::size_t> used_columns(const CsvColumns& columns) {
  const auto& [ra, dec, parallax, distance, pmra, pmdec, radial_velocity] = columns.sky;
  const auto& [id, group, component] = columns.labels;
  const auto& [azimuth, spin] = columns.cylinder;
  const VectorColumns &x = columns.position, &v = columns.velocity;
  std::vector<std::size_t> used;
  for (const std::optional<std::size_t>& column :
       {azimuth,   spin,      columns.mass, columns.time, x.axes[0], x.axes[1],      x.axes[2], x.list,
        v.axes[0], v.axes[1], v.axes[2],    v.list,       id,        group,          component, ra,
        dec,       parallax,  distance,     pmra,         pmdec,     radial_velocity})
    if (column && std::ranges::find(used, *column) == used.end()) used.push_back(*column);
  return used;
}

}  // namespace pericenter
