#pragma once

#include <string>
#include <vector>

#include "app/export/export.h"

namespace pericenter::app {

/// A file of an export, but for the bodies.
struct TextFile {
  std::string name, text;
};

/// Parameter file, what else the code wants to be told, and README.txt, whose first line is export_mark().
std::vector<TextFile> export_texts(const ClusterRun& run, ClusterCode code);

/// First line of the README.txt of an export, by which it is known.
std::string export_mark(ClusterCode code);

/// Name of the file of bodies.
inline constexpr const char* kExportedBodies = "ics.hdf5";

}  // namespace pericenter::app
