#pragma once

#include <functional>

#include "sim/files/hdf5/hdf5_units.h"
#include "sim/files/hdf5/snapshot_assembler.h"
#include "sim/files/hdf5/snapshot_files.h"

namespace pericenter {

/// Reads the selected bodies of a file in batches. Throws InputError that names the group; for an invalid body too,
/// unless ReadOptions::skip_bad.
void read_bodies(const Hdf5File& part, const Hdf5Conventions& conventions, const ReadOptions& options,
                 const std::function<void(const Hdf5Batch& batch)>& take);

}  // namespace pericenter
