#pragma once

#include <hdf5.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/files/hdf5/file.h"
#include "sim/files/hdf5/reader.h"
#include "tests/support/file_fixtures.h"

namespace pericenter::test {

/// Names and values of attributes.
using Hdf5Values = std::vector<std::pair<std::string, double>>;

/// Makes HDF5 snapshots in the layouts of other codes, of bodies as make_hdf5_fixtures.py has them.
class Hdf5Maker {
 public:
  explicit Hdf5Maker(const std::string& name = "made.hdf5") : folder_(name), path_(folder_.path()) {
    { const Hdf5Session prepared; }  // before other calls of the library
    file_ = {H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
  }

  /// Replaces the attribute of a dataset, or of a group, which is made.
  template <class Value>
  Hdf5Maker& put(const std::string& group, const std::string& name, const Value& value) {
    const Hdf5Handle opened = has_hdf5_link(file_.get(), group)
                                  ? Hdf5Handle(H5Oopen(file_.get(), group.c_str(), H5P_DEFAULT), H5Oclose)
                                  : this->group(group);
    remove(group, name);
    put_hdf5(Hdf5Session(), opened.get(), name, value);
    return *this;
  }

  Hdf5Maker& remove(const std::string& group, const std::string& name) {
    if (H5Aexists_by_name(file_.get(), group.c_str(), name.c_str(), H5P_DEFAULT) > 0)
      H5Adelete_by_name(file_.get(), group.c_str(), name.c_str(), H5P_DEFAULT);
    return *this;
  }

  Hdf5Maker& data(const std::string& group, const std::string& name, const std::vector<double>& values,
                  hsize_t columns = 1, Hdf5Id type = H5T_NATIVE_DOUBLE) {
    const Hdf5Handle parent = this->group(group);
    const hsize_t extent[2] = {values.size() / columns, columns};
    const Hdf5Handle space(H5Screate_simple(columns > 1 ? 2 : 1, extent, nullptr), H5Sclose);
    const Hdf5Handle made(
        H5Dcreate2(parent.get(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    H5Dwrite(made.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return *this;
  }

  /// A type with the bodies from `first` on, and without the datasets of these names.
  Hdf5Maker& bodies(int type, int count, int first = 0, const std::vector<std::string>& without = {}) {
    std::vector<double> position, velocity, mass, id;
    for (int j = first; j < first + count; ++j) {
      position.insert(position.end(), {j + 1.0, 10 * (j + 1.0), -j - 0.5});
      velocity.insert(velocity.end(), {1.0 * j, -2.0 * j, j / 2.0});
      mass.push_back((j + 1) / 4.0);
      id.push_back(100 + j);
    }
    const std::string group = "PartType" + std::to_string(type);
    const auto add = [&](const std::string& name, const std::vector<double>& values, hsize_t columns, Hdf5Id stored) {
      if (std::ranges::find(without, name) == without.end()) data(group, name, values, columns, stored);
    };
    add("Coordinates", position, 3, H5T_NATIVE_DOUBLE);
    add("Velocities", velocity, 3, H5T_NATIVE_DOUBLE);
    add("Masses", mass, 1, H5T_NATIVE_DOUBLE);
    add("ParticleIDs", id, 1, H5T_NATIVE_UINT64);
    return *this;
  }

  /// The header of GADGET with these numbers of bodies.
  Hdf5Maker& header(const std::vector<double>& counts) {
    for (const char* name : {"NumPart_ThisFile", "NumPart_Total"}) put("Header", name, counts);
    put("Header", "MassTable", std::vector<double>(counts.size(), 0.0));
    for (const char* name : {"Time", "Redshift", "BoxSize", "Omega0", "OmegaLambda"}) put("Header", name, 0.0);
    for (const char* name : {"HubbleParam", "NumFilesPerSnapshot"}) put("Header", name, 1.0);
    return *this;
  }

  Hdf5Handle group(const std::string& name) {
    if (name == "/") return {H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose};
    Hdf5Handle found = open_hdf5_group(file_.get(), name);
    return found ? std::move(found) : make_hdf5_group(Hdf5Session(), file_.get(), name);
  }
  Hdf5Id file() const { return file_.get(); }

  /// Closes the file; nothing more can be added.
  const std::string& path() {
    file_ = {};
    return path_;
  }
  Snapshot read() { return read_hdf5(path(), {}); }
  /// The error of reading it; empty if there is none.
  std::string error() {
    try {
      read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

 private:
  TemporaryFile folder_;
  std::string path_;
  Hdf5Handle file_;
};

inline void put_all(Hdf5Maker& file, const std::string& group, const Hdf5Values& values) {
  for (const auto& [name, value] : values) file.put(group, name, value);
}

/// All notes in one text.
inline std::string notes_of(const Snapshot& snapshot) {
  std::string all;
  for (const std::string& note : snapshot.notes) all += note + "\n";
  return all;
}

}  // namespace pericenter::test
