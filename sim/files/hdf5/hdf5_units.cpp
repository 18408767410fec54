#include "sim/files/hdf5/hdf5_units.h"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/files/hdf5/dataset.h"
#include "sim/files/particle_types.h"

namespace pericenter {
namespace {

bool has_attribute(Hdf5Id file, const char* group, const std::string& name) {
  const Hdf5Handle opened = open_hdf5_group(file, group);
  return opened && (!hdf5_numbers(opened.get(), name).empty() || !hdf5_text(opened.get(), name).empty());
}

constexpr const char* kSwiftLength = "Unit length in cgs (U_L)";
constexpr const char* kSwiftCgs = "Conversion factor to CGS (not including cosmological corrections)";
constexpr const char* kSwiftPhysicalCgs = "Conversion factor to physical CGS (including cosmological corrections)";

/// Any mark of SWIFT's conventions, which other tools write, too: swiftsimio has no 'Code' (version 12.4). Initial
/// conditions for GADGET may have units for SWIFT beside h.
bool is_swift(Hdf5Id file) {
  const Hdf5Handle header = open_hdf5_group(file, "Header");
  return hdf5_text(header.get(), "Code") == "SWIFT" || open_hdf5_group(file, "InternalCodeUnits") ||
         has_attribute(file, "Cosmology", "Cosmological run") || has_attribute(file, "Header", "Scale-factor") ||
         (has_attribute(file, "Units", kSwiftLength) && !has_attribute(file, "Header", "HubbleParam"));
}

/// GIZMO names itself since 2024 and has units of its own since 2021 (github.com/pfhopkins/gizmo-public, io.c). AREPO
/// has the header of GADGET-3, GADGET-4 a shorter one (write_header_attributes_in_hdf5() of both).
std::string code_of(Hdf5Id file) {
  if (open_hdf5_group(file, "Pericenter")) return "Pericenter";
  if (has_attribute(file, "Header", "GIZMO_version") || has_attribute(file, "Header", "UnitLength_In_CGS"))
    return "GIZMO";
  if (has_attribute(file, "Parameters", "SofteningClassOfPartType0")) return "GADGET-4";
  if (has_attribute(file, "Parameters", "SofteningTypeOfPartType0")) return "AREPO";
  if (is_swift(file)) return "SWIFT";
  if (!open_hdf5_group(file, "Config")) return "GADGET";
  const bool short_header =
      has_attribute(file, "Header", "Git_commit") && !has_attribute(file, "Header", "NumPart_Total_HighWord");
  return short_header && !has_attribute(file, "Config", "VORONOI") ? "GADGET-4" : "AREPO";
}

/// The unit in cgs of a dataset of any type of bodies, by SWIFT, EAGLE, or GADGET-4 and AREPO; 0: unknown.
double dataset_unit(Hdf5Id file, const std::string& name) {
  for (int type = 0; type < 7; ++type) {
    const Hdf5Handle group = open_hdf5_group(file, "PartType" + std::to_string(type));
    const Hdf5Handle dataset = group ? open_hdf5_dataset(group.get(), name, H5P_DEFAULT) : Hdf5Handle();
    if (!dataset) continue;
    for (const char* attribute : {kSwiftCgs, "CGSConversionFactor", "to_cgs"}) {
      if (const std::vector<double> cgs = hdf5_numbers(dataset.get(), attribute); !cgs.empty()) return cgs[0];
    }
  }
  return 0;
}

std::optional<FileUnits> swift_units(Hdf5Id file, const char* group) {
  const double length = hdf5_number(file, {group}, kSwiftLength).value_or(0);
  const double mass = hdf5_number(file, {group}, "Unit mass in cgs (U_M)").value_or(0);
  const double time = hdf5_number(file, {group}, "Unit time in cgs (U_t)").value_or(0);
  return length != 0 ? std::optional(FileUnits{length, mass, length / time}) : std::nullopt;
}

std::optional<FileUnits> units_of(Hdf5Id file) {
  if (const std::optional<FileUnits> units = swift_units(file, "Units")) return units;
  for (const char* group : {"Parameters", "Header", "Units"}) {
    if (const std::optional<double> length = hdf5_number(file, {group}, "UnitLength_in_cm")) {
      return FileUnits{*length, hdf5_number(file, {group}, "UnitMass_in_g").value_or(0),
                       hdf5_number(file, {group}, "UnitVelocity_in_cm_per_s").value_or(0)};
    }
  }
  if (const std::optional<double> length = hdf5_number(file, {"Header"}, "UnitLength_In_CGS")) {
    return FileUnits{*length, hdf5_number(file, {"Header"}, "UnitMass_In_CGS").value_or(0),
                     hdf5_number(file, {"Header"}, "UnitVelocity_In_CGS").value_or(0)};
  }
  const FileUnits units = {dataset_unit(file, "Coordinates"), dataset_unit(file, "Masses"),
                           dataset_unit(file, "Velocities")};
  return units.known() && units != FileUnits{1, 1, 1} ? std::optional(units) : std::nullopt;
}

/// GIZMO writes its G always, GADGET-4 and SWIFT if it was set; codes round the physical one differently.
constexpr double kSameGravity = 2e-3;

void find_units(Hdf5Id file, Hdf5Conventions& found) {
  const std::optional<FileUnits> units = units_of(file);
  found.units = units.value_or(kGalacticUnits);
  if (!units)
    found.notes.emplace_back("The file does not define its units; kpc, 1e10 solar masses and km/s are assumed.");
  for (const double unit : {found.units.length_cm, found.units.mass_g, found.units.velocity_cm_s}) {
    if (!(unit > 0 && std::isfinite(unit)))
      throw InputError("its units of length, mass or velocity are not positive and finite.");
  }
  // SWIFT converts what it writes to the units of snapshots, but its parameters are texts in those of the code
  // (parser_write_params_to_hdf5() in src/parser.c, phys_const_init() in src/physical_constants.c).
  const FileUnits internal = swift_units(file, "InternalCodeUnits").value_or(found.units);
  const FileUnits& of_parameters = internal.known() && std::isfinite(internal.velocity_cm_s) ? internal : found.units;
  found.parameter_length = of_parameters.length_cm / found.units.length_cm;
  double gravity = 0;
  for (const char* name : {"GravityConstantInternal", "PhysicalConstants:G", "Gravitational_Constant_In_Code_Inits"}) {
    if (!(gravity > 0)) gravity = hdf5_number(file, {"Parameters", "Header"}, name).value_or(0);
  }
  if (!(gravity > 0 && std::isfinite(gravity))) return;
  // The unit of mass is set so that the physical G gives the same motion.
  const double ratio =
      gravity * natural_mass(of_parameters.length_cm, of_parameters.velocity_cm_s) / of_parameters.mass_g;
  if (std::abs(ratio - 1) > kSameGravity) found.units.mass_g *= ratio;
}

/// One side, or three in files of SWIFT.
void find_box(Hdf5Id file, Hdf5Conventions& found) {
  const Hdf5Handle header = open_hdf5_group(file, "Header");
  if (!header) return;
  std::vector<double> sides = hdf5_numbers(header.get(), "BoxSize");
  if (sides.size() == 1) sides.resize(3, sides[0]);
  if (sides.size() != 3) return;
  const Vec3 box = Vec3{sides[0], sides[1], sides[2]} * (found.scale_factor / found.hubble);
  if (std::ranges::all_of(box.data, [](double side) { return side > 0 && std::isfinite(side); })) found.box = box;
}

struct Exponents {
  double scale_factor, hubble;
};

std::optional<Exponents> exponents_of(Hdf5Id dataset, const char* scale_factor, const char* hubble) {
  const std::vector<double> a = hdf5_numbers(dataset, scale_factor), h = hdf5_numbers(dataset, hubble);
  if (a.empty() || h.empty()) return std::nullopt;
  return Exponents{a[0], h[0]};
}

/// Attributes of GADGET-4 and AREPO, SWIFT, and EAGLE.
constexpr std::array<std::array<const char*, 2>, 3> kExponentNames = {{{"a_scaling", "h_scaling"},
                                                                       {"a-scale exponent", "h-scale exponent"},
                                                                       {"aexp-scale-exponent", "h-scale-exponent"}}};

double checked_factor(double factor) {
  if (!(factor > 0 && std::isfinite(factor))) throw InputError("its scaling attributes are invalid.");
  return factor;
}

Exponents default_exponents(Hdf5Quantity quantity) {
  switch (quantity) {
    case Hdf5Quantity::velocity:
      return {0.5, 0};
    case Hdf5Quantity::mass:
      return {0, -1};
    default:
      return {1, -1};
  }
}

/// Whether this file or another of the snapshot has bodies of a type; the numbers of some headers are wrong.
bool has_type(Hdf5Id file, std::size_t type) {
  const Hdf5Handle header = open_hdf5_group(file, "Header");
  const Hdf5Handle group = open_hdf5_group(file, "PartType" + std::to_string(type));
  if (group && Hdf5Dataset::has_values(group, "Coordinates")) return true;
  const std::vector<std::uint64_t> total = hdf5_counts(header.get(), "NumPart_Total");
  return type < total.size() && total[type] > 0;
}

}  // namespace

bool Hdf5Conventions::is_coarse(std::size_t type) const {
  return code == "SWIFT" ? type == 2 : ParticleTypes{comoving, dark_only}.is_coarse(type);
}

Component Hdf5Conventions::component(std::size_t type) const {
  // Gas, dark matter, its background, sinks, stars, black holes, neutrinos.
  constexpr std::array kSwift = {Component::disc, Component::halo,  Component::halo, Component::other,
                                 Component::disc, Component::other, Component::halo};
  if (code != "SWIFT") return ParticleTypes{comoving, dark_only}.component(type);
  return type < kSwift.size() ? kSwift[type] : Component::other;
}

double Hdf5Conventions::factor(Hdf5Id dataset, Hdf5Quantity quantity) const {
  // swiftsimio 12.4 writes the exponent 1 for masses, which do not scale; the ratio is right.
  const std::vector<double> stored = hdf5_numbers(dataset, kSwiftCgs),
                            physical = hdf5_numbers(dataset, kSwiftPhysicalCgs);
  if (!stored.empty() && !physical.empty() && stored[0] > 0) return checked_factor(physical[0] / stored[0]);
  std::optional<Exponents> exponents;
  for (const auto& [scale_factor_name, hubble_name] : kExponentNames) {
    if (!exponents) exponents = exponents_of(dataset, scale_factor_name, hubble_name);
  }
  if (!exponents) exponents = default_exponents(quantity);
  return checked_factor(std::pow(scale_factor, exponents->scale_factor) * std::pow(hubble, exponents->hubble));
}

Hdf5Conventions hdf5_conventions(Hdf5Id file) {
  Hdf5Conventions found;
  found.code = code_of(file);
  find_units(file, found);
  find_hdf5_universe(file, found);
  find_hdf5_softenings(file, found);
  find_box(file, found);
  found.dark_only = !has_type(file, 0) && !has_type(file, 4);
  return found;
}

}  // namespace pericenter
