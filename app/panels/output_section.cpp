#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace pericenter::app {

void draw_output_section(const UiFrame& /*frame*/, UiState& /*ui*/) {}

}  // namespace pericenter::app
