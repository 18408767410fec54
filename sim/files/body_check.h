#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// End of the error for a file with invalid bodies.
inline constexpr const char* kSkipHint =
    " To skip such bodies, use --skip-bad or the option to skip them in the file dialog.";

/// The problem of an invalid body, such as "its mass is negative"; empty if it is valid. A mass of 0 is valid: the body
/// is a test particle.
std::string problem_with(const Body& body);

/// Checks all bodies of a snapshot. With skip_bad, invalid bodies are removed with their ids and counted; otherwise the
/// first one throws an InputError that contains name(index), such as "Particle 3 of type 1".
void check_bodies(Snapshot& snapshot, const ReadOptions& options, const std::function<std::string(std::size_t)>& name);

}  // namespace pericenter
