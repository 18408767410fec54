#include "sim/files/csv_columns.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pericenter {
namespace {

constexpr std::string_view kExpected =
    " The first line of a table must name the columns m (or mass), x and y; optional columns are z, vx, vy, vz, id, "
    "group and component.";

// What comes before x, y, z or 0, 1, 2 or 1, 2, 3 in names of ParaView (Points:0), yt (particle_position_x), Astropy
// (pos.x), pandas and others.
constexpr std::string_view kPositions[] = {"",       "pos",         "position", "positions", "particle_position",
                                           "points", "coordinates", "coords",   "coord",     "p",
                                           "r",      "xyz",         "x"};
constexpr std::string_view kVelocities[] = {
    "v", "vel", "velocity", "velocities", "particle_velocity", "pos_differentials_s_d", "coord_differentials_s_d"};

/// In lower case, and with an underscore for what separates parts of a name.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool separates = std::string_view(" .:-").find(c) != std::string_view::npos;
    plain += separates ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

class PlainNames {
 public:
  explicit PlainNames(const TextTable& table) {
    for (const std::string& name : table.columns()) names_.push_back(plain_name(name));
  }

  std::optional<std::size_t> column(std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names_.begin()));
  }
  std::optional<std::size_t> any(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names)
      if (const auto found = column(name)) return found;
    return std::nullopt;
  }

  VectorColumns vector(std::span<const std::string_view> prefixes) const {
    VectorColumns found;
    for (const std::string_view prefix : prefixes) {
      for (const std::string_view ends : {"xyz", "012", "123"}) {
        if (prefix.size() < (ends == "xyz" ? 0u : 1u)) continue;
        for (const std::string_view between : {"", "_"}) {
          const std::string stem = std::string(prefix).append(between);
          for (std::size_t k = 0; k < 3; ++k) found.axes[k] = column(stem + ends[k]);
          if (found.axes[0] && (ends == "xyz" || found.axes[1])) return found;
        }
      }
    }
    for (const std::string_view prefix : prefixes)
      if (!found.list) found.list = column(prefix);
    found.axes = {};
    return found;
  }

 private:
  std::vector<std::string> names_;
};

/// Names of the Gaia archive, of VizieR (which computes _RAJ2000 in degrees beside RAJ2000 in hours) and of
/// Bailer-Jones et al. (2021, doi:10.3847/1538-3881/abd806).
SkyColumns sky_columns_of(const PlainNames& names) {
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

}  // namespace

Vec3 VectorColumns::at(const TextTable& table) const {
  Vec3 result;
  if (!list) {
    for (int k = 0; k < 3; ++k)
      if (const auto column = axes[static_cast<std::size_t>(k)]) result[k] = table.number(*column);
    return result;
  }
  std::string_view rest = table.field(*list);
  int k = 0;
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find_first_not_of("[](), "), rest.size()));
    if (rest.empty()) break;
    const std::string_view text = rest.substr(0, rest.find_first_of("[](), "));
    const std::optional<double> number = parsed_number(text);
    if (!number || k == 3) throw table.error(*list, "'" + shown(table.field(*list)) + "' is not a list of 3 numbers.");
    result[k++] = *number;
    rest.remove_prefix(text.size());
  }
  if (k < 2) throw table.error(*list, "'" + shown(table.field(*list)) + "' is not a list of 3 numbers.");
  return result;
}

CsvColumns csv_columns_of(const TextTable& table) {
  const PlainNames names(table);
  CsvColumns columns{
      .mass = names.any({"m", "mass", "masses", "particle_mass", "m_0", "mass_0"}),
      .position = names.vector(kPositions),
      .velocity = names.vector(kVelocities),
      .labels = {.id = names.any({"id", "ids", "particle_id", "particleids", "particle_index", "source_id", "source"}),
                 .group = names.any({"group", "galaxy"}),
                 .component = names.any({"component", "type"})},
      .sky = sky_columns_of(names)};
  const VectorColumns& x = columns.position;
  if (columns.sky.any() && !(x.axes[0] && x.axes[1])) {
    columns.position = columns.velocity = {};
    return columns;
  }
  columns.sky = {};
  const bool has_place = x.list || (x.axes[0] && x.axes[1]);
  const bool is_of_bodies = has_place && (x.list || x.axes[2] || columns.velocity.any());
  if (!columns.mass && !is_of_bodies) throw_missing(table, {"m", "mass"});
  if (!has_place && !x.axes[0]) throw_missing(table, {"x", "pos_x", "px"});
  if (!has_place) throw_missing(table, {"y", "pos_y", "py"});
  return columns;
}

std::vector<std::size_t> used_columns(const CsvColumns& columns) {
  const auto& [ra, dec, parallax, distance, pmra, pmdec, radial_velocity] = columns.sky;
  const auto& [id, group, component] = columns.labels;
  const VectorColumns &x = columns.position, &v = columns.velocity;
  std::vector<std::size_t> used;
  for (const std::optional<std::size_t>& column :
       {columns.mass, x.axes[0], x.axes[1], x.axes[2], x.list, v.axes[0], v.axes[1], v.axes[2], v.list, id, group,
        component, ra, dec, parallax, distance, pmra, pmdec, radial_velocity})
    if (column && std::ranges::find(used, *column) == used.end()) used.push_back(*column);
  return used;
}

}  // namespace pericenter
