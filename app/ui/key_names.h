#pragma once

#include <string>

#include "app/ui/actions.h"

namespace pericenter::app {

struct UiState;

/// The name of a key on its cap: "Space", "→", "PageDn", "Ctrl+Z". Empty if the key is a modifier, is held down, or
/// types a character, which has the name below.
std::string key_name(const KeyPress& press);
/// "B" for b; empty for a space.
std::string character_name(unsigned codepoint);

/// Shows the name of a key that was pressed for two seconds, if the user wants that. `now`: as UiFrame::now.
void show_key(const std::string& name, double now, UiState& ui);

}  // namespace pericenter::app
