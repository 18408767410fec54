#pragma once

#include <string>
#include <vector>

#include "app/export/export.h"

namespace pericenter::app {

/// A text file of an export.
struct TextFile {
  std::string name, text;
};

/// Parameter file, build configuration if needed, and README.txt, whose first line is export_mark().
std::vector<TextFile> export_texts(const ClusterRun& run, ClusterCode code);

/// First line of README.txt; identifies an export.
std::string export_mark(ClusterCode code);

/// File name of the bodies.
inline constexpr const char* kExportedBodies = "ics.hdf5";

}  // namespace pericenter::app
