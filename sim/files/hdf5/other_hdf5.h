#pragma once

#include <string>

#include "sim/files/hdf5/file.h"

namespace pericenter {

/// A sentence on an HDF5 file without a group /Header: which program wrote it, if it is known, and how its bodies can
/// be opened.
std::string about_other_hdf5(Hdf5Id file);

}  // namespace pericenter
