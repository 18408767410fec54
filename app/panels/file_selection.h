#pragma once

#include <string>

#include "app/ui/ui_state.h"

namespace pericenter::app {

/// The selection that is typed and ticked; `problem` says what is wrong with it.
Selection typed_selection(const FilesState& files, std::string& problem);
/// The part of the loaded file that is shown: every Nth body, types, region, and how many bodies that is, before it is
/// applied. Nothing for scenes and saved runs.
void file_selection_rows(const SessionState& state, FilesState& files, Desk& desk);

}  // namespace pericenter::app
