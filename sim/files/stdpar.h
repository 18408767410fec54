#pragma once

#include "sim/files/formats.h"

namespace pericenter {

/// Initial conditions of stdpar-nbody (University of Bristol; Saver::load_system in its src/saving.h): number of bodies
/// and dimension, time step and gravitational constant, then mass, position and velocity of each body; 32 bits each,
/// little endian.
bool is_stdpar(const FileHead& head);
/// In the units of the file, with masses multiplied by its gravitational constant, so that G = 1. Throws InputError,
/// SceneCancelled.
Snapshot read_stdpar(Bytes bytes, const ReadOptions& options);

}  // namespace pericenter
