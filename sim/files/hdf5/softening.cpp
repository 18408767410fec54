#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "sim/files/hdf5/hdf5_units.h"

namespace pericenter {
namespace {

/// Parameters of the softening of a type: a comoving length and the maximum of the physical one.
struct SofteningNames {
  std::string comoving, max_physical;
};

/// The names by type of GADGET-2 and -3, which EAGLE stores.
constexpr std::array kGadgetSoftenings = {"Gas", "Halo", "Disk", "Bulge", "Stars", "Bndry"};
/// By type of SWIFT (src/part_type.h, gravity_properties.c); background bodies have softenings by their masses.
constexpr std::array kSwiftSoftenings = {"baryon", "DM", "", "baryon", "baryon", "baryon", "nu"};

SofteningNames softening_names(Hdf5Id file, const std::string& code, std::size_t type) {
  if (code == "SWIFT") {
    const std::string kind = type < kSwiftSoftenings.size() ? kSwiftSoftenings[type] : "";
    return {"Gravity:comoving_" + kind + "_softening", "Gravity:max_physical_" + kind + "_softening"};
  }
  const std::string number = std::to_string(type);
  for (const std::string group : {"Class", "Type"}) {  // GADGET-4, AREPO
    const std::optional<double> own = hdf5_number(file, {"Parameters"}, "Softening" + group + "OfPartType" + number);
    for (const std::string& which : {own ? shown(*own) : number, std::string("0")}) {
      const SofteningNames names = {"SofteningComoving" + group + which, "SofteningMaxPhys" + group + which};
      for (const std::string& name : {names.comoving, names.max_physical}) {
        if (hdf5_number(file, {"Parameters"}, name)) return names;
      }
    }
  }
  if (type >= kGadgetSoftenings.size()) return {};
  const std::string name = std::string("Softening") + kGadgetSoftenings[type];
  return {name, name + "MaxPhys"};
}

/// GIZMO stores only where its spline ends, which is 2.8 Plummer-equivalent softenings for the cubic spline, Kernel
/// 3 (kernel.h: -1 over the potential at 0), in comoving units.
void find_gizmo_softenings(Hdf5Id file, Hdf5Conventions& found) {
  constexpr std::array kDepths = {2.8, 2.0, 2.5, 2.8, 8393.0 / 2688, 956.0 / 280, 3.0, 55.0 / 16, 2.484, 245.0 / 64};
  const Hdf5Handle header = open_hdf5_group(file, "Header");
  const std::vector<double> ends = hdf5_numbers(header.get(), "Fixed_ForceSoftening_Keplerian_Kernel_Extent");
  const double kernel = hdf5_number(file, {"Header"}, "Kernel_Function_ID").value_or(3);
  const double depth = kernel >= 1 && kernel < kDepths.size() ? kDepths[static_cast<std::size_t>(kernel)] : kDepths[0];
  for (std::size_t type = 0; type < std::min(ends.size(), found.softening.size()); ++type)
    found.softening[type] = ends[type] / depth * found.scale_factor;
}

}  // namespace

// GADGET-4 and AREPO: set_softenings(); SWIFT: gravity_props_init() and gravity_props_update().
void find_hdf5_softenings(Hdf5Id file, Hdf5Conventions& found) {
  if (found.code == "GIZMO") find_gizmo_softenings(file, found);
  const auto number = [file](const std::string& name) {
    return hdf5_number(file, {"Parameters", "RuntimePars"}, name);
  };
  for (std::size_t type = 0; type < found.softening.size(); ++type) {
    const SofteningNames names = softening_names(file, found.code, type);
    std::optional<double> comoving = number(names.comoving), max_physical = number(names.max_physical);
    // Isolated runs of SWIFT use only the maximum.
    if (!found.comoving && found.code == "SWIFT") std::swap(comoving, max_physical);
    double softening = comoving.value_or(max_physical.value_or(0));
    if (found.comoving && comoving && max_physical) softening = std::min(*comoving * found.scale_factor, *max_physical);
    softening *= found.parameter_length / found.hubble;
    if (softening > 0) found.softening[type] = softening;
  }
  for (double& softening : found.softening) {
    if (!(softening > 0 && std::isfinite(softening))) softening = 0;
  }
}

}  // namespace pericenter
