#include "sim/files/hdf5/other_hdf5.h"

#include <hdf5.h>

#include <array>

namespace pericenter {
namespace {

/// How to recognise an HDF5 file, by a link or else by an attribute of the root, and the way to open its bodies.
struct OtherHdf5 {
  const char *name, *link, *attribute, *way;
};

constexpr const char* kTable = "Save a CSV table with the columns m, x, y, z, vx, vy, vz";
constexpr const char* kToCsv = "Save it as CSV: DataFrame.to_csv('bodies.csv', index=False)";
constexpr const char* kByYt = "It has a grid; save its particles as CSV with yt";

// Sources: amuse.io.store_v1 and store_v2; utils_dumpfiles_hdf5.f90 of phantom; PyTables' file format;
// yt.save_as_dataset(); astropy.io.misc.hdf5; H5Part and NBODY6++GPU (custom_output); the readers of yt for grid codes;
// the openPMD standard.
constexpr std::array kOthers = {
    OtherHdf5{"AMUSE", "AMUSE_INF", "", "Write the set as CSV: write_set_to_file(particles, 'bodies.csv', 'csv')"},
    OtherHdf5{"AMUSE", "particles/0000000001", "",
              "Write the set as CSV: write_set_to_file(particles, 'bodies.csv', 'csv')"},
    OtherHdf5{"phantom", "particles/xyz", "",
              "Convert the dump with 'splash to ascii', or save a CSV table with sarracen"},
    OtherHdf5{"pandas or PyTables", "", "PYTABLES_FORMAT_VERSION", kToCsv},
    OtherHdf5{"yt", "", "data_type",
              "Write a CSV with the columns m,x,y,z,vx,vy,vz after a line '#unit length=cm mass=g velocity=cm/s', each "
              "field converted, such as data['all', 'particle_position_x'].to('cm')"},
    OtherHdf5{"astropy", "__astropy_table__", "", "Write the table as ECSV: table.write('bodies.ecsv')"},
    OtherHdf5{"NBODY6++GPU or H5Part", "Step#0", "", kTable},
    OtherHdf5{"openPMD", "", "openPMD", kTable},
    OtherHdf5{"GAMER", "Info/KeyInfo", "", kByYt},
    OtherHdf5{"FLASH", "sim info", "", kByYt},
    OtherHdf5{"Athena++", "", "NumMeshBlocks", kByYt},
    OtherHdf5{"Enzo", "Grid00000001", "", kByYt},
};

/// Whether a link exists whose names are separated by slashes.
bool has_path(Hdf5Id file, const std::string& path) {
  const std::size_t slash = path.find('/');
  if (slash == path.npos) return has_hdf5_link(file, path);
  const Hdf5Handle group = open_hdf5_group(file, path.substr(0, slash));
  return group && has_hdf5_link(group.get(), path.substr(slash + 1));
}

bool is_from(Hdf5Id file, const OtherHdf5& other) {
  return *other.link != '\0' ? has_path(file, other.link) : H5Aexists(file, other.attribute) > 0;
}

}  // namespace

std::string about_other_hdf5(Hdf5Id file) {
  for (const OtherHdf5& other : kOthers) {
    if (is_from(file, other))
      return std::string("it is an HDF5 file of ") + other.name + ", which is not read. " + other.way + ".";
  }
  if (has_hdf5_link(file, "PartType1") || has_hdf5_link(file, "PartType0") || has_hdf5_link(file, "PartType4"))
    return "its group /Header is missing, which has the numbers, units and time of its bodies: copy it from the "
           "snapshot.";
  return std::string(
             "it is an HDF5 file without a group /Header, so it is not a snapshot of GADGET, AREPO, GIZMO or ") +
         "SWIFT. " + kTable + ", or a snapshot of GADGET.";
}

}  // namespace pericenter
