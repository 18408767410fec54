#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sim/files/snapshot.h"

namespace pericenter {

/// What ends the refusal of a file some of whose bodies cannot be used.
inline constexpr const char* kSkipHint =
    " --skip-bad, or 'Skip bad bodies' where the window opens files, leaves such bodies out and counts them.";

/// What is wrong with a body that a file holds: "its mass is negative"; empty: nothing. A mass of 0 is that of a test
/// particle.
std::string problem_with(const Body& body);

/// Looks at all bodies of a snapshot that was just read. One that cannot be used is an InputError that says which,
/// name(index): "Particle 3 of type 1"; with skip_bad all such bodies are taken out, with their ids, and counted.
void check_bodies(Snapshot& snapshot, const ReadOptions& options, const std::function<std::string(std::size_t)>& name);

}  // namespace pericenter
