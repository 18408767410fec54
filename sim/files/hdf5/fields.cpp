#include "sim/files/hdf5/fields.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "sim/files/body_fields.h"
#include "sim/files/hdf5/run_attributes.h"

namespace pericenter {
namespace {

constexpr std::size_t kMostLinks = 256, kLongestName = 64;
constexpr std::uint64_t kMostColumns = 16;
constexpr double kMyrSecond = 1e6 * kYearSecond;
constexpr double kFullyIonised = 1.16;  ///< electrons per hydrogen nucleus, with helium

/// Powers of length, mass, time and temperature.
struct Dimension {
  double length = 0, mass = 0, time = 0, temperature = 0;

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// A unit that is shown, in cgs.
struct ShownUnit {
  Dimension dimension;
  std::string_view name;
  double size;
};
constexpr std::array<ShownUnit, 8> kShownUnits = {
    {{{}, "", 1},
     {{1, 0, 0, 0}, "kpc", kKpcCm},
     {{0, 1, 0, 0}, "M☉", kSunGram},
     {{0, 0, 1, 0}, "Myr", kMyrSecond},
     {{1, 0, -1, 0}, "km/s", 1e5},
     {{2, 0, -2, 0}, "(km/s)²", 1e10},
     {{-3, 1, 0, 0}, "M☉/pc³", kSunGram / (kParsecCm * kParsecCm * kParsecCm)},
     {{0, 1, -1, 0}, "M☉/yr", kSunGram / kYearSecond}}};

/// The unit of a dimension: a usual one, or powers of kpc, solar masses, Myr and K.
std::pair<std::string, double> shown_unit(const Dimension& dimension) {
  for (const ShownUnit& unit : kShownUnits)
    if (unit.dimension == dimension) return {std::string(unit.name), unit.size};
  std::string name;
  double size = 1;
  const auto add = [&](const char* base, double power, double of_base) {
    if (power == 0) return;
    name += (name.empty() ? "" : " ") + std::string(base) + (power == 1 ? "" : "^" + shown(power));
    size *= std::pow(of_base, power);
  };
  add("kpc", dimension.length, kKpcCm);
  add("M☉", dimension.mass, kSunGram);
  add("Myr", dimension.time, kMyrSecond);
  add("K", dimension.temperature, 1);
  return {name, size};
}

/// Dimension and factors of scale factor and h that GADGET-2 and codes after it give a dataset without attributes.
struct KnownField {
  std::string_view name;
  Dimension dimension;
  double scale_factor, hubble;
};
constexpr std::array<KnownField, 7> kKnownFields = {{{"InternalEnergy", {2, 0, -2, 0}, 0, 0},
                                                     {"Density", {-3, 1, 0, 0}, -3, 2},
                                                     {"SmoothingLength", {1, 0, 0, 0}, 1, -1},
                                                     {"Temperature", {0, 0, 0, 1}, 0, 0},
                                                     {"Metallicity", {}, 0, 0},
                                                     {"ElectronAbundance", {}, 0, 0},
                                                     {"NeutralHydrogenAbundance", {}, 0, 0}}};

std::optional<double> attribute(Hdf5Id dataset, const char* name) {
  const std::vector<double> values = hdf5_numbers(dataset, name);
  return values.empty() ? std::nullopt : std::optional(values[0]);
}

/// Numbers of a dataset in cgs, and what they measure.
struct Measure {
  Dimension dimension;
  double cgs = 1;
};

/// By the attributes of SWIFT (write_distributed_array() of src/distributed_io.c), or those of AREPO and GADGET-4
/// (write_dataset_attributes() of src/io.c; to_cgs is 0 where there is no unit).
std::optional<Measure> declared_measure(Hdf5Id dataset, const Hdf5Conventions& conventions) {
  const auto power = [&](const char* name) { return attribute(dataset, name).value_or(0); };
  if (const auto physical =
          attribute(dataset, "Conversion factor to physical CGS (including cosmological corrections)"))
    return Measure{{power("U_L exponent"), power("U_M exponent"), power("U_t exponent"), power("U_T exponent")},
                   *physical};
  const auto cgs = attribute(dataset, "to_cgs");
  if (!cgs) return std::nullopt;
  const double velocity = power("velocity_scaling");
  const Dimension dimension{power("length_scaling") + velocity, power("mass_scaling"), -velocity, 0};
  return Measure{dimension, (*cgs > 0 ? *cgs : 1) * std::pow(conventions.scale_factor, power("a_scaling")) *
                                std::pow(conventions.hubble, power("h_scaling"))};
}

std::optional<Measure> known_measure(std::string_view name, const Hdf5Conventions& conventions) {
  const auto* const known = std::ranges::find(kKnownFields, name, &KnownField::name);
  if (known == kKnownFields.end()) return std::nullopt;
  const auto& [length, mass, time, temperature] = known->dimension;
  const FileUnits& units = conventions.units;
  return Measure{known->dimension, std::pow(units.length_cm, length) * std::pow(units.mass_g, mass) *
                                       std::pow(units.length_cm / units.velocity_cm_s, time) *
                                       std::pow(conventions.scale_factor, known->scale_factor) *
                                       std::pow(conventions.hubble, known->hubble)};
}

/// What Body has, and what only Pericenter needs.
bool is_of_body(const std::string& name) {
  constexpr std::array<std::string_view, 8> kNames = {
      "Coordinates", "Velocities",      "Velocity",    "Masses",
      "Mass",        "DynamicalMasses", "ParticleIDs", "ParticleChildIDsNumber"};
  return std::ranges::find(kNames, name) != kNames.end() || name.starts_with(kRunGroup);
}

/// Names of the links of a group, at most kMostLinks.
std::vector<std::string> links_of(const Hdf5Handle& group) {
  std::vector<std::string> names;
  H5G_info_t info;
  if (H5Gget_info(group.get(), &info) < 0) return names;
  for (hsize_t k = 0; k < std::min<hsize_t>(info.nlinks, kMostLinks); ++k) {
    std::array<char, kLongestName + 1> name = {};
    const ssize_t size =
        H5Lget_name_by_idx(group.get(), ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size(), H5P_DEFAULT);
    if (size > 0 && static_cast<std::size_t>(size) <= kLongestName) names.emplace_back(name.data());
  }
  return names;
}

/// The time at which a star formed, as a scale factor in cosmological runs.
bool is_birth(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {"StellarFormationTime", "GFM_StellarFormationTime",
                                                      "BirthScaleFactors", "BirthTimes"};
  return std::ranges::find(kNames, name) != kNames.end();
}

void add_fields(const std::string& name, std::uint64_t columns, Hdf5Id dataset, const Hdf5Conventions& conventions,
                std::vector<Hdf5Field>& fields) {
  using Kind = Hdf5Field::Kind;
  std::optional<Measure> measure = declared_measure(dataset, conventions);
  if (!measure) measure = known_measure(name, conventions);
  const auto [unit, size] = measure ? shown_unit(measure->dimension) : std::pair(std::string(kUnitsOfFile), 1.0);
  const double factor = measure ? measure->cgs / size : 1;
  if (is_birth(name)) {
    fields.push_back({{"age of stars", "Myr"}, name, columns, 0, Kind::age, 1});
  } else if (columns == 1 || columns == 3) {
    fields.push_back({{name, unit}, name, columns, 0, columns == 3 ? Kind::size : Kind::number, factor});
  } else {
    for (std::uint64_t k = 0; k < columns; ++k)
      fields.push_back({{name + " " + std::to_string(k), unit}, name, columns, k, Kind::number, factor});
  }
}

/// The temperature of gas, if the file has only the internal energy per mass.
void add_temperature(const Hdf5Conventions& conventions, std::vector<Hdf5Field>& fields) {
  const auto has = [&](std::string_view dataset) { return std::ranges::find(fields, dataset, &Hdf5Field::dataset); };
  if (has("Temperature") != fields.end() || has("Temperatures") != fields.end()) return;
  for (const char* const name : {"InternalEnergy", "InternalEnergies"}) {
    const auto energy = has(name);
    if (energy == fields.end() || energy->columns != 1) continue;
    Hdf5Field found = *energy;
    found.info = {has("ElectronAbundance") == fields.end() ? "temperature, if ionised" : "temperature", "K"};
    found.kind = Hdf5Field::Kind::temperature;
    found.factor *= energy->info.unit == kUnitsOfFile
                        ? conventions.units.velocity_cm_s * conventions.units.velocity_cm_s
                        : shown_unit({2, 0, -2, 0}).second;
    fields.push_back(found);
    return;
  }
}

}  // namespace

std::vector<Hdf5Field> hdf5_fields(const Hdf5Handle& group, const Hdf5Conventions& conventions) {
  std::vector<Hdf5Field> fields;
  for (const std::string& name : links_of(group)) {
    if (is_of_body(name)) continue;
    const Hdf5Handle dataset = open_hdf5_dataset(group.get(), name, H5P_DEFAULT);
    const std::uint64_t columns = Hdf5Dataset::columns_in(dataset);
    if (columns == 0 || columns > kMostColumns) continue;
    add_fields(name, columns, dataset.get(), conventions, fields);
  }
  add_temperature(conventions, fields);
  return fields;
}

Hdf5FieldReader::Hdf5FieldReader(const Hdf5File& part, const Hdf5Handle& group, const Hdf5Conventions& conventions,
                                 Hdf5Field field, std::uint64_t rows)
    : conventions_(conventions), field_(std::move(field)), data_(part, group, field_.dataset, field_.columns) {
  data_.require_rows(rows);
  data_.require_written();
  if (field_.kind != Hdf5Field::Kind::temperature) return;
  electrons_ = Hdf5Dataset(part, group, "ElectronAbundance", 1);
  if (!electrons_) return;
  electrons_.require_rows(rows);
  electrons_.require_written();
}

void Hdf5FieldReader::read(std::uint64_t first, std::uint64_t count, std::vector<float>& out) {
  data_.read(first, count, numbers_);
  electron_numbers_.assign(count, kFullyIonised);
  if (electrons_) electrons_.read(first, count, electron_numbers_);
  out.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double* const row = numbers_.data() + i * field_.columns;
    const double number =
        field_.kind == Hdf5Field::Kind::size ? std::hypot(row[0], row[1], row[2]) : row[field_.column];
    out[i] = static_cast<float>(value(number, electron_numbers_[i]));
  }
}

/// `electrons` per hydrogen nucleus.
double Hdf5FieldReader::value(double number, double electrons) const {
  constexpr double kHydrogen = 0.76;  // share of the mass; the rest is helium
  constexpr double kProtonGram = 1.6726e-24, kBoltzmann = 1.3806e-16;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const double scaled = number * field_.factor;
  if (field_.kind == Hdf5Field::Kind::temperature) {
    const double particle = 4 / (1 + 3 * kHydrogen + 4 * kHydrogen * electrons);  // in proton masses
    return 2.0 / 3 * scaled * particle * kProtonGram / kBoltzmann;
  }
  if (field_.kind != Hdf5Field::Kind::age) return scaled;
  if (conventions_.comoving)
    // AREPO marks wind by a negative time (TNG data specification).
    return number > 0 ? (conventions_.age_s(conventions_.scale_factor) - conventions_.age_s(number)) / kMyrSecond
                      : kNone;
  const double unit = conventions_.units.length_cm / conventions_.units.velocity_cm_s;
  return (conventions_.time - number / conventions_.hubble) * unit / kMyrSecond;
}

}  // namespace pericenter
