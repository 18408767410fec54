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

/// Removes the bodies from index `first` on for which keep(index) is false, with their ids, types and values.
template <class Keep>
void keep_bodies(Snapshot& snapshot, std::size_t first, const Keep& keep) {
  const std::size_t count = snapshot.bodies.size();
  const bool ids = snapshot.ids.size() == count, types = snapshot.types.size() == count;
  const bool values = snapshot.values.size() == count;
  std::size_t kept = first;
  for (std::size_t i = first; i < count; ++i) {
    if (!keep(i)) continue;
    snapshot.bodies[kept] = snapshot.bodies[i];
    if (ids) snapshot.ids[kept] = snapshot.ids[i];
    if (types) snapshot.types[kept] = snapshot.types[i];
    if (values) snapshot.values[kept] = snapshot.values[i];
    ++kept;
  }
  snapshot.bodies.resize(kept);
  if (ids) snapshot.ids.resize(kept);
  if (types) snapshot.types.resize(kept);
  if (values) snapshot.values.resize(kept);
}

/// Checks the bodies of a snapshot from index `first` on. With skip_bad, invalid bodies are removed and counted;
/// otherwise the first one throws an InputError that contains name(index), such as "Particle 3 of type 1".
void check_bodies(Snapshot& snapshot, const ReadOptions& options, const std::function<std::string(std::size_t)>& name,
                  std::size_t first = 0);

}  // namespace pericenter
