#include <cmath>
#include <optional>
#include <string>

#include "sim/files/hdf5/hdf5_units.h"

namespace pericenter {
namespace {

constexpr double kHubbleInCgs = 100e5 / (1000 * kKpcCm);  ///< 100 km/s/Mpc in 1/s
constexpr double kSameScale = 2e-3;                       ///< redshifts may be rounded

/// What a file says about the universe; each code has its own names.
struct UniverseHeader {
  std::optional<double> time, redshift, scale_factor, flag;
  double matter = 0, lambda = 0, hubble = 1, box = 0;
  bool has_expansion = false;  ///< whether the scale factor is EAGLE's ExpansionFactor, which isolated runs do not have

  /// Time is 1 / (1 + Redshift).
  bool agrees(double tolerance) const { return time && std::abs(*time * (1 + redshift.value_or(0)) - 1) < tolerance; }
};

UniverseHeader universe_header(Hdf5Id file) {
  const auto number = [file](const char* name) {
    return hdf5_number(file, {"Parameters", "Header", "Cosmology"}, name);
  };
  const auto first = [&](std::initializer_list<const char*> names) {
    std::optional<double> found;
    for (const char* const name : names) {
      if (!found) found = number(name);
    }
    return found;
  };
  UniverseHeader header;
  header.time = hdf5_number(file, {"Header"}, "Time");
  header.redshift = hdf5_number(file, {"Header", "Cosmology"}, "Redshift");
  header.scale_factor = hdf5_number(file, {"Header", "Cosmology"}, "Scale-factor");  // of SWIFT, and of its input
  const std::optional<double> expansion = hdf5_number(file, {"Header"}, "ExpansionFactor");
  header.has_expansion = !header.scale_factor && expansion;
  if (header.has_expansion) header.scale_factor = expansion;
  header.flag = hdf5_number(file, {"Parameters", "Header", "RuntimePars"}, "ComovingIntegrationOn");
  header.matter = first({"Omega0", "Omega_Matter", "Omega_m"}).value_or(0);
  header.lambda = first({"OmegaLambda", "Omega_Lambda", "Omega_lambda"}).value_or(0);
  header.hubble = first({"HubbleParam", "h"}).value_or(1);
  if (!(header.hubble != 0)) header.hubble = 1;
  header.box = number("BoxSize").value_or(0);
  return header;
}

/// Whether coordinates are comoving, and why.
struct UniverseVerdict {
  bool comoving;
  std::string reason;
};

UniverseVerdict swift_verdict(Hdf5Id file, const UniverseHeader& header) {
  const std::optional<double> flag = hdf5_number(file, {"Cosmology"}, "Cosmological run");
  if (flag) return {*flag > 0, "'Cosmological run' is " + shown(*flag)};
  const double scale_factor = header.scale_factor.value_or(1);
  return {scale_factor != 1, "'Scale-factor' is " + shown(scale_factor)};
}

/// Isolated runs of GADGET, AREPO and GIZMO have a redshift of 0 (fill_header() of each), but may keep the Omega0 of
/// another run.
UniverseVerdict gadget_verdict(const UniverseHeader& header) {
  if (header.flag) return {*header.flag > 0, "ComovingIntegrationOn is " + shown(*header.flag)};
  if (header.has_expansion) return {true, "the header has an ExpansionFactor"};
  if (header.scale_factor) return {*header.scale_factor != 1, "'Scale-factor' is " + shown(*header.scale_factor)};
  const double redshift = header.redshift.value_or(0);
  if (redshift != 0 && !header.time) return {header.matter > 0, "it has no Time, but a Redshift"};
  if (redshift != 0 && header.agrees(kSameScale)) return {true, "Time is 1 / (1 + Redshift)"};
  if (!header.agrees(1e-6)) return {false, "Time is not 1 / (1 + Redshift)"};
  if (!(header.matter > 0)) return {false, "Omega0 is 0"};
  if (!(header.box > 0)) return {false, "Redshift and BoxSize are 0"};
  if (header.hubble == 1) return {false, "Redshift is 0 and HubbleParam is 1"};
  return {true, "Time is 1 / (1 + Redshift), and BoxSize, Omega0 and HubbleParam are those of an expanding volume"};
}

UniverseHeader known(UniverseHeader header, std::vector<std::string>& notes) {
  if (header.matter > 0) return header;
  header.matter = 0.3;
  header.lambda = 0.7;
  if (header.hubble == 1) header.hubble = 0.7;
  notes.push_back("The file has no Omega0; its time is the age of a universe with Omega0 0.3 and h " +
                  shown(header.hubble) + ".");
  return header;
}

/// The time of SWIFT is the age, that of others the scale factor.
double scale_factor_of(const UniverseHeader& header, bool is_age, std::vector<std::string>& notes) {
  if (header.scale_factor) return *header.scale_factor;
  const double redshift = header.redshift.value_or(0), found = 1 / (1 + redshift);
  if (is_age) return found;
  if (header.time && (redshift == 0 || header.agrees(kSameScale))) return *header.time;
  if (header.time)
    notes.push_back("Time is " + shown(*header.time) + " at Redshift " + shown(redshift) +
                    "; the scale factor is taken from the redshift.");
  return found;
}

void check_universe(const Hdf5Conventions& found) {
  for (const double number : {found.scale_factor, found.hubble}) {
    if (!(number > 1e-6 && number < 1e6)) {
      throw InputError("its scale factor or Hubble parameter is out of range: " + shown(number) + ".");
    }
  }
  if (!std::isfinite(found.time)) throw InputError("attribute 'Time' of /Header is not a finite number.");
}

void note_verdict(const UniverseHeader& header, const UniverseVerdict& verdict, Hdf5Conventions& found) {
  if (found.comoving) {
    found.notes.push_back("Cosmological run at scale factor " + shown(found.scale_factor) + " (" + verdict.reason +
                          "): converted to physical coordinates. Pericenter does not simulate expansion.");
    return;
  }
  if (header.matter > 0 || header.redshift.value_or(0) != 0)
    found.notes.push_back("Isolated run (" + verdict.reason + "): Time " + shown(header.time.value_or(0)) +
                          " is a time, not a scale factor.");
  if (found.hubble != 1) found.notes.push_back("Lengths and masses were divided by h = " + shown(found.hubble) + ".");
}

}  // namespace

double Hdf5Conventions::age_s(double at_scale_factor) const {
  return cosmic_age(at_scale_factor, matter, lambda) * hubble_time_s;
}

void find_hdf5_universe(Hdf5Id file, Hdf5Conventions& found) {
  const UniverseHeader header = universe_header(file);
  found.time = header.time.value_or(0);
  if (found.code == "Pericenter") {
    found.time = hdf5_number(file, {"Pericenter"}, "SceneTime").value_or(found.time);  // written since version 2
    return check_universe(found);
  }
  const bool swift = found.code == "SWIFT";
  const UniverseVerdict verdict = swift ? swift_verdict(file, header) : gadget_verdict(header);
  // Numbers of SWIFT have no h. The units of GIZMO include it (UNIT_LENGTH_IN_CGS in allvars.h).
  if (!swift && !hdf5_number(file, {"Header"}, "UnitLength_In_CGS")) found.hubble = header.hubble;
  found.time /= found.hubble;
  found.comoving = verdict.comoving;
  if (found.comoving) {
    const bool is_age = swift && header.time;
    found.scale_factor = scale_factor_of(header, is_age, found.notes);
    std::vector<std::string> assumed;
    const UniverseHeader universe = known(header, is_age ? assumed : found.notes);
    found.matter = universe.matter;
    found.lambda = universe.lambda;
    found.hubble_time_s = 1 / (universe.hubble * kHubbleInCgs);
    if (!is_age) found.time = found.age_s(found.scale_factor) * found.units.velocity_cm_s / found.units.length_cm;
  }
  check_universe(found);
  note_verdict(header, verdict, found);
}

}  // namespace pericenter
