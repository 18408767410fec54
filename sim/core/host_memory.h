#pragma once

namespace pericenter {

/// Available host memory in bytes, within the limit of a container; 0 if unknown.
double available_memory();

}  // namespace pericenter
