#pragma once

#include <string_view>

#include "app/ui/ui_state.h"

namespace pericenter::app::widgets {

/// Shows `tip` while the cursor rests on the last item. `label`: of its row, whose items share one tooltip.
void hover_tip(UiState& ui, const char* label, std::string_view tip);

}  // namespace pericenter::app::widgets
