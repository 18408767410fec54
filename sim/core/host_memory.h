#pragma once

#include <cstddef>

namespace pericenter {

/// Available host memory in bytes, within the limit of a container; 0 if unknown.
double available_memory();

/// Host memory of the machine in bytes, or the limit of its container; 0 if unknown.
double total_memory();

/// Throws std::bad_alloc if this many bytes are at least a gigabyte and more than available_memory(): the system would
/// grant them, and kill the process when it uses them.
void require_memory(std::size_t bytes);

}  // namespace pericenter
