#include "sim/files/formats.h"

#include <array>

#include "sim/files/jpl.h"

namespace pericenter {

std::span<const FileFormat> file_formats() {
  return {};
}

}  // namespace pericenter
