#include "sim/files/hdf5/writer.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/run_attributes.h"
#include "sim/files/hdf5/units.h"

namespace pericenter {
namespace {

constexpr std::size_t kTypes = 6;
constexpr std::size_t kWriteSlab = 1 << 16;  ///< bodies per write
constexpr std::uint64_t kBytesPerBody = 2 * 3 * 8 + 8 + 8 + 4;
constexpr std::uint64_t kOverheadBytes = 1 << 16;  ///< bytes of everything except bodies
/// Particle types of disc, bulge, halo and other.
constexpr std::array<std::size_t, 4> kTypeOf = {2, 3, 1, 4};

bool fits_float(double x) {
  // Volatile, because g++ 12 may omit the conversion of a double to float and back.
  const volatile float narrow = static_cast<float>(x);
  return static_cast<double>(narrow) == x || std::isnan(x);
}

bool fits_float(const Body& body) {
  for (int k = 0; k < 3; ++k) {
    if (!fits_float(body.position[k]) || !fits_float(body.velocity[k])) return false;
  }
  return fits_float(body.mass);
}

class Hdf5Writer {
 public:
  Hdf5Writer(const std::string& path, const Snapshot& snapshot, const InitialConditions& conditions)
      : path_(path), snapshot_(snapshot), conditions_(conditions) {
    file_ = {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
    if (!file_) fail("cannot be created");
    units_ = snapshot.run ? file_units(snapshot.run->units, snapshot.run->params.gravity) : snapshot.units;
    physical_ = units_.known();
    // The unit of velocity for which G = 1 in centimetres and grams.
    if (!physical_) units_ = {1, 1, std::sqrt(kGravityCgs)};
    exact_as_float_ = std::ranges::all_of(snapshot.bodies, [](const Body& body) { return fits_float(body); });
    for (const Body& body : snapshot.bodies) ++counts_[type_of(body)];
  }

  void write(const Progress& progress) {
    write_header();
    write_units();
    if (snapshot_.run) {
      const Hdf5Handle group = make_group(kRunGroup);
      write_run(session_, group.get(), *snapshot_.run);
      put(group, "UnitsArePhysical", static_cast<std::uint64_t>(physical_));
      put(group, "Note",
          std::string(physical_ ? "Bodies are in the units of the scene; /Units defines their size."
                                : "This scene has no physical units: G = 1. /Units contains "
                                  "arbitrary units with G = 1."));
    }
    for (std::size_t type = 0; type < kTypes; ++type) {
      if (counts_[type] > 0) write_type(type, progress);
    }
    if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0 || !file_.close()) fail("cannot be completed");
  }

 private:
  struct Columns {
    Hdf5Handle position, velocity, mass, id, tag;
  };
  /// Values of a range of bodies of one type.
  struct Slab {
    std::vector<double> position, velocity, mass;
    std::vector<std::uint64_t> id;
    std::vector<std::uint32_t> tag;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(path_ + " " + what + ": " + session_.reason() + ".");
  }
  std::size_t type_of(const Body& body) const {
    return conditions_.one_type ? 1 : kTypeOf[static_cast<std::size_t>(component_of(body.tag))];
  }
  Hdf5Handle make_group(const std::string& name) const {
    Hdf5Handle group(H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if (!group) fail("cannot be written, group /" + name);
    return group;
  }
  template <class Value>
  void put(const Hdf5Handle& object, const std::string& name, const Value& value) const {
    put_hdf5(session_, object.get(), name, value);
  }

  void write_header() const;
  void write_units() const;
  void write_type(std::size_t type, const Progress& progress);
  Hdf5Handle make_dataset(const Hdf5Handle& group, const char* name, Hdf5Id type, std::array<hsize_t, 2> extent) const;
  void make_softenings(const Hdf5Handle& group, std::uint64_t count) const;
  void add(std::size_t i);
  void write_slab(const Columns& columns, std::uint64_t first);
  void write_rows(const Hdf5Handle& dataset, Hdf5Id type, const void* data, std::array<hsize_t, 2> start) const;

  const Hdf5Session session_;
  const std::string path_;
  const Snapshot& snapshot_;
  const InitialConditions conditions_;
  Hdf5Handle file_;
  FileUnits units_;
  bool physical_ = false, exact_as_float_ = false;
  std::array<std::uint64_t, kTypes> counts_ = {};
  Slab slab_;
  std::uint64_t written_ = 0;
};

/// As in GADGET-2 (Springel 2005, user guide of GADGET-2, table 4); Dimension is for SWIFT.
void Hdf5Writer::write_header() const {
  std::vector<std::uint32_t> low, high;
  for (const std::uint64_t count : counts_) {
    low.push_back(static_cast<std::uint32_t>(count));
    high.push_back(static_cast<std::uint32_t>(count >> 32));
    if (high.back() > 0)
      throw std::runtime_error(path_ +
                               " cannot be written: the format supports fewer than 2^32 bodies per type in one file.");
  }
  const Hdf5Handle header = make_group("Header");
  put(header, "NumPart_ThisFile", low);
  put(header, "NumPart_Total", low);
  put(header, "NumPart_Total_HighWord", high);
  put(header, "MassTable", std::vector<double>(kTypes, 0.0));
  put(header, "Time", snapshot_.time);
  put(header, "BoxSize", conditions_.box_size);
  put(header, "HubbleParam", 1.0);
  for (const char* zero : {"Redshift", "Omega0", "OmegaLambda"}) put(header, zero, 0.0);
  put(header, "NumFilesPerSnapshot", std::uint64_t(1));
  put(header, "Dimension", std::uint64_t(3));
  for (const char* zero : {"Flag_Entropy_ICs", "Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals",
                           "Flag_Feedback", "Flag_DoublePrecision"}) {
    put(header, zero, std::uint64_t(zero == std::string_view("Flag_DoublePrecision") && !exact_as_float_ ? 1 : 0));
  }
}

void Hdf5Writer::write_units() const {
  const Hdf5Handle swift = make_group("Units");
  put(swift, "Unit length in cgs (U_L)", std::vector<double>{units_.length_cm});
  put(swift, "Unit mass in cgs (U_M)", std::vector<double>{units_.mass_g});
  put(swift, "Unit time in cgs (U_t)", std::vector<double>{units_.length_cm / units_.velocity_cm_s});
  put(swift, "Unit current in cgs (U_I)", std::vector<double>{1});
  put(swift, "Unit temperature in cgs (U_T)", std::vector<double>{1});
  for (const char* name : {"Parameters", "Header"}) {
    const Hdf5Handle gadget =
        name == std::string_view("Header") ? open_hdf5_group(file_.get(), name) : make_group(name);
    put(gadget, "UnitLength_in_cm", units_.length_cm);
    put(gadget, "UnitMass_in_g", units_.mass_g);
    put(gadget, "UnitVelocity_in_cm_per_s", units_.velocity_cm_s);
  }
  put(make_group("RuntimePars"), "PeriodicBoundariesOn", std::uint64_t(0));
}

Hdf5Handle Hdf5Writer::make_dataset(const Hdf5Handle& group, const char* name, Hdf5Id type,
                                    std::array<hsize_t, 2> extent) const {
  const Hdf5Handle space(H5Screate_simple(extent[1] > 1 ? 2 : 1, extent.data(), nullptr), H5Sclose);
  Hdf5Handle dataset(H5Dcreate2(group.get(), name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (!dataset) fail(std::string("cannot be written, dataset ") + name);
  return dataset;
}

/// One softening for all bodies: a dataset with only its fill value takes no space.
void Hdf5Writer::make_softenings(const Hdf5Handle& group, std::uint64_t count) const {
  const double softening = snapshot_.run ? snapshot_.run->params.softening : snapshot_.softening;
  if (!(softening > 0)) return;
  const hsize_t extent = count;
  const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_fill_value(creation.get(), H5T_NATIVE_DOUBLE, &softening);
  const Hdf5Handle dataset(
      H5Dcreate2(group.get(), "Softenings", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  if (!dataset) fail("cannot be written, dataset Softenings");
}

void Hdf5Writer::write_type(std::size_t type, const Progress& progress) {
  const Hdf5Handle group = make_group("PartType" + std::to_string(type));
  const Hdf5Id real = exact_as_float_ ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  const std::uint64_t count = counts_[type];
  Columns columns{make_dataset(group, "Coordinates", real, {count, 3}),
                  make_dataset(group, "Velocities", real, {count, 3}),
                  make_dataset(group, "Masses", real, {count, 1}),
                  make_dataset(group, "ParticleIDs", H5T_NATIVE_UINT64, {count, 1}),
                  {}};
  if (snapshot_.run) columns.tag = make_dataset(group, "PericenterTags", H5T_NATIVE_UINT32, {count, 1});
  make_softenings(group, count);
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < snapshot_.bodies.size(); ++i) {
    if (type_of(snapshot_.bodies[i]) != type) continue;
    add(i);
    if (slab_.id.size() < kWriteSlab && first + slab_.id.size() < count) continue;
    write_slab(columns, first);
    first += slab_.id.size();
    written_ += slab_.id.size();
    slab_ = {};
    const double share = static_cast<double>(written_) / static_cast<double>(snapshot_.bodies.size());
    if (progress && !progress(share)) throw SceneCancelled();
  }
}

void Hdf5Writer::add(std::size_t i) {
  const Body& body = snapshot_.bodies[i];
  for (int k = 0; k < 3; ++k) {
    slab_.position.push_back(body.position[k]);
    slab_.velocity.push_back(body.velocity[k]);
  }
  slab_.mass.push_back(body.mass);
  slab_.id.push_back(snapshot_.run || snapshot_.ids.empty() ? i + 1 : snapshot_.ids[i]);
  slab_.tag.push_back(body.tag);
}

void Hdf5Writer::write_slab(const Columns& columns, std::uint64_t first) {
  const hsize_t count = slab_.id.size();
  write_rows(columns.position, H5T_NATIVE_DOUBLE, slab_.position.data(), {first, count});
  write_rows(columns.velocity, H5T_NATIVE_DOUBLE, slab_.velocity.data(), {first, count});
  write_rows(columns.mass, H5T_NATIVE_DOUBLE, slab_.mass.data(), {first, count});
  write_rows(columns.id, H5T_NATIVE_UINT64, slab_.id.data(), {first, count});
  if (columns.tag) write_rows(columns.tag, H5T_NATIVE_UINT32, slab_.tag.data(), {first, count});
}

/// `rows`: index of the first row and number of rows.
void Hdf5Writer::write_rows(const Hdf5Handle& dataset, Hdf5Id type, const void* data,
                            std::array<hsize_t, 2> rows) const {
  const Hdf5Handle there(H5Dget_space(dataset.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(there.get());
  const std::array<hsize_t, 2> start = {rows[0], 0}, extent = {rows[1], 3};
  const Hdf5Handle here(H5Screate_simple(rank, extent.data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr) < 0 ||
      H5Dwrite(dataset.get(), type, here.get(), there.get(), H5P_DEFAULT, data) < 0) {
    fail("cannot be written");
  }
}

}  // namespace

void write_hdf5(const std::string& path, const Snapshot& snapshot, const InitialConditions& conditions,
                const Progress& progress) {
  Hdf5Writer(path, snapshot, conditions).write(progress);
}

void write_hdf5(const std::string& path, const Snapshot& snapshot, const Progress& progress) {
  write_hdf5(path, snapshot, {}, progress);
}

std::uint64_t hdf5_size(const Snapshot& snapshot) {
  return kOverheadBytes + snapshot.bodies.size() * kBytesPerBody +
         (snapshot.run ? snapshot.run->scene_string.size() : 0);
}

FileUnits file_units(const Units& units, double gravity) {
  if (!(units.length_kpc > 0 && units.velocity_kms > 0)) return {};
  FileUnits sizes{units.length_kpc * kKpcCm, 0, units.velocity_kms * 1e5};
  // The mass that has the gravity of a scene mass of 1 with the physical G.
  sizes.mass_g = natural_mass(sizes.length_cm, sizes.velocity_cm_s) * (gravity > 0 ? gravity : 1);
  return sizes;
}

}  // namespace pericenter
