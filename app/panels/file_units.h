#pragma once

#include <string>

#include "app/ui/ui_state.h"

namespace pericenter::app {

/// Measures of a file as the panel shows them: "19 kpc", "1.2·10¹² Msun", "390 Myr"; numbers if the units are unknown.
struct MeasureTexts {
  std::string radius, mass, period;
};
MeasureTexts measure_texts(const FileMeasures& measures, const FileUnits& units);

/// Units of the loaded file, in place of what it declares: to choose or to type, with what they make of its bodies
/// before they are applied. Nothing for scenes and saved runs.
void file_units_rows(const SessionState& state, FilesState& files, Desk& desk);

}  // namespace pericenter::app
