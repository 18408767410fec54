#include "sim/files/snapshot.h"

#include "sim/core/printable.h"
#include "sim/files/file_origin.h"

namespace pericenter {

InputError::InputError(const std::string& message, bool is_missing)
    : std::runtime_error(printable(message)), missing(is_missing) {}

const std::vector<std::uint64_t>& ids_of(const Snapshot& snapshot) {
  return snapshot.run && snapshot.run->origin ? snapshot.run->origin->ids : snapshot.ids;
}

}  // namespace pericenter
