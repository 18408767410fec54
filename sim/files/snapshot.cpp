#include "sim/files/snapshot.h"

#include "sim/core/printable.h"

namespace pericenter {

InputError::InputError(const std::string& message, bool is_missing)
    : std::runtime_error(printable(message)), missing(is_missing) {}

}  // namespace pericenter
