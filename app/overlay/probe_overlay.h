#pragma once

#include <string>
#include <vector>

#include "render/probe_pass.h"
#include "sim/analysis/probe.h"

namespace pericenter::app {

/// What the picture shows of a walk.
render::ProbeDrawing drawing_of(const Probe& probe);

/// What the walk did, in sentences for the panel and over the picture: "317 cells and 96 bodies instead of 1 048 575".
std::vector<std::string> probe_lines(const Probe& probe);

}  // namespace pericenter::app
