#pragma once

#include <memory>
#include <string>

#include "sim/core/body_field.h"
#include "sim/core/progress.h"
#include "sim/run/run.h"

namespace pericenter {

/// Reads a field of the file of a run again, for its bodies. Throws InputError, also if the file has other bodies now,
/// SceneCancelled, std::bad_alloc.
std::shared_ptr<const BodyField> read_field(const Run& run, const std::string& name, const Progress& progress);

}  // namespace pericenter
