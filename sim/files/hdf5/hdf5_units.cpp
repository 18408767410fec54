#include "sim/files/hdf5/hdf5_units.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace pericenter {
namespace {

constexpr double kHubbleInCgs = 100e5 / (1000 * kKpcCm);  ///< 100 km/s/Mpc in 1/s

/// First value of an attribute; SWIFT stores parameters as text.
std::optional<double> number(Hdf5Id file, const std::string& group, const std::string& name) {
  const Hdf5Handle opened = open_hdf5_group(file, group);
  if (!opened) return std::nullopt;
  if (const std::vector<double> numbers = hdf5_numbers(opened.get(), name); !numbers.empty()) return numbers[0];
  const std::string text = hdf5_text(opened.get(), name);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<double> first_of(Hdf5Id file, std::initializer_list<const char*> groups, const std::string& name) {
  for (const char* group : groups) {
    if (const std::optional<double> found = number(file, group, name)) return found;
  }
  return std::nullopt;
}

std::string code_of(Hdf5Id file) {
  if (open_hdf5_group(file, "Pericenter")) return "Pericenter";
  const Hdf5Handle header = open_hdf5_group(file, "Header");
  if (hdf5_text(header.get(), "Code") == "SWIFT" || open_hdf5_group(file, "InternalCodeUnits")) return "SWIFT";
  const bool config = static_cast<bool>(open_hdf5_group(file, "Config"));
  // Both store their options there; only GADGET-4 stores the commit of its build.
  if (config && !hdf5_text(header.get(), "Git_commit").empty()) return "GADGET-4";
  return config ? "AREPO" : "GADGET";
}

std::optional<FileUnits> units_of(Hdf5Id file) {
  if (const std::optional<double> length = number(file, "Units", "Unit length in cgs (U_L)")) {
    const double mass = number(file, "Units", "Unit mass in cgs (U_M)").value_or(0);
    const double time = number(file, "Units", "Unit time in cgs (U_t)").value_or(0);
    return FileUnits{*length, mass, *length / time};
  }
  for (const char* group : {"Parameters", "Header", "Units"}) {
    if (const std::optional<double> length = number(file, group, "UnitLength_in_cm")) {
      return FileUnits{*length, number(file, group, "UnitMass_in_g").value_or(0),
                       number(file, group, "UnitVelocity_in_cm_per_s").value_or(0)};
    }
  }
  return std::nullopt;
}

void find_units(Hdf5Id file, Hdf5Conventions& found) {
  const std::optional<FileUnits> units = units_of(file);
  found.units = units.value_or(kGalacticUnits);
  if (!units)
    found.notes.emplace_back("The file does not define its units; kpc, 1e10 solar masses and km/s are assumed.");
  for (const double unit : {found.units.length_cm, found.units.mass_g, found.units.velocity_cm_s}) {
    if (!(unit > 0 && std::isfinite(unit)))
      throw InputError("its units of length, mass or velocity are not positive and finite.");
  }
  std::optional<double> gravity = first_of(file, {"Parameters"}, "GravityConstantInternal");
  if (!gravity) gravity = first_of(file, {"Parameters"}, "PhysicalConstants:G");
  if (!gravity || !(*gravity > 0 && std::isfinite(*gravity))) return;
  // The run used its own G; the unit of mass is set so that the physical G gives the same motion.
  found.units.mass_g = *gravity * natural_mass(found.units.length_cm, found.units.velocity_cm_s);
}

/// Age of a flat universe of matter and a cosmological constant, in seconds (Weinberg 2008, Cosmology, eq. 1.5.42).
double age(double scale_factor, double hubble, double matter, double lambda) {
  const double rate = hubble * kHubbleInCgs;
  if (!(lambda > 0)) return 2 / (3 * rate * std::sqrt(matter)) * std::pow(scale_factor, 1.5);
  return 2 / (3 * rate * std::sqrt(lambda)) * std::asinh(std::sqrt(lambda / matter * std::pow(scale_factor, 3)));
}

void find_universe(Hdf5Id file, Hdf5Conventions& found) {
  const double time = number(file, "Header", "Time").value_or(0);
  found.time = time;
  if (found.code == "Pericenter") {
    found.time = number(file, "Pericenter", "SceneTime").value_or(time);  // written since version 2
    return;
  }
  if (found.code == "SWIFT") {
    found.comoving = number(file, "Cosmology", "Cosmological run").value_or(0) > 0;
    if (found.comoving) found.scale_factor = number(file, "Header", "Scale-factor").value_or(1);
    return;
  }
  const double matter = first_of(file, {"Parameters", "Header"}, "Omega0").value_or(0);
  const double lambda = first_of(file, {"Parameters", "Header"}, "OmegaLambda").value_or(0);
  const double redshift = number(file, "Header", "Redshift").value_or(0);
  const bool looks_comoving = matter > 0 && std::abs(time * (1 + redshift) - 1) < 1e-6;
  found.comoving = number(file, "Parameters", "ComovingIntegrationOn").value_or(looks_comoving ? 1 : 0) > 0;
  const double hubble = first_of(file, {"Parameters", "Header"}, "HubbleParam").value_or(1);
  if (hubble != 0) found.hubble = hubble;
  found.time = time / found.hubble;
  if (!found.comoving) return;
  found.scale_factor = time;
  const double second = found.units.velocity_cm_s / found.units.length_cm;
  if (matter > 0) found.time = age(time, found.hubble, matter, lambda) * second;
}

void check_universe(Hdf5Conventions& found) {
  for (const double number : {found.scale_factor, found.hubble}) {
    if (!(number > 1e-6 && number < 1e6)) {
      throw InputError("its scale factor or Hubble parameter is out of range: " + shown(number) + ".");
    }
  }
  if (!std::isfinite(found.time)) throw InputError("attribute 'Time' of /Header is not a finite number.");
  if (found.comoving) {
    found.notes.push_back("Cosmological run at scale factor " + shown(found.scale_factor) +
                          ": converted to physical coordinates. Pericenter does not simulate expansion.");
  } else if (found.hubble != 1) {
    found.notes.push_back("Lengths and masses were divided by h = " + shown(found.hubble) + ".");
  }
}

void find_softening(Hdf5Id file, Hdf5Conventions& found) {
  for (const char* name : {"Gravity:max_physical_DM_softening", "SofteningMaxPhysClass1", "SofteningMaxPhysClass0",
                           "SofteningMaxPhysType1"}) {
    const double softening = number(file, "Parameters", name).value_or(0) / found.hubble;
    if (!(softening > 0 && std::isfinite(softening))) continue;
    found.softening = softening;
    return;
  }
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

}  // namespace

double Hdf5Conventions::factor(Hdf5Id dataset, Hdf5Quantity quantity) const {
  std::optional<Exponents> exponents = exponents_of(dataset, "a_scaling", "h_scaling");
  if (!exponents) exponents = exponents_of(dataset, "a-scale exponent", "h-scale exponent");
  if (!exponents) exponents = default_exponents(quantity);
  const double factor = std::pow(scale_factor, exponents->scale_factor) * std::pow(hubble, exponents->hubble);
  if (!(factor > 0 && std::isfinite(factor))) throw InputError("its scaling attributes are invalid.");
  return factor;
}

Hdf5Conventions hdf5_conventions(Hdf5Id file) {
  Hdf5Conventions found;
  found.code = code_of(file);
  find_units(file, found);
  find_universe(file, found);
  check_universe(found);
  find_softening(file, found);
  find_box(file, found);
  return found;
}

}  // namespace pericenter
