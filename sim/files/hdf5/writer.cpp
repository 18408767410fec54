#include "sim/files/hdf5/writer.h"

#include <hdf5.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "sim/files/file_origin.h"
#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/layout.h"
#include "sim/files/hdf5/run_attributes.h"

namespace pericenter {
namespace {

constexpr std::size_t kWriteSlab = 1 << 16;  ///< bodies per write
constexpr std::uint64_t kBytesPerBody = 2 * 7 * 8 + 2 * 8 + 4;
constexpr std::uint64_t kOverheadBytes = 1 << 16;  ///< bytes of everything except bodies

class Hdf5Writer {
 public:
  Hdf5Writer(const std::string& path, const Snapshot& snapshot, const InitialConditions& conditions)
      : path_(path), snapshot_(snapshot), conditions_(conditions), layout_(hdf5_layout(snapshot, conditions)) {
    file_ = {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
    if (!file_) fail("cannot be created");
    if (!snapshot.run) {
      ids_ = snapshot.ids.empty() ? nullptr : &snapshot.ids;
    } else if (snapshot.run->origin && snapshot.run->origin->ids.size() == snapshot.bodies.size()) {
      ids_ = &snapshot.run->origin->ids;
    }
  }

  void write(const Progress& progress) {
    try {
      write_hdf5_header(session_, file_.get(), layout_);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(path_ + " cannot be written: " + error.what());
    }
    if (snapshot_.run) write_run_group();
    for (std::size_t type = 0; type < kHdf5Types; ++type) {
      if (layout_.counts[type] > 0) write_type(type, progress);
    }
    if (H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) < 0 || !file_.close()) fail("cannot be completed");
  }

 private:
  struct Vectors {
    Hdf5Handle position, velocity, mass;
  };
  struct Columns {
    Vectors bodies, exact;
    Hdf5Handle id, tag, order;
  };
  /// Values of a range of bodies of one type.
  struct Values {
    std::vector<double> position, velocity, mass;
  };
  struct Slab {
    Values bodies, exact;
    std::vector<std::uint64_t> id, order;
    std::vector<std::uint32_t> tag;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(path_ + " " + what + ": " + session_.reason() + ".");
  }
  template <class Value>
  void put(const Hdf5Handle& object, const std::string& name, const Value& value) const {
    put_hdf5(session_, object.get(), name, value);
  }

  void write_run_group() const;
  void write_type(std::size_t type, const Progress& progress);
  Hdf5Handle make_dataset(const Hdf5Handle& group, const char* name, Hdf5Id type, std::array<hsize_t, 2> extent) const;
  Vectors make_vectors(const Hdf5Handle& group, const ExactNames& names, bool wide, std::uint64_t count) const;
  Columns make_columns(const Hdf5Handle& group, std::uint64_t count) const;
  void write_dimensions(const Columns& columns) const;
  void make_softenings(const Hdf5Handle& group, std::uint64_t count) const;
  static void add(const Body& body, Values& values);
  void add(std::size_t i);
  void write_slab(const Columns& columns, std::uint64_t first);
  void write_values(const Vectors& vectors, const Values& values, std::array<hsize_t, 2> rows) const;
  void write_rows(const Hdf5Handle& dataset, Hdf5Id type, const void* data, std::array<hsize_t, 2> start) const;

  const Hdf5Session session_;
  const std::string path_;
  const Snapshot& snapshot_;
  const InitialConditions conditions_;
  const Hdf5Layout layout_;
  Hdf5Handle file_;
  const std::vector<std::uint64_t>* ids_ = nullptr;  ///< null: 1, 2, 3 ...
  Slab slab_;
  std::uint64_t written_ = 0;
};

void Hdf5Writer::write_run_group() const {
  const Hdf5Handle group = make_hdf5_group(session_, file_.get(), kRunGroup);
  write_run(session_, group.get(), *snapshot_.run);
  put(group, "SceneTime", snapshot_.time);
  put(group, "UnitsArePhysical", static_cast<std::uint64_t>(layout_.physical));
  const std::string exact =
      layout_.converts ? " PericenterCoordinates, PericenterVelocities and PericenterMasses are in scene units; a "
                         "restart reads only these."
                       : "";
  put(group, "Note",
      (layout_.physical ? "/Units defines the units."
                        : "There are no physical units: G = 1. /Units contains arbitrary units with G = 1.") +
          exact);
}

Hdf5Handle Hdf5Writer::make_dataset(const Hdf5Handle& group, const char* name, Hdf5Id type,
                                    std::array<hsize_t, 2> extent) const {
  const Hdf5Handle space(H5Screate_simple(extent[1] > 1 ? 2 : 1, extent.data(), nullptr), H5Sclose);
  Hdf5Handle dataset(H5Dcreate2(group.get(), name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  if (!dataset) fail(std::string("cannot be written, dataset ") + name);
  return dataset;
}

Hdf5Writer::Vectors Hdf5Writer::make_vectors(const Hdf5Handle& group, const ExactNames& names, bool wide,
                                             std::uint64_t count) const {
  const Hdf5Id real = wide ? H5T_NATIVE_DOUBLE : H5T_NATIVE_FLOAT;
  return {make_dataset(group, names.position, real, {count, 3}), make_dataset(group, names.velocity, real, {count, 3}),
          make_dataset(group, names.mass, real, {count, 1})};
}

Hdf5Writer::Columns Hdf5Writer::make_columns(const Hdf5Handle& group, std::uint64_t count) const {
  const auto make = [&](const char* name, Hdf5Id type) { return make_dataset(group, name, type, {count, 1}); };
  Columns columns;
  columns.bodies = make_vectors(group, {"Coordinates", "Velocities", "Masses"}, layout_.wide(), count);
  columns.id = make("ParticleIDs", H5T_NATIVE_UINT64);
  if (layout_.for_swift) write_dimensions(columns);
  if (!snapshot_.run) return columns;
  columns.tag = make("PericenterTags", H5T_NATIVE_UINT32);
  if (layout_.converts) columns.exact = make_vectors(group, kExactNames, !layout_.exact_as_float, count);
  if (ids_) columns.order = make("PericenterOrder", H5T_NATIVE_UINT64);
  return columns;
}

void Hdf5Writer::write_dimensions(const Columns& columns) const {
  const auto write = [&](const Hdf5Handle& dataset, const Hdf5Dimension& dimension) {
    write_swift_dimension(session_, dataset.get(), layout_, dimension);
  };
  write(columns.bodies.position, {1, 0, 0, 1});
  write(columns.bodies.velocity, {1, 0, -1, 0});
  write(columns.bodies.mass, {0, 1, 0, 0});
  write(columns.id, {0, 0, 0, 0});
}

/// One softening for all bodies: a dataset with only its fill value takes no space.
void Hdf5Writer::make_softenings(const Hdf5Handle& group, std::uint64_t count) const {
  const double softening = layout_.softening;
  if (!(softening > 0)) return;
  const hsize_t extent = count;
  const Hdf5Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_fill_value(creation.get(), H5T_NATIVE_DOUBLE, &softening);
  const Hdf5Handle dataset(
      H5Dcreate2(group.get(), "Softenings", H5T_NATIVE_DOUBLE, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  if (!dataset) fail("cannot be written, dataset Softenings");
  if (layout_.for_swift) write_swift_dimension(session_, dataset.get(), layout_, {1, 0, 0, 1});
}

void Hdf5Writer::write_type(std::size_t type, const Progress& progress) {
  const Hdf5Handle group = make_hdf5_group(session_, file_.get(), "PartType" + std::to_string(type));
  const std::uint64_t count = layout_.counts[type];
  const Columns columns = make_columns(group, count);
  make_softenings(group, count);
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < snapshot_.bodies.size(); ++i) {
    if (hdf5_type(snapshot_, conditions_, i) != type) continue;
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

void Hdf5Writer::add(const Body& body, Values& values) {
  for (int k = 0; k < 3; ++k) {
    values.position.push_back(body.position[k]);
    values.velocity.push_back(body.velocity[k]);
  }
  values.mass.push_back(body.mass);
}

void Hdf5Writer::add(std::size_t i) {
  const Body& body = snapshot_.bodies[i];
  add(layout_.converted(body), slab_.bodies);
  if (layout_.converts) add(body, slab_.exact);
  slab_.id.push_back(ids_ ? (*ids_)[i] : i + 1);
  slab_.order.push_back(i + 1);
  slab_.tag.push_back(body.tag);
}

void Hdf5Writer::write_slab(const Columns& columns, std::uint64_t first) {
  const hsize_t count = slab_.id.size();
  write_values(columns.bodies, slab_.bodies, {first, count});
  if (columns.exact.position) write_values(columns.exact, slab_.exact, {first, count});
  write_rows(columns.id, H5T_NATIVE_UINT64, slab_.id.data(), {first, count});
  if (columns.order) write_rows(columns.order, H5T_NATIVE_UINT64, slab_.order.data(), {first, count});
  if (columns.tag) write_rows(columns.tag, H5T_NATIVE_UINT32, slab_.tag.data(), {first, count});
}

void Hdf5Writer::write_values(const Vectors& vectors, const Values& values, std::array<hsize_t, 2> rows) const {
  write_rows(vectors.position, H5T_NATIVE_DOUBLE, values.position.data(), rows);
  write_rows(vectors.velocity, H5T_NATIVE_DOUBLE, values.velocity.data(), rows);
  write_rows(vectors.mass, H5T_NATIVE_DOUBLE, values.mass.data(), rows);
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
