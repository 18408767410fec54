#pragma once

#include <cstddef>
#include <span>

namespace pericenter::app {

/// The TTF file that was embedded at build time (DejaVu Sans, from the package fonts-dejavu-core); empty when there was
/// none.
std::span<const std::byte> embedded_font();

}  // namespace pericenter::app
