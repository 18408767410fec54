#pragma once

#include "app/ui/ui_state.h"

namespace pericenter::app {

/// Units of the loaded file, in place of what it declares: to choose or to type, with what they make of its bodies
/// before they are applied. Nothing for scenes and saved runs.
void file_units_rows(const SessionState& state, FilesState& files, Desk& desk);

}  // namespace pericenter::app
