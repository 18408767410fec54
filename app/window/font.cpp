#include "app/window/font.h"

#ifdef PERICENTER_FONT_EMBEDDED
extern "C" {
extern const std::byte pericenter_font_begin[];
extern const std::byte pericenter_font_end[];
}
#endif

namespace pericenter::app {

std::span<const std::byte> embedded_font() {
#ifdef PERICENTER_FONT_EMBEDDED
  return {pericenter_font_begin, pericenter_font_end};
#else
  return {};
#endif
}

}  // namespace pericenter::app
