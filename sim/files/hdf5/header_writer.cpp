#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/files/hdf5/layout.h"
#include "sim/files/unit_system.h"

namespace pericenter {
namespace {

/// Writes attributes of a new or existing group.
class GroupWriter {
 public:
  GroupWriter(const Hdf5Session& session, Hdf5Id file, const std::string& name)
      : session_(session), group_(make_hdf5_group(session, file, name)) {}
  template <class Value>
  void put(const std::string& name, const Value& value) const {
    put_hdf5(session_, group_.get(), name, value);
  }

 private:
  const Hdf5Session& session_;
  Hdf5Handle group_;
};

void put_counts(const GroupWriter& header, const Hdf5Layout& layout) {
  std::vector<std::uint32_t> low, high;
  for (const std::uint64_t count : layout.counts) {
    low.push_back(static_cast<std::uint32_t>(count));
    high.push_back(static_cast<std::uint32_t>(count >> 32));
    if (high.back() > 0) throw std::runtime_error("the format supports fewer than 2^32 bodies per type in one file.");
  }
  header.put("NumPart_ThisFile", low);
  header.put("NumPart_Total", low);
  header.put("NumPart_Total_HighWord", high);
  header.put("MassTable", std::vector<double>(kHdf5Types, 0.0));
}

/// GADGET has one side; SWIFT's boxes may have three.
void put_box(const GroupWriter& group, const Vec3& box) {
  if (box == Vec3{1, 1, 1} * box[0]) {
    group.put("BoxSize", box[0]);
  } else {
    group.put("BoxSize", std::vector<double>(box.data, box.data + 3));
  }
}

/// Header of GADGET-2 (Springel 2005, user guide of GADGET-2, table 4).
void put_gadget_header(const GroupWriter& header, const Hdf5Layout& layout) {
  header.put("Time", layout.time);
  put_box(header, layout.box);
  header.put("Redshift", 0.0);
  header.put("Dimension", std::uint64_t(3));
}

/// SWIFT writes arrays, and swiftsimio reads nothing else.
void put_swift_header(const GroupWriter& header, const Hdf5Layout& layout) {
  header.put("Time", std::vector<double>{layout.time});
  header.put("BoxSize", std::vector<double>(layout.box.data, layout.box.data + 3));
  header.put("Redshift", std::vector<double>{0});
  header.put("Scale-factor", std::vector<double>{1});
  header.put("Dimension", std::vector<std::uint32_t>{3});
}

void put_gadget_units(const GroupWriter& group, const FileUnits& units) {
  group.put("UnitLength_in_cm", units.length_cm);
  group.put("UnitMass_in_g", units.mass_g);
  group.put("UnitVelocity_in_cm_per_s", units.velocity_cm_s);
}

void put_swift_units(const GroupWriter& group, const FileUnits& units) {
  group.put("Unit length in cgs (U_L)", std::vector<double>{units.length_cm});
  group.put("Unit mass in cgs (U_M)", std::vector<double>{units.mass_g});
  group.put("Unit time in cgs (U_t)", std::vector<double>{units.length_cm / units.velocity_cm_s});
  group.put("Unit current in cgs (U_I)", std::vector<double>{1});
  group.put("Unit temperature in cgs (U_T)", std::vector<double>{1});
}

/// The parameters of GADGET-4 from which pynbody takes softening and box; it guesses the time without Time_GYR.
void put_parameters(const GroupWriter& group, const Hdf5Layout& layout) {
  put_gadget_units(group, layout.units);
  put_box(group, layout.box);
  if (layout.physical)
    group.put("Time_GYR", layout.time * layout.units.length_cm / layout.units.velocity_cm_s / (1e9 * kYearSecond));
  if (!(layout.softening > 0)) return;
  group.put("SofteningComovingClass0", layout.softening);
  group.put("SofteningMaxPhysClass0", layout.softening);
  for (std::size_t type = 0; type < kHdf5Types; ++type)
    group.put("SofteningClassOfPartType" + std::to_string(type), std::uint64_t(0));
}

}  // namespace

void write_hdf5_header(const Hdf5Session& session, Hdf5Id file, const Hdf5Layout& layout) {
  const GroupWriter header(session, file, "Header");
  put_counts(header, layout);
  if (layout.for_swift) {
    put_swift_header(header, layout);
  } else {
    put_gadget_header(header, layout);
  }
  header.put("HubbleParam", 1.0);
  for (const char* zero : {"Omega0", "OmegaLambda"}) header.put(zero, 0.0);
  header.put("NumFilesPerSnapshot", std::uint64_t(1));
  for (const char* zero :
       {"Flag_Entropy_ICs", "Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals", "Flag_Feedback"}) {
    header.put(zero, std::uint64_t(0));
  }
  header.put("Flag_DoublePrecision", std::uint64_t(layout.wide() ? 1 : 0));
  put_gadget_units(header, layout.units);
  const GroupWriter units(session, file, "Units");
  put_swift_units(units, layout.units);
  // swiftsimio rejects other names in /Units, pynbody requires them.
  if (!layout.for_swift) put_gadget_units(units, layout.units);
  put_parameters(GroupWriter(session, file, "Parameters"), layout);
  GroupWriter(session, file, "RuntimePars").put("PeriodicBoundariesOn", std::uint64_t(0));
}

void write_swift_dimension(const Hdf5Session& session, Hdf5Id dataset, const Hdf5Layout& layout,
                           const Hdf5Dimension& dimension) {
  const auto put = [&](const std::string& name, double number) {
    put_hdf5(session, dataset, name, std::vector<double>{number});
  };
  const FileUnits& units = layout.units;
  const double cgs = std::pow(units.length_cm, dimension.length) * std::pow(units.mass_g, dimension.mass) *
                     std::pow(units.length_cm / units.velocity_cm_s, dimension.time);
  put("Conversion factor to CGS (not including cosmological corrections)", cgs);
  put("Conversion factor to physical CGS (including cosmological corrections)", cgs);
  put("U_I exponent", 0);
  put("U_L exponent", dimension.length);
  put("U_M exponent", dimension.mass);
  put("U_T exponent", 0);
  put("U_t exponent", dimension.time);
  put("a-scale exponent", dimension.scale_factor);
  put("h-scale exponent", 0);
}

}  // namespace pericenter
